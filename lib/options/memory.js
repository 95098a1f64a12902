'use strict'

/** How many bytes of objects this process may hold at a time: `--memory`. */

const os = require('node:os')

const MiB = 1024 ** 2
/** The share of what there is. */
const SHARE = 1 / 4
/** More has never helped. */
const MOST_BYTES = 512 * MiB
/** As of the option: two parts of a stream, of a size that all stores take. */
const LEAST_BYTES = 32 * MiB

/**
 * What is held where nobody chose. Pure.
 *
 * @param {{ totalBytes: number, allowedBytes?: number }} machine allowedBytes: by its cgroup; 0 or absent: unknown, or no limit
 */
function usualMemory({ totalBytes, allowedBytes = 0 }) {
  const bytes = allowedBytes > 0 ? Math.min(totalBytes, allowedBytes) : totalBytes
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.floor((SHARE * bytes) / MiB) * MiB))
}

/** Asked for once: files of the system are read for it. @type {number | undefined} */
let usual

/** @param {number | undefined} chosen the value of `--memory` @returns {number} bytes */
function memoryOf(chosen) {
  if (chosen !== undefined) return chosen
  usual ??= usualMemory({ totalBytes: os.totalmem(), allowedBytes: process.constrainedMemory?.() })
  return usual
}

module.exports = { memoryOf, usualMemory }
