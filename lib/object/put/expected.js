'use strict'

/**
 * The expected checksum of an object's bytes, before they are written. An object of one request is visible at once, so the
 * function gets the expected checksum and holds the last byte back until the bytes match it.
 */

const { XferError } = require('../../errors')
const { CRCS, hasCrc, judgeSource, keptMd5, only, sumText, SUM_WORDS } = require('../../integrity')

/** @typedef {import('./types').KnownSource} KnownSource */
/** @typedef {import('./types').Order} Order */
/** @typedef {import('../../types').Proof} Proof */
/** @typedef {{ known: import('../../types').Sums, proofs: Proof[] }} Expected proofs: of the source, that a reading gave */

/** How often a source is read again while no two readings are equal. */
const MOST_READINGS = 3

/** @type {Expected} */
const NOTHING = { known: {}, proofs: [] }

/**
 * The source's stored checksum. If that is asked for, or nothing else can be compared, the checksum of a first reading.
 *
 * @param {Order} order
 * @param {KnownSource} source
 * @param {object} how
 * @param {import('./reader').Reader} how.reader
 * @param {import('../../job/open').Job['settings']} how.settings
 * @param {boolean} how.single whether it is the only object, so that another reading is affordable
 * @returns {Promise<Expected>}
 */
async function expectedOf(order, source, { reader, settings, single }) {
  if (!settings.proved || source.bytes === 0) return NOTHING
  if (hasCrc(source.sums)) return { known: only(source.sums, CRCS), proofs: [] }
  const kept = keptMd5(source)
  if (kept && kept.parts === undefined) return { known: { md5: kept.md5 }, proofs: [] }
  // What is held of a stream would only show what was held.
  if (order.from.store.can.readsOnce) return NOTHING
  const onePart = kept?.parts === 1 || source.composite?.crc32.endsWith('-1')
  if (settings.verify !== 'full' && !(single && onePart)) return NOTHING
  return await readAgain(order, source, { reader })
}

/**
 * Reads the source in other pieces than the copy does, and expects the result.
 *
 * @param {Order} order
 * @param {KnownSource} source
 * @param {{ reader: import('./reader').Reader, sums?: readonly import('../../types').Sum[] }} how sums: those to compute
 * @returns {Promise<Expected>}
 * @throws {XferError} INTEGRITY if the source has a composite checksum of its one part, and no reading matches it
 */
async function readAgain(order, source, { reader, sums = [] }) {
  for (let attempt = 0; ; attempt++) {
    const known = await reader.readInHalves(order.from, source, sums)
    const { md5, ...kept } = source.sums ?? {}
    const object = /** @type {any} */ ({ ...source, sums: kept, etag: '' })
    const evidence = judgeSource(object, [{ bytes: source.bytes, sums: known, etag: '' }], false)
    if (evidence?.verdict !== 'different') return { known, proofs: ['source-read'] }
    if (attempt === MOST_READINGS) throw damaged(source, evidence.by)
  }
}

/** @param {KnownSource} source @param {import('../../integrity/source').Evidence['by']} by */
function damaged({ sums, composite }, by) {
  const sum = CRCS.find(each => each === by)
  const expected = sum ? sumText(sum, sums?.[sum]) : composite?.crc32
  const reason = `the source keeps the ${sum ? SUM_WORDS[sum] : 'composite CRC-32'} ${expected}, and what was read has another one`
  return new XferError('INTEGRITY', { reason, expected })
}

module.exports = { damaged, expectedOf, readAgain, MOST_READINGS, NOTHING }
