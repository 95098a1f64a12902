'use strict'

/** The body of a write that carries its checksum, as a function sends it: for a few bytes that this program sends itself. */

const { ASSUMED_FRAMING, FRAMINGS } = require('../../actions/copy-range/stores')

/**
 * @param {Pick<import('../types').DataRequest, 'trailer' | 'framing'>} request
 * @param {Buffer} bytes at least one
 * @param {number} crc32 the one to send, an unsigned 32-bit integer
 * @returns {Buffer | undefined} undefined if the request carries no checksum in its body
 */
function bodyWith({ trailer: name, framing }, bytes, crc32) {
  if (name === undefined && framing === undefined) return undefined
  const { type, trailer } = framing ?? ASSUMED_FRAMING
  const { write, end } = FRAMINGS[type].frameBody(bytes.length, trailer)
  /** @type {Buffer[]} */
  const pieces = []
  write({ write: piece => pieces.push(piece) > 0 }, bytes)
  return Buffer.concat([...pieces, Buffer.from(end(crc32))])
}

module.exports = { bodyWith }
