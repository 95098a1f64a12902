'use strict'

/** The body of a write that carries its checksum, as a function sends it: for a few bytes that this program sends itself. */

const { FRAMINGS } = require('../../actions/copy-range/stores')

/**
 * @param {Pick<import('../types').DataRequest, 'framing'>} request
 * @param {Buffer} bytes at least one
 * @param {import('../types').Sums} sums those to send
 * @returns {Buffer | undefined} undefined if the request carries no checksum in its body
 */
function bodyWith({ framing }, bytes, sums) {
  if (framing === undefined) return undefined
  const { write, end } = FRAMINGS[framing.type].frameBody(bytes.length, framing)
  /** @type {Buffer[]} */
  const pieces = []
  write({ write: piece => pieces.push(piece) > 0 }, bytes)
  return Buffer.concat([...pieces, Buffer.from(end(sums))])
}

module.exports = { bodyWith }
