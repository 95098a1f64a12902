'use strict'

/** Reads an object of one request again: the source for the expected checksum, the copy for the stored one. */

const { CRCS, sumsOfParts } = require('../../integrity')
const { taskMaker } = require('../../transfer')

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
      const first = Math.ceil(object.bytes / 2)
      const halves = [
        { start: 0, bytes: first },
        { start: first, bytes: object.bytes - first },
      ].filter(({ bytes }, i) => bytes > 0 || i === 0)
      const wanted = withCrc(sums.filter(sum => sum !== 'md5'))
      return sumsOfParts(await readRanges(end, object, halves, { changed: 'SOURCE_CHANGED', sums: wanted }))
    },
  }
}

/** @param {readonly Sum[]} sums @returns {Sum[]} with a CRC, to compare readings by */
function withCrc(sums) {
  return CRCS.some(sum => sums.includes(sum)) ? [...new Set(sums)] : ['crc32', ...new Set(sums)]
}

module.exports = { createReader }
