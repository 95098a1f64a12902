'use strict'

/**
 * Rewrites a journal that has grown, with only the facts that a later run needs. Otherwise the journal of a job over
 * millions of objects could become larger than the objects.
 */

const { isAt } = require('./file')
const { replaceFile } = require('./folder')

/** More than the journal of a single object needs. */
const LEAST_BYTES = 4 * 1024 ** 2
/** Rewrite only when the file has grown by at least this factor. */
const GROWTH = 4

/**
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 * @typedef {(handle: FileHandle, bytes: number) => Promise<{ handle: FileHandle, bytes: number } | undefined>} Compact
 *   bytes: the size that this process expects; resolves to the new file, opened to append, or to undefined when nothing
 *   was rewritten
 */

/**
 * @param {string} path of the journal
 * @param {() => string} render the facts to keep, as of now
 * @param {{ leastBytes?: number }} [how] leave smaller files alone
 * @returns {Compact}
 */
function createCompaction(path, render, { leastBytes = LEAST_BYTES } = {}) {
  let worthIt = leastBytes

  return async (handle, bytes) => {
    if (bytes < worthIt) return undefined
    const content = render()
    try {
      // Another process wrote to it, considers us dead and owns it now.
      const ours = (await handle.stat()).size === bytes && (await isAt(handle, path))
      if (!ours) {
        worthIt = Number.POSITIVE_INFINITY
        return undefined
      }
      const compacted = { handle: await replaceFile(path, content), bytes: Buffer.byteLength(content) }
      worthIt = Math.max(leastBytes, GROWTH * compacted.bytes)
      return compacted
    } catch {
      // The old file keeps growing while there is room.
      worthIt = 2 * bytes
      return undefined
    }
  }
}

module.exports = { createCompaction }
