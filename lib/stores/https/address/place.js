'use strict'

/** Addresses of HTTPS sources: their syntax. Pure. RFC 9110 section 4.2, RFC 3986 */

const { XferError } = require('../../../errors')

/** @typedef {import('../types').HttpsPlace} HttpsPlace */

const ADDRESS = /^(https?):\/\/([^/?#\\]*)([^?#]*)(\?[^#]*)?/is
/** What a URL's path and query do not have as it is (RFC 3986 section 3.3), or a `%` that encodes nothing. */
const UNSAFE = /[^\x21-\x7e]|["<>\\^`{|}]|%(?![0-9a-f]{2})/giu
const CONTROL = /\p{Cc}/u

/**
 * Parses an address. Its path is sent as it was typed, `./` and `../` too, because it may be signed. A fragment is left out.
 *
 * @param {string} text
 * @param {'source' | 'destination'} side
 * @returns {HttpsPlace} key is '' if there is no path
 * @throws {XferError} BAD_LOCATION; it never has the query or the user info
 */
function parse(text, side) {
  const [, scheme = 'https', authority = '', path = '', query = ''] = ADDRESS.exec(text) ?? []
  const shown = authority.includes('@') || !isHost(authority) ? '…' : `${authority}${brief(path)}`
  /** @param {string} reason */
  const bad = reason => {
    const location = `${scheme.toLowerCase()}://${shown.replace(/\p{Cc}/gu, '…')}`
    return new XferError('BAD_LOCATION', { side, location, reason, forms: 'https://host/path' })
  }
  if (authority.includes('@')) {
    throw bad('a user name or password in it would be seen by others; give --source-header')
  }
  if (!isHost(authority)) throw bad('it names no host')
  if (CONTROL.test(path + query) || !text.isWellFormed()) throw bad('it has characters that no address has')
  const { host, protocol } = new URL(`${scheme}://${authority}`)
  const key = encoded(path.slice(1))
  const given = query === '?' ? '' : encoded(query)
  const name = nameOf(key)
  return {
    scheme: /** @type {'https' | 'http'} */ (protocol.slice(0, -1)),
    container: host,
    key,
    query: () => given,
    ...(name !== undefined && { name }),
  }
}

/** @param {string} authority */
function isHost(authority) {
  return /^[^\s@:]|^\[/.test(authority) && URL.canParse(`https://${authority}`)
}

/** @param {string} text of a path or a query @returns {string} in which what a browser would encode is encoded */
function encoded(text) {
  return text.replace(UNSAFE, encodeURIComponent)
}

/**
 * The name of the copy: the last segment, decoded, unless that could be taken for a path.
 *
 * @param {string} key
 * @returns {string | undefined} undefined: as it is written
 */
function nameOf(key) {
  const segment = key.slice(key.lastIndexOf('/') + 1)
  if (!segment.includes('%')) return undefined
  try {
    const name = decodeURIComponent(segment)
    return /[/\\]|\p{Cc}/u.test(name) || name === '.' || name === '..' ? undefined : name
  } catch {
    return undefined
  }
}

/** Shortens a text for messages. @param {string} text */
function brief(text) {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

module.exports = { encoded, parse }
