'use strict'

/**
 * Addresses of HTTPS sources, their syntax and which ones are of the same object; what is sent to them, and what a resumed job has
 * to be given again. No message has the value of a header: it may be a secret. RFC 9110 sections 4.2 and 15.4, RFC 3986
 */

const { createHash } = require('node:crypto')
const { readFile } = require('node:fs/promises')
const { XferError } = require('../../errors')
const { isLoopback, optionalCaBundle } = require('../../http')
const { brief } = require('../common')
const { isWideSas } = require('./answers')

/** @typedef {import('../../types').SideOptions} SideOptions */
/**
 * @typedef {import('../contract').Place & { scheme: 'https' | 'http', query(): string }} HttpsPlace container: the host, with a port that is
 *   not the usual one; key: the path without its first slash, percent-encoded; query: with its question mark, or an empty text: a secret
 *
 * @typedef {import('../contract').StoreSettings & HttpsOwnSettings} HttpsSettings
 *
 * @typedef {object} HttpsOwnSettings secrets are behind functions, which are never printed, journaled or sent
 * @property {string} endpoint the origin
 * @property {() => string} url the whole address: a secret, because of its query
 * @property {() => Record<string, string>} headers what the user sends to this origin, names in lower case: secrets
 * @property {{ name: string, advice: string }} [secret] why functions may not have the address; absent: they may
 */

