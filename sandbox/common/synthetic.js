'use strict'

const crypto = require('node:crypto')
const { ALGORITHMS, combineParts } = require('./checksums')

/**
 * Synthetic bytes, generated while they are read, so that an object of 100 GiB needs no disk: one pseudo-random buffer that
 * is repeated. The value of a byte depends only on its offset, so ranges are consistent. The buffer's length is a prime, so
 * that no two parts of a usual size have the same bytes.
 */

const PERIOD = 4_194_301
/** This many bytes are available in one piece from any offset. */
const PIECE_BYTES = 512 * 1024

/** @type {Buffer | undefined} */
let buffer

function theBuffer() {
  if (buffer) return buffer
  // A cipher over zeros is the fastest source of bytes that look random and are the same on every machine.
  const cipher = crypto.createCipheriv('aes-128-ctr', Buffer.alloc(16, 'xfer'), Buffer.alloc(16))
  const once = cipher.update(Buffer.alloc(PERIOD))
  buffer = Buffer.concat([once, once.subarray(0, PIECE_BYTES)])
  return buffer
}

/** The offset in the buffer at which an object starts, so that objects with different names differ. @param {string} name */
function phaseOf(name) {
  return crypto.createHash('sha256').update(name).digest().readUInt32BE(0) % PERIOD
}

/** The offset in the buffer at which a range of an object starts. @param {number} phase of the object @param {number} offset */
function phaseAt(phase, offset) {
  return (phase + offset) % PERIOD
}

/**
 * @param {number} phase
 * @param {number} offset of the object
 * @param {number} length
 * @returns {Buffer} that many bytes, or fewer at the end of the buffer; callers must not change them
 */
function syntheticPiece(phase, offset, length) {
  const at = phaseAt(phase, offset)
  return theBuffer().subarray(at, at + Math.min(length, PIECE_BYTES))
}

/**
 * Computes the CRC-32 of a synthetic object, without generating it, by combining the buffer's own.
 *
 * @param {number} phase
 * @param {number} size
 * @returns {string} base64
 */
function syntheticCrc32(phase, size) {
  const bytes = theBuffer()
  const turn = crcOf(bytes.subarray(phase, PERIOD), bytes.subarray(0, phase))
  let [whole, wholeBytes] = [crcOf(), 0]
  let [doubled, doubledBytes] = [turn, PERIOD]
  for (let turns = Math.floor(size / PERIOD); turns > 0; turns = Math.floor(turns / 2)) {
    if (turns % 2 === 1) {
      whole = joined(whole, wholeBytes, doubled, doubledBytes)
      wholeBytes += doubledBytes
    }
    doubled = joined(doubled, doubledBytes, doubled, doubledBytes)
    doubledBytes *= 2
  }
  const rest = size % PERIOD
  const restCrc = crcOf(
    bytes.subarray(phase, Math.min(phase + rest, PERIOD)),
    bytes.subarray(0, Math.max(0, phase + rest - PERIOD)),
  )
  return joined(whole, wholeBytes, restCrc, rest)
}

/** @param {Buffer[]} pieces @returns {string} base64 */
function crcOf(...pieces) {
  const hasher = ALGORITHMS.CRC32.create()
  for (const piece of pieces) hasher.update(piece)
  return hasher.digest().toString('base64')
}

/** @param {string} a @param {number} aBytes @param {string} b @param {number} bBytes */
function joined(a, aBytes, b, bBytes) {
  return combineParts('CRC32', 'FULL_OBJECT', [
    { bytes: aBytes, value: a },
    { bytes: bBytes, value: b },
  ])
}

module.exports = { phaseAt, phaseOf, syntheticPiece, syntheticCrc32 }
