'use strict'

/** The headers that a user gives for a source. No message has a value: it may be a secret. */

const { readFile } = require('node:fs/promises')
const { XferError } = require('../../../errors')

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

module.exports = { readHeaders }