const ADDRESS = /^(https?):\/\/([^/?#\\]*)([^?#]*)(\?[^#]*)?/is
/** What a URL's path and query do not have as it is (RFC 3986 section 3.3), or a `%` that encodes nothing. */
const UNSAFE = /[^\x21-\x7e]|["<>\\^`{|}]|%(?![0-9a-f]{2})/giu
const CONTROL = /\p{Cc}/u

/**
 * Parses an address. Its path is sent as it was typed, `./` and `../` too, because it may be signed. A fragment is left out.
 *
 * @param {string} text
 * @param {{ refuse: import('../contract').RefusePlace }} how
 * @returns {HttpsPlace} key is '' if there is no path
 * @throws {XferError} BAD_LOCATION; it never has the query or the user info
 */
function parse(text, { refuse }) {
  const [, scheme = 'https', authority = '', path = '', query = ''] = ADDRESS.exec(text) ?? []
  const shown = authority.includes('@') || !isHost(authority) ? '…' : `${authority}${brief(path)}`
  /** @param {string} reason */
  const bad = reason => refuse(reason, `${scheme.toLowerCase()}://${shown.replace(/\p{Cc}/gu, '…')}`)
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
 * @param {Pick<HttpsSettings, 'endpoint'>} settings
 * @returns {import('../contract').Identity}
 */
function identify(place, { endpoint }) {
  const url = new URL(endpoint)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const server = isLoopback(url.hostname) ? `loopback:${port}` : url.host
  const named = namingDigest(/** @type {HttpsPlace} */ (place).query?.() ?? '')
  return { host: named === undefined ? endpoint : `${endpoint}?${named}`, server, name: endpoint }
}

/** Parameters that differ between two signatures of one object, in lower case. */
const SIGNATURE = /^(?:x-(?:amz|goog|oss|cos|obs)-.*|q-.*)$/
const OF_SIGNATURE = new Set([
  ...['signature', 'expires', 'awsaccesskeyid', 'googleaccessid', 'ossaccesskeyid', 'key-pair-id', 'policy'],
  // A shared access signature: https://learn.microsoft.com/rest/api/storageservices/create-service-sas
  ...['sig', 'se', 'st', 'sp', 'sv', 'sr', 'sip', 'spr', 'si', 'ss', 'srt', 'ses', 'sdd'],
  ...['skoid', 'sktid', 'skt', 'ske', 'sks', 'skv', 'saoid', 'suoid', 'scid'],
  ...['token', 'access_token', 'hdnea', 'hdnts', '__gda__', 'hmac', 'jwt'],
])

/**
 * A digest of what names the object: two signed addresses of one object have the same.
 *
 * @param {string} query with its question mark, or ''
 * @returns {string | undefined} undefined if nothing of it does
 */
function namingDigest(query) {
  const named = query
    .slice(1)
    .split('&')
    .filter(pair => pair !== '' && !isOfSignature(pair))
  return named.length === 0 ? undefined : digest(named.join('&'))
}

/** @param {string} text @returns {string} */
function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** @param {string} pair */
function isOfSignature(pair) {
  const name = pair.replace(/=.*$/s, '').toLowerCase()
  return SIGNATURE.test(name) || OF_SIGNATURE.has(name)
}

/** RFC 9110 section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** RFC 9110 section 5.5. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** What xfer sends itself, or what frames a message. */
const OWN = new Set([
  ...['host', 'range', 'if-match', 'if-none-match', 'if-range', 'if-modified-since', 'if-unmodified-since'],
  ...['accept-encoding', 'content-length', 'transfer-encoding', 'content-encoding', 'connection', 'keep-alive'],
  ...['expect', 'te', 'trailer', 'upgrade', 'proxy-connection', 'proxy-authorization'],
])

/**
 * @param {import('../contract').Place} place
 * @param {'source' | 'destination'} side
 * @param {SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<HttpsSettings>}
 * @throws {XferError} USAGE
 */
async function resolveSide(place, side, options, env) {
  const { scheme, container, key, query } = /** @type {HttpsPlace} */ (place)
  const endpoint = `${scheme}://${container}`
  const url = `${endpoint}/${key}${query()}`
  checkGivenAgain(options, query())
  const headers = await readHeaders(options.header)
  const names = Object.keys(headers).join(', ')
  const secret = secretOf(url, names !== '')
  return {
    side,
    endpoint,
    url: () => url,
    headers: () => headers,
    ...(secret && { secret }),
    ca: await optionalCaBundle(options.caBundle, env),
    keep: {
      headerNames: names === '' ? undefined : names,
      queryDigest: query() === '' ? undefined : digest(query()),
    },
  }
}

/**
 * The journal of a job has no secrets.
 *
 * @param {SideOptions} options those that the journal kept, and those that are given now
 * @param {string} query
 * @throws {XferError} USAGE
 */
function checkGivenAgain({ header, headerNames, queryDigest }, query) {
  const repeat = 'Repeat the command of the copy with it: that goes on with the job.'
  if (queryDigest !== undefined && query === '') {
    const text = "The address of the job's source has a query, which may be a secret, so the journal does not have it."
    throw new XferError('USAGE', { text, advice: repeat })
  }
  if (headerNames !== undefined && header === undefined) {
    const text = `The job began with --source-header (${headerNames}), whose values the journal does not have.`
    throw new XferError('USAGE', { text, advice: 'Give it again to xfer resume.' })
  }
}

/** @param {string} url @param {boolean} sendsHeaders @returns {HttpsSettings['secret']} */
function secretOf(url, sendsHeaders) {
  const advice = 'Use --engine local.'
  if (sendsHeaders) return { name: 'secret (--source-header)', advice }
  if (!isWideSas(url)) return undefined
  return { name: 'SAS of more than one blob', advice: `Make a SAS of this blob alone. ${advice}` }
}

/**
 * @param {Record<string, string> | string[] | undefined} given a text of an array is `Name: value`, or `@FILE` of such lines
 * @returns {Promise<Record<string, string>>} names in lower case
 * @throws {XferError} USAGE
 */
async function readHeaders(given = {}) {
  /** @type {Record<string, string>} */
  const headers = {}
  const pairs = Array.isArray(given)
    ? (await Promise.all(given.map(linesOf))).flat().map(pairOf)
    : Object.entries(given)
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase()
    if (!NAME.test(name)) throw bad('--source-header has a name that no header can have')
    if (OWN.has(lower)) throw bad(`--source-header cannot set ${name}, which xfer sends itself`)
    if (!VALUE.test(value)) throw bad(`The value of ${name} in --source-header has characters that no header can have`)
    if (Object.hasOwn(headers, lower)) throw bad(`--source-header has ${name} twice`)
    headers[lower] = value
  }
  return headers
}

/** @param {string} text @returns {Promise<string[]>} */
async function linesOf(text) {
  if (!text.startsWith('@')) return [text]
  const path = text.slice(1)
  const lines = await readFile(path, 'utf8').catch(cause => {
    throw bad(`The file ${path} of --source-header cannot be read (${cause.code})`, cause)
  })
  return lines.split(/\r?\n/).filter(line => line.trim() !== '' && !line.startsWith('#'))
}

/** @param {string} line @returns {[name: string, value: string]} */
function pairOf(line) {
  const at = line.indexOf(':')
  if (at < 1) throw bad('--source-header is no NAME:VALUE')
  // UTF-8, a character a byte, as Node.js sends it.
  return [line.slice(0, at).trim(), Buffer.from(line.slice(at + 1).trim()).toString('latin1')]
}

/** @param {string} text @param {unknown} [cause] */
function bad(text, cause) {
  const advice =
    "Give it as --source-header 'Authorization: Bearer …', or a file of such lines as --source-header @FILE."
  return new XferError('USAGE', { text: `${text}.`, advice }, { cause })
}

module.exports = { encoded, identify, parse, resolveSide }
