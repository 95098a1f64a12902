'use strict'

/** Reads the body of a request. */

/** @typedef {import('./answers').Refusal} Refusal */

/** The most that is read of a request only to be thrown away: more than the longest body that a worker takes. */
const DISCARDED_BYTES = 8_000_000

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} most bytes
 * @returns {boolean} whether its head announces more than that
 */
function announcesMore({ headers }, most) {
  return Number(headers['content-length'] ?? 0) > most
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} most bytes
 * @returns {Promise<{ value: unknown } | { refusal: Refusal }>} value: of the JSON
 */
async function readJson(request, most) {
  /** @type {Buffer[]} */
  const pieces = []
  let bytes = 0
  try {
    // The answer needs the connection, also if the rest is not read.
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      bytes += piece.length
      if (bytes > most) return { refusal: 'TOO_LARGE' }
      pieces.push(piece)
    }
  } catch {
    return { refusal: 'INCOMPLETE' }
  }
  try {
    return { value: JSON.parse(Buffer.concat(pieces).toString()) }
  } catch {
    return { refusal: 'BAD_REQUEST' }
  }
}

/**
 * Reads what is left of a request, and throws it away.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {number} limitMs
 * @returns {Promise<void>} resolves once it has ended, or is too large or too slow
 */
function discardRest(request, limitMs) {
  if (request.complete || request.destroyed || limitMs === 0) return Promise.resolve()
  return new Promise(resolve => {
    let bytes = 0
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, limitMs)
    request.on('close', end).on('end', end)
    request.on('data', piece => {
      bytes += piece.length
      if (bytes > DISCARDED_BYTES) end()
    })
    request.resume()
  })
}

module.exports = { announcesMore, discardRest, readJson }
