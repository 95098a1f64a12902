'use strict'

/** One part's two signed requests, made anew for each attempt. */

/** @typedef {import('./types').Part} Part */
/** @typedef {import('./types').DataRequest} DataRequest */
/** @typedef {import('./types').Task} Task */

/**
 * @param {object} copy
 * @param {import('./job').Side} copy.source
 * @param {import('./types').ObjectHead} copy.object
 * @param {(part: Part) => Promise<DataRequest>} [copy.write] only read when absent
 * @param {number} [copy.crc32] of a part that is the whole object, where the source keeps it
 * @param {boolean} copy.md5 whether the write's ETag is to be compared
 * @returns {(part: Part) => Promise<Task>}
 */
function taskMaker({ source, object, write, crc32, md5 }) {
  const { key } = source
  const { etag, bytes: totalBytes } = object
  return async part => {
    const { partNumber, start, bytes } = part
    // No range fits an empty object: it is read whole.
    const range = bytes === 0 ? undefined : { start, end: start + bytes - 1 }
    const read = await source.store.readRequest({ key, etag, range })
    const expect = { etag, totalBytes, ...(crc32 !== undefined && { crc32 }) }
    const task = { partNumber, bytes, read, ...(write && { write: await write(part) }), expect }
    return md5 ? { ...task, md5 } : task
  }
}

module.exports = { taskMaker }
