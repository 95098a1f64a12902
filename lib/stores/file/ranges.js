'use strict'

/** Computes the checksums of what a partial file has: a resumed copy believes nothing else. */

const { createSums } = require('../../../actions/copy-range/copy')

const PIECE_BYTES = 4 * 1024 ** 2

/**
 * @param {import('node:fs/promises').FileHandle} handle
 * @param {{ start: number, bytes: number, sums?: import('../../types').Sum[] }} range sums: those to compute; default: the CRC-32
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ bytes: number, sums: import('../../types').Sums } | undefined>} undefined: the file ends before
 */
async function sumRange(handle, { start, bytes, sums: names = ['crc32'] }, signal) {
  const sums = createSums(names.length > 0 ? names : ['crc32'])
  const piece = Buffer.allocUnsafe(Math.min(bytes, PIECE_BYTES))
  for (let at = 0; at < bytes; ) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, bytes - at), start + at)
    if (bytesRead === 0) return undefined
    sums.update(piece.subarray(0, bytesRead))
    at += bytesRead
  }
  return { bytes, sums: sums.digest() }
}

module.exports = { sumRange }
