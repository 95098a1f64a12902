'use strict'

/** What the bytes of an object of one request must be, before they are written; and how it, or its copy, is read again. */

const { AGAIN } = require('../async')
const { XferError } = require('../errors')
const { CRCS, hasCrc, judgeSource, keptBy, keptMd5, only } = require('../integrity')

/** @typedef {import('./small').OrderEnd} OrderEnd */
/** @typedef {import('./small').KnownSource} KnownSource */
/** @typedef {import('./small').Order} Order */
/** @typedef {import('./small').Reader} Reader */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {{ known: import('../types').Sums, proofs: Proof[] }} Expected proofs: of the source, that a reading gave */

/** @type {Expected} */
const NOTHING = { known: {}, proofs: [] }

/**
 * Reads an object of one request again: the source for the expected checksum, the copy for the stored one.
 *
 * @param {Reader} reader
 * @param {OrderEnd} end
 * @param {{ etag: string, bytes: number }} object
 * @param {'SOURCE_CHANGED' | 'OBJECT_CHANGED'} changed the error if the object was replaced
 * @param {readonly Sum[]} sums those to compute besides the MD5
 * @returns {Promise<import('../types').Sums>} with a CRC
 */
async function readWhole(reader, end, object, changed, sums) {
  const ranges = [{ partNumber: 1, start: 0, bytes: object.bytes }]
  const [whole] = await readAs(reader, end, object, ranges, { changed, sums: withCrc([...sums, 'md5']) })
  return whole.sums
}

/**
 * Reads in other pieces than the copy does: a fault that damages the n-th byte of every response then damages other bytes.
 *
 * @param {Reader} reader
 * @param {OrderEnd} end
 * @param {{ etag: string, bytes: number }} object
 * @param {readonly Sum[]} sums those to compute
 * @returns {Promise<import('../types').Sums>} CRCs only
 * @throws {XferError} SOURCE_CHANGED; the errors of reading
 */
async function readInHalves(reader, end, object, sums) {
  const { inHalves } = require('../verify')
  const how = { changed: /** @type {const} */ ('SOURCE_CHANGED'), sums: withCrc(sums.filter(sum => sum !== 'md5')) }
  const ranges = [{ partNumber: 1, start: 0, bytes: object.bytes }]
  const [whole] = await inHalves(ranges, halves => readAs(reader, end, object, halves, how))
  return whole.sums
}

/** @param {Reader} reader @param {OrderEnd} end @param {{ etag: string, bytes: number }} object @param {import('../types').Part[]} ranges @param {{ changed: 'SOURCE_CHANGED' | 'OBJECT_CHANGED', sums: Sum[] }} how */
async function readAs(reader, { store, key, versionId }, object, ranges, how) {
  const objects = [{ store, key, versionId, object }]
  const { readRanges } = require('../verify')
  const [read] = await readRanges(reader, { ...how, objects, ranges, emit: reader.reading(ranges) })
  return read
}

/** @param {readonly Sum[]} sums @returns {Sum[]} with a CRC, to compare readings by */
function withCrc(sums) {
  return [...new Set(CRCS.some(sum => sums.includes(sum)) ? sums : [/** @type {const} */ ('crc32'), ...sums])]
}

/**
 * The expected checksum of an object's bytes, before they are written. An object of one request is visible at once, so the
 * function gets the expected checksum and holds the last byte back until the bytes match it.
 * The source's stored checksum. If that is asked for, or nothing else can be compared, the checksum of a first reading.
 *
 * @param {Order} order
 * @param {KnownSource} source
 * @param {object} how
 * @param {Reader} [how.reader] absent: no byte passes an engine, so nothing is expected
 * @param {import('../job/open').Job['settings']} how.settings
 * @param {boolean} how.single whether it is the only object, so that another reading is affordable
 * @returns {Promise<Expected>}
 */
async function expectedOf(order, source, { reader, settings, single }) {
  if (!reader || !settings.proved || source.bytes === 0) return NOTHING
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
 * @param {{ reader: Reader, sums?: readonly import('../types').Sum[] }} how sums: those to compute
 * @returns {Promise<Expected>}
 * @throws {XferError} INTEGRITY if the source has a composite checksum of its one part, and no reading matches it
 */
async function readAgain(order, source, { reader, sums = [] }) {
  for (let attempt = 0; ; attempt++) {
    const known = await readInHalves(reader, order.from, source, sums)
    const { md5, ...kept } = source.sums ?? {}
    const object = /** @type {any} */ ({ ...source, sums: kept, etag: '' })
    const evidence = judgeSource(object, [{ bytes: source.bytes, sums: known, etag: '' }], false)
    if (evidence?.verdict !== 'different') return { known, proofs: ['source-read'] }
    if (attempt === AGAIN.DOUBTFUL_SOURCE) throw damaged(source, evidence.by)
  }
}

/** @param {KnownSource} source @param {any} by a checksum of its evidence */
function damaged(source, by) {
  const { words, expected } = keptBy(by, /** @type {any} */ (source))
  const reason = `the source keeps the ${words}, and what was read has another one`
  return new XferError('INTEGRITY', { reason, expected })
}

module.exports = { damaged, expectedOf, readAgain, readWhole }
