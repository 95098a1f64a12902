'use strict'

/** Reads the body of a request. */

/** @typedef {import('./answers').Refusal} Refusal */

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

module.exports = { announcesMore, readJson }
