'use strict'

/** Makes the task of a part: two requests, signed anew for each attempt. */

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Transfer} Transfer */
/** @typedef {import('../types').Task} Task */

/**
 * @param {object} copy
 * @param {Pick<import('../job/open').Side, 'store' | 'key' | 'versionId'>} copy.source
 * @param {Pick<import('../types').ObjectHead, 'etag' | 'bytes'>} copy.object
 * @param {(part: Part) => Promise<Transfer>} [copy.write] absent: the bytes are only read and counted
 * @param {import('../types').Sums} [copy.known] checksums that the source keeps, for a part that is the whole object
 * @param {import('../types').Sum[]} copy.sums those to compute
 * @param {boolean} [copy.tell] whether the headers of the answers are needed
 * @returns {(part: Part) => Promise<Task>}
 */
function taskMaker({ source, object, write, known, sums, tell = false }) {
  const { key, versionId } = source
  const { etag, bytes: totalBytes } = object
  return async part => {
    const { partNumber, start, bytes } = part
    // An empty object has no valid range: it is read without one.
    const range = bytes === 0 ? undefined : { start, end: start + bytes - 1 }
    const { request: read, totalBytes: told } = await source.store.read({ key, etag, range, versionId })
    const expect = { etag, totalBytes: told ?? totalBytes, ...(known && { sums: known }) }
    const { request, tag } = (await write?.(part)) ?? {}
    const task = { partNumber, bytes, read, ...(request && { write: request, tag }), sums, expect }
    return { ...task, ...(tell && { tell }) }
  }
}

/**
 * Makes the tasks of a copy by the store itself.
 *
 * @param {object} copy
 * @param {import('../types').CopySource} copy.from
 * @param {number} copy.totalBytes of the source
 * @param {string} copy.key
 * @param {string} copy.uploadId
 * @returns {(part: Part) => Promise<Task>}
 */
function copyTaskMaker({ from, totalBytes, key, uploadId }) {
  return async ({ partNumber, start, bytes }) => {
    // Stores do not copy a range of a small object, and an empty object has none.
    const range = bytes < totalBytes && { range: { start, end: start + bytes - 1 } }
    const part = { from, key, uploadId, partNumber, ...range }
    return /** @type {any} */ ({ partNumber, bytes, copy: { part } })
  }
}

module.exports = { copyTaskMaker, taskMaker }
