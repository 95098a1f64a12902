'use strict'

/**
 * Addresses of HTTPS sources: their syntax, which ones are of the same object, and where a redirect leads. Pure. RFC 9110 sections
 * 4.2 and 15.4, RFC 3986
 */

const { EXIT, XferError } = require('../../errors')
const { isLoopback } = require('../../http')
const { brief } = require('../common')
const { namingDigest } = require('./query')

/** @typedef {import('./types').HttpsPlace} HttpsPlace */

const ADDRESS = /^(https?):\/\/([^/?#\\]*)([^?#]*)(\?[^#]*)?/is
/** What a URL's path and query do not have as it is (RFC 3986 section 3.3), or a `%` that encodes nothing. */
const UNSAFE = /[^\x21-\x7e]|["<>\\^`{|}]|%(?![0-9a-f]{2})/giu
const CONTROL = /\p{Cc}/u

/** Browsers follow twenty. */
const MOST_HOPS = 10
const STATUSES = [301, 302, 303, 307, 308]

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

/**
 * The query names the object too, but for its signature; the journal keeps a digest of it.
 *
 * @param {import('../contract').Place} place
 * @param {Pick<import('./types').HttpsSettings, 'endpoint'>} settings
 * @returns {import('../contract').Identity}
 */
function identify(place, { endpoint }) {
  const url = new URL(endpoint)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const server = isLoopback(url.hostname) ? `loopback:${port}` : url.host
  const named = namingDigest(/** @type {import('./types').HttpsPlace} */ (place).query?.() ?? '')
  return { host: named === undefined ? endpoint : `${endpoint}?${named}`, server, name: endpoint }
}

/** @param {number} status */
function isRedirect(status) {
  return STATUSES.includes(status)
}

/**
 * The address of the next request.
 *
 * @param {string[]} visited the addresses so far: at least one
 * @param {string | undefined} location of the answer
 * @param {Record<string, any>} facts for errors, which have no address
 * @returns {string}
 * @throws {XferError} ADDRESS_REFUSED
 */
function nextAddress(visited, location, facts) {
  const from = new URL(visited[visited.length - 1])
  /** @param {string} reason @param {string} [advice] */
  const refused = (reason, advice) =>
    new XferError('ADDRESS_REFUSED', {
      ...facts,
      exit: EXIT.FAILED,
      endpoint: facts.location,
      reason: `it redirects ${reason}`,
      here: true,
      advice,
    })
  if (location === undefined || !URL.canParse(location, from.href)) throw refused('to no address')
  const to = new URL(location, from.href)
  if (!/^https?:$/.test(to.protocol)) throw refused(`to ${to.protocol}, which is no address of the web`)
  if (to.username !== '' || to.password !== '') throw refused('to an address with a password')
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw refused(
      `from https:// to http://${to.host}, where nothing protects the bytes`,
      'Give the http:// address yourself if you want that.',
    )
  }
  if (isLoopback(to.hostname) && !isLoopback(from.hostname)) {
    throw refused('to this machine', 'Give that address yourself if you want that.')
  }
  // As it was given, because it may be signed; `URL` would resolve its dots.
  const absolute = /^https?:\/\/[^/?#\\]+([^#]*)/is.exec(location)
  const url = to.origin + (absolute ? encoded(absolute[1].replace(/^(?!\/)/, '/')) : to.pathname + to.search)
  if (visited.includes(url)) throw refused('in a circle')
  if (visited.length > MOST_HOPS) throw refused(`more than ${MOST_HOPS} times`)
  return url
}

module.exports = { identify, isRedirect, nextAddress, parse }
