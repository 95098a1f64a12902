'use strict'

/** Who may call a worker. */

const { createHash, timingSafeEqual } = require('node:crypto')

/** @param {string} text */
const digestOf = text => createHash('sha256').update(text).digest()

/**
 * @param {string | undefined} token undefined: everybody who can connect may call
 * @returns {(request: import('node:http').IncomingMessage) => boolean} whether the request has the token. Digests are compared,
 *   so that the time depends neither on the token nor on its length
 */
function tokenCheck(token) {
  if (token === undefined) return () => true
  const expected = digestOf(token)
  return ({ headers }) => {
    const [, given = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
    return timingSafeEqual(digestOf(given), expected)
  }
}

/**
 * Whether a page in a browser sent the request: browsers say where the page is from. No page may use the worker of the machine
 * that shows it, also if the worker has no token.
 *
 * @param {import('node:http').IncomingMessage} request
 */
function isFromPage({ headers }) {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

module.exports = { isFromPage, tokenCheck }
