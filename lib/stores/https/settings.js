'use strict'

/**
 * What is sent to an HTTPS source, and what a resumed job has to be given again. No message has the value of a header: it may be
 * a secret.
 */

const { readFile } = require('node:fs/promises')
const { optionalCaBundle } = require('../../http')
const { XferError } = require('../../errors')
const { digest, isWideSas } = require('./query')

/** @typedef {import('../../types').SideOptions} SideOptions */
/** @typedef {import('./types').HttpsSettings} HttpsSettings */

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
  const { scheme, container, key, query } = /** @type {import('./types').HttpsPlace} */ (place)
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

module.exports = { resolveSide }
