'use strict'

/** Reads an object of one request again: the source for the expected checksum, the copy for the stored one. */

const { crc32OfParts } = require('../../integrity')
const { taskMaker } = require('../../transfer')

/** @typedef {import('./types').End} End */
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
   * @param {{ changed: 'SOURCE_CHANGED' | 'OBJECT_CHANGED', md5?: boolean }} how
   * @returns {Promise<Array<import('../../types').TaskSuccess & { crc32: number }>>}
   */
  async function readRanges({ store, key, versionId }, object, ranges, { changed, md5 = false }) {
    const { explainRead } = require('../../verify')
    const explain = explainRead(store, changed)
    const emit = reading(ranges.map((range, i) => ({ partNumber: i + 1, ...range })))
    const reads = ranges.map(({ start, bytes }) =>
      scheduleOne(bytes, {
        start,
        sign: taskMaker({ source: { store, key, versionId }, object, md5 }),
        explain: error => explain(error),
        emit,
      }),
    )
    // Waits for all, then throws the first failure.
    await Promise.allSettled(reads)
    return /** @type {any} */ (await Promise.all(reads))
  }

  return {
    /**
     * @param {End} end
     * @param {{ etag: string, bytes: number }} object
     * @param {'SOURCE_CHANGED' | 'OBJECT_CHANGED'} changed the error if the object was replaced
     * @returns {Promise<{ crc32: number, md5?: string }>}
     */
    async read(end, object, changed) {
      const [whole] = await readRanges(end, object, [{ start: 0, bytes: object.bytes }], { changed, md5: true })
      return whole
    },

    /**
     * Reads in other pieces than the copy does: a fault that damages the n-th byte of every response then damages other bytes.
     *
     * @param {End} end
     * @param {{ etag: string, bytes: number }} object
     * @returns {Promise<number>} its CRC-32
     * @throws {import('../../types').XferError} SOURCE_CHANGED; the errors of reading
     */
    async readInHalves(end, object) {
      const first = Math.ceil(object.bytes / 2)
      const halves = [
        { start: 0, bytes: first },
        { start: first, bytes: object.bytes - first },
      ].filter(({ bytes }, i) => bytes > 0 || i === 0)
      const outcomes = await readRanges(end, object, halves, { changed: 'SOURCE_CHANGED' })
      return /** @type {number} */ (crc32OfParts(outcomes))
    },
  }
}

module.exports = { createReader }
