'use strict'

/** Splits one object into parts. Pure arithmetic on sizes and a store's limits. */

const { XferError } = require('../../errors')
const { notice } = require('../../notices')

const MiB = 1024 ** 2

/**
 * Every byte is in one part, the parts are in order, all but the last have `partBytes`, and neither their sizes nor
 * their number is outside the destination's limits. An object that fits into one part goes in one PUT if
 * `wholePut` allows it; an empty object always does.
 *
 * @param {{ bytes: number, chunkBytes: number, limits: import('../../types').PartLimits, wholePut: boolean }} object
 * @returns {import('../../types').Plan}
 * @throws {XferError} TOO_LARGE
 */
function planObject({ bytes, chunkBytes, limits, wholePut }) {
  const most = limits.maxParts * limits.maxBytes
  if (bytes > most) throw new XferError('TOO_LARGE', { bytes, most })
  /** @type {import('../../types').Notice[]} */
  const notices = []
  let partBytes = chunkBytes
  if (partBytes < limits.minBytes) {
    partBytes = limits.minBytes
    notices.push(notice('CHUNK_CHANGED', { partBytes, bound: 'smallest' }))
  }
  if (partBytes > limits.maxBytes) {
    partBytes = limits.maxBytes
    notices.push(notice('CHUNK_CHANGED', { partBytes, bound: 'largest' }))
  }
  const wanted = Math.ceil(bytes / partBytes)
  if (wanted > limits.maxParts) {
    const least = Math.ceil(bytes / limits.maxParts)
    partBytes = Math.min(limits.maxBytes, Math.ceil(least / MiB) * MiB)
    notices.push(notice('CHUNK_CHANGED', { partBytes, parts: wanted, maxParts: limits.maxParts }))
  }
  const whole = bytes === 0 || (wholePut && bytes <= partBytes)
  return { route: whole ? 'put' : 'multipart', bytes, partBytes, parts: split(bytes, partBytes), notices }
}

/** @param {number} bytes @param {number} partBytes @returns {import('../../types').Part[]} one part, of 0 bytes, for an empty object */
function split(bytes, partBytes) {
  const count = Math.max(1, Math.ceil(bytes / partBytes))
  return Array.from({ length: count }, (_, index) => {
    const start = index * partBytes
    return { partNumber: index + 1, start, bytes: Math.min(partBytes, bytes - start) }
  })
}

module.exports = { planObject }
