'use strict'

/** Reads an object of one request again: the source for the expected checksum, the copy for the stored one. */

const { CRCS, hasCrc, judgeSource, keptBy, keptMd5, only } = require('../../integrity')
const { taskMaker } = require('../../transfer')
const { XferError } = require('../../errors')

/** @typedef {import('./types').End} End */
/** @typedef {import('../../types').Sum} Sum */
/** @typedef {import('./types').ScheduleOne} ScheduleOne */
/** @typedef {ReturnType<typeof createReader>} Reader */

/**
 * @param {{ scheduleOne: ScheduleOne, reading?: (parts: import('../../types').Part[]) => (event: any) => void }} how reading:
 *   registers the ranges that are read, and returns the listener for their events
 */
function createReader({ scheduleOne, reading = () => () => {} }) {
  /**
   * @param {End} end
   * @param {{ etag: string, bytes: number }} object
   * @param {Array<{ start: number, bytes: number }>} ranges
   * @param {{ changed: 'SOURCE_CHANGED' | 'OBJECT_CHANGED', sums: Sum[] }} how sums: those to compute
   * @returns {Promise<import('../../types').TaskSuccess[]>}
   */
  async function readRanges({ store, key, versionId }, object, ranges, { changed, sums }) {
    const { explainRead } = require('../../verify')
    const explain = explainRead(store, changed)
    const emit = reading(ranges.map((range, i) => ({ partNumber: i + 1, ...range })))
    const reads = ranges.map(({ start, bytes }) =>
      scheduleOne(bytes, {
        start,
        sign: taskMaker({ source: { store, key, versionId }, object, sums }),
        explain: error => explain(error),
        emit,
      }),
    )
    // Waits for all, then throws the first failure.
    await Promise.allSettled(reads)
    return await Promise.all(reads)
  }

  return {
    /**
     * @param {End} end
     * @param {{ etag: string, bytes: number }} object
     * @param {'SOURCE_CHANGED' | 'OBJECT_CHANGED'} changed the error if the object was replaced
     * @param {readonly Sum[]} sums those to compute besides the MD5
     * @returns {Promise<import('../../types').Sums>} with a CRC
     */
    async read(end, object, changed, sums) {
      const wanted = withCrc([...sums, 'md5'])
      const [whole] = await readRanges(end, object, [{ start: 0, bytes: object.bytes }], { changed, sums: wanted })
      return whole.sums
    },

    /**
     * Reads in other pieces than the copy does: a fault that damages the n-th byte of every response then damages other bytes.
     *
     * @param {End} end
     * @param {{ etag: string, bytes: number }} object
     * @param {readonly Sum[]} sums those to compute
     * @returns {Promise<import('../../types').Sums>} CRCs only
     * @throws {import('../../types').XferError} SOURCE_CHANGED; the errors of reading
     */
    async readInHalves(end, object, sums) {
      const { inHalves } = require('../../verify')
      const how = { changed: /** @type {const} */ ('SOURCE_CHANGED'), sums: withCrc(sums.filter(sum => sum !== 'md5')) }
      const ranges = [{ partNumber: 1, start: 0, bytes: object.bytes }]
      const [whole] = await inHalves(ranges, halves => readRanges(end, object, halves, how))
      return whole.sums
    },
  }
}

/** @param {readonly Sum[]} sums @returns {Sum[]} with a CRC, to compare readings by */
function withCrc(sums) {
  return CRCS.some(sum => sums.includes(sum)) ? [...new Set(sums)] : ['crc32', ...new Set(sums)]
}

/** @typedef {import('./types').KnownSource} KnownSource */
/** @typedef {import('./types').Order} Order */
/** @typedef {import('../../types').Proof} Proof */
/** @typedef {{ known: import('../../types').Sums, proofs: Proof[] }} Expected proofs: of the source, that a reading gave */

/** How often a source is read again while no two readings are equal. */
const MOST_READINGS = 3

/** @type {Expected} */
const NOTHING = { known: {}, proofs: [] }

/**
 * The expected checksum of an object's bytes, before they are written. An object of one request is visible at once, so the
 * function gets the expected checksum and holds the last byte back until the bytes match it.
 * The source's stored checksum. If that is asked for, or nothing else can be compared, the checksum of a first reading.
 *
 * @param {Order} order
 * @param {KnownSource} source
 * @param {object} how
 * @param {Reader} how.reader
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
 * @param {{ reader: Reader, sums?: readonly import('../../types').Sum[] }} how sums: those to compute
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

/** @param {KnownSource} source @param {any} by a checksum of its evidence */
function damaged(source, by) {
  const { words, expected } = keptBy(by, /** @type {any} */ (source))
  const reason = `the source keeps the ${words}, and what was read has another one`
  return new XferError('INTEGRITY', { reason, expected })
}

module.exports = { createReader, damaged, expectedOf, MOST_READINGS, NOTHING, readAgain }
