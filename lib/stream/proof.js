'use strict'

/**
 * What the bytes of a download are compared with: a checksum of the whole object, else the checksum of its parts' CRC-32s, else
 * an MD5. Decided before anything is read, because it decides what is computed.
 */

const { CRCS, hasCrc, keptMd5, sumsOfParts } = require('../integrity')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Sums} Sums */

/**
 * @typedef {object} ProofPlan
 * @property {Sum[]} sums those that are computed of each range
 * @property {boolean} md5 whether an MD5 is needed, which is computed of all bytes in their order
 * @property {number} [partBytes] the parts whose checksums the source's checksum is made of; absent: one of all bytes
 */

/** @type {ProofPlan} */
const NOTHING = { sums: [], md5: false }

/**
 * @param {ObjectHead} object
 * @param {{ bytes: number, parts: number }} [layout] the size of the source's parts, if its store tells it
 * @returns {ProofPlan} a CRC is always computed: a second reading is compared by it
 */
function planProof(object, layout) {
  if (hasCrc(object.sums)) return { sums: CRCS.filter(sum => object.sums?.[sum] !== undefined).slice(0, 1), md5: false }
  const plan = { sums: CRCS.slice(0, 1), md5: false }
  if (object.composite?.crc32 !== undefined && layout) return { ...plan, partBytes: layout.bytes }
  const md5 = keptMd5(object)
  if (!md5) return plan
  if (md5.parts === undefined) return { ...plan, md5: true }
  return md5.parts === layout?.parts ? { ...plan, md5: true, partBytes: layout.bytes } : plan
}

/**
 * The sizes of the source's parts, if they matter.
 *
 * @param {import('../job/contract').Side} source
 * @param {ObjectHead} object
 * @param {AbortSignal} signal
 * @returns {Promise<{ bytes: number, parts: number } | undefined>} undefined: also if its store does not tell it
 */
async function layoutOf({ store, key, versionId }, object, signal) {
  const ofParts = object.composite?.crc32 !== undefined || keptMd5(object)?.parts !== undefined
  if (hasCrc(object.sums) || !ofParts) return undefined
  const layout = await store.partSize?.(key, { signal, versionId }).catch(error => {
    if (signal.aborted) throw error
  })
  return layout && layout.bytes > 0 && Math.ceil(object.bytes / layout.bytes) === layout.parts ? layout : undefined
}

/**
 * Joins the checksums of ranges to those of parts, in order.
 *
 * @param {Pick<ProofPlan, 'partBytes'>} plan
 */
function createTally({ partBytes = Number.POSITIVE_INFINITY }) {
  /** @type {Array<{ bytes: number, sums: Sums, etag: string }>} */
  const parts = []
  /** Whether the last part has all of its ranges. */
  let full = true

  return {
    /** As `judgeSource` takes them. */
    parts,
    /** The next range. Ranges end where parts do. @param {{ bytes: number, sums: Sums }} range @returns {boolean} whether a part ends with it */
    add(range) {
      const joined = full ? [range] : [...parts.splice(-1), range]
      const bytes = joined.reduce((sum, one) => sum + one.bytes, 0)
      parts.push({ bytes, sums: sumsOfParts(joined), etag: '' })
      full = bytes >= partBytes
      return full
    },
  }
}

module.exports = { NOTHING, createTally, layoutOf, planProof }
