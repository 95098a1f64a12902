'use strict'

/**
 * A journal that has grown is written anew, with what counts of it: what became of all that a job has done is of no
 * interest to its next run, and a job over millions of objects would have a file larger than the objects.
 */

const { isAt } = require('./file')
const { replaceFile } = require('./folder')

/** More than the journal of a single object comes to. */
const LEAST_BYTES = 4 * 1024 ** 2
/** The same is not written again for little. */
const GROWTH = 4

/**
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 * @typedef {(handle: FileHandle, bytes: number) => Promise<{ handle: FileHandle, bytes: number } | undefined>} Compact
 *   handle: of the file; bytes: as many as it has by what we know; resolves to the new one, opened to append, or to nothing
 *   where all stays as it is
 */

/**
 * @param {string} path of the journal
 * @param {() => string} render all that counts, as of now
 * @param {{ leastBytes?: number }} [how] smaller than that it is left alone
 * @returns {Compact}
 */
function createCompaction(path, render, { leastBytes = LEAST_BYTES } = {}) {
  let worthIt = leastBytes

  return async (handle, bytes) => {
    if (bytes < worthIt) return undefined
    const content = render()
    try {
      // Whoever else has written to it takes us for dead, and it is his now.
      const ours = (await handle.stat()).size === bytes && (await isAt(handle, path))
      if (!ours) {
        worthIt = Number.POSITIVE_INFINITY
        return undefined
      }
      const compacted = { handle: await replaceFile(path, content), bytes: Buffer.byteLength(content) }
      worthIt = Math.max(leastBytes, GROWTH * compacted.bytes)
      return compacted
    } catch {
      // It goes on growing, as long as there is room.
      worthIt = 2 * bytes
      return undefined
    }
  }
}

module.exports = { createCompaction }
