'use strict'

/**
 * What the bytes of a download are compared with: a checksum of the whole object, else the checksum of its parts' CRC-32s, else
 * an MD5. Decided before anything is read, because it decides what is computed; judged before the last range is handed out.
 */

const { XferError } = require('../errors')
const { CRCS, hasCrc, isCrc, judgeSource, keptBy, keptMd5, sameCrcs, sumsOfParts, sumText } = require('../integrity')
const { notice } = require('../notices')
const { askPartSize, isComparable, rangesOf, readRanges } = require('../verify')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('./download').Opened} Opened */
/** @typedef {{ bytes: number, sums: Sums, etag: string }} ReadPart */

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
async function layoutOf(source, object, signal) {
  const ofParts = object.composite?.crc32 !== undefined || keptMd5(object)?.parts !== undefined
  if (hasCrc(object.sums) || !ofParts) return undefined
  const layout = await askPartSize(source, signal)
  return layout && layout.bytes > 0 && Math.ceil(object.bytes / layout.bytes) === layout.parts ? layout : undefined
}

/**
 * Joins the checksums of ranges to those of parts, in order.
 *
 * @param {Pick<ProofPlan, 'partBytes'>} plan
 */
function createTally({ partBytes = Number.POSITIVE_INFINITY }) {
  /** @type {ReadPart[]} */
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

/** Ends the last sentence of an error about bytes of which some were handed out. */
const DISCARD = 'Discard what was written, and repeat the command; if it happens again, the source itself is damaged.'

/**
 * Judges a download as a whole, before its last range is handed out.
 *
 * @param {Opened} opened
 * @param {import('../types').ObjectHead} object
 * @param {ReadPart[]} parts all that was read, joined to the parts that the proof needs
 * @param {{ rangeBytes: number, capacity: import('./read').Capacity, watch: ReturnType<typeof import('../progress').watchProgress> }} how
 * @returns {Promise<{ sums: Sums, proof: Proof[], uncompared?: true }>} sums: of all bytes
 * @throws {XferError} READ_CORRUPTED or MD5_DIFFERS; what ends a second reading
 */
async function judge(opened, object, parts, { rangeBytes, capacity, watch }) {
  const { settings, source, run, engine } = opened
  const evidence = judgeSource(object, parts, false)
  const proof = evidence?.proofs ?? []
  const differs = evidence?.verdict === 'different' ? evidence.by : undefined
  const doubted = differs !== undefined && (await isComparable({ by: differs }, source, parts, run.cancel))
  if (doubted && differs !== 'etag') {
    const found = isCrc(differs) ? sumText(differs, sumsOfParts(parts)[differs]) : 'another one'
    throw damaged(`the source keeps the ${keptBy(differs, object).words}, and what was read has ${found}`)
  }
  if (doubted && object.sums?.md5 !== undefined) {
    const [expected, found] = [object.sums.md5, parts[0].sums.md5]
    throw new XferError('MD5_DIFFERS', { reason: `${found} instead of ${expected}`, expected, found })
  }
  if (doubted || settings.verify === 'full') {
    await readAgain()
    proof.push('source-read')
  }
  // An ETag in the form of an MD5 may be none.
  if (doubted) run.emit(notice('SOURCE_ETAG_DIFFERS'))
  return { sums: sumsOfParts(parts), proof, ...(proof.length === 0 && { uncompared: /** @type {const} */ (true) }) }

  /** Reads everything again, in other ranges: a proxy that damages the n-th byte of each answer then damages others. */
  async function readAgain() {
    run.emit(notice('READING_SOURCE', { again: true }))
    const ranges = rangesOf(object.bytes, Math.ceil(rangeBytes / 2) || 1)
    const first = sumsOfParts(parts)
    const job = { engine, settings, run: { ...run, cancel: opened.ended } }
    const sums = CRCS.filter(sum => first[sum] !== undefined)
    const how = { objects: [{ ...source, object }], ranges, sums, emit: watch.reading(ranges) }
    const [again] = await readRanges({ job, ...capacity }, how)
    if (!sameCrcs(first, sumsOfParts(again))) throw damaged('two readings of it differ')
  }
}

/** @param {string} reason */
function damaged(reason) {
  return new XferError('READ_CORRUPTED', { reason, advice: DISCARD })
}

module.exports = { NOTHING, createTally, judge, layoutOf, planProof }
