'use strict'

/** Reads the attributes that the user sets for a copy, and checks that headers can hold them. Stores add what only they have. */

const { isDate } = require('node:util').types
const { XferError } = require('../errors')
const { STORES } = require('../stores')
const { readerOf } = require('./read')

/** @typedef {import('../types').AttributeOptions} AttributeOptions */
/** @typedef {import('../types').AttributeWish} AttributeWish */

/** The option, its name here, and the header. */
const HEADERS = /** @type {const} */ ([
  ['--content-type', 'contentType', 'content-type'],
  ['--cache-control', 'cacheControl', 'cache-control'],
  ['--content-encoding', 'contentEncoding', 'content-encoding'],
  ['--content-language', 'contentLanguage', 'content-language'],
  ['--content-disposition', 'contentDisposition', 'content-disposition'],
])

/** The characters of a header's name (RFC 9110 section 5.6.2), as stores allow them in names of user metadata. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/
/** The form of a storage class. Stores have classes of their own. */
const STORAGE_CLASS = /^[\w.-]{1,128}$/
/** A date of HTTP (RFC 9110 section 5.6.7, the preferred form). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/
/** An ISO date. Without a time it is the first second of the day in UTC. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/**
 * @param {AttributeOptions} options
 * @returns {AttributeWish}
 * @throws {XferError} USAGE
 */
function readAttributes(options) {
  const { storageClass = 'copy', mtime = false } = options
  const read = readerOf('copy', options)
  const given = HEADERS.filter(([, name]) => options[name] !== undefined)
  const headers = given.map(([option, name, header]) => [header, headerBytes(option, options[name])])
  if (options.expires !== undefined) headers.push(['expires', expiresOf(options.expires)])
  if (storageClass !== 'copy' && !STORAGE_CLASS.test(storageClass)) {
    throw usage(`--storage-class "${storageClass}" cannot be the name of a storage class.`, 'Give it as STANDARD_IA.')
  }
  const ofStores = STORES.map(({ readAttributes }) => readAttributes?.(options, read))
  return {
    metadata: read('metadata'),
    given: { headers: Object.fromEntries(headers), user: readUser(options.metadataSet) },
    tags: read('tags'),
    storageClass: storageClass === 'copy' ? { copy: true } : { name: storageClass },
    mtime: mtime === true,
    ...Object.assign({}, ...ofStores),
  }
}

/** @param {AttributeOptions['metadataSet']} given @returns {Record<string, string>} names in lower case */
function readUser(given = []) {
  const pairs = Array.isArray(given) ? given.map(pairOf) : Object.entries(given)
  const entries = pairs.map(([name, value]) => {
    if (!NAME.test(name)) {
      throw usage(
        `--metadata-set "${name}" is not a name that an object's metadata can have.`,
        'Give it as color=blue: letters, digits and dashes before the sign.',
      )
    }
    return [name.toLowerCase(), headerBytes(`--metadata-set ${name}`, value)]
  })
  return Object.fromEntries(entries)
}

/** @param {string} text @returns {[name: string, value: string]} */
function pairOf(text) {
  const at = text.indexOf('=')
  if (at < 0) throw usage(`--metadata-set "${text}" has no value.`, 'Give it as color=blue.')
  return [text.slice(0, at), text.slice(at + 1)]
}

/**
 * @param {string} option
 * @param {unknown} value
 * @returns {string} one character for each byte, as Node.js writes headers
 */
function headerBytes(option, value) {
  // HTTP would drop blanks at the ends of a value.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: headers cannot hold them
  const fits = typeof value === 'string' && !/[\u0000-\u001f\u007f]/.test(value) && value === value.trim()
  const empty = value === '' && !option.startsWith('--metadata-set')
  if (!fits || empty) {
    const why = empty
      ? 'is empty'
      : 'holds a line end or another character that no header can hold, or begins or ends with a blank'
    throw usage(`The value of ${option} ${why}.`, 'Give it without.')
  }
  return Buffer.from(value).toString('latin1')
}

/** @param {string} text @returns {string} as HTTP writes it */
function expiresOf(text) {
  const at = HTTP_DATE.test(text) || ISO_DATE.test(text) ? new Date(text) : undefined
  if (at && !Number.isNaN(at.getTime())) return at.toUTCString()
  if (isDate(text)) throw usage('--expires is a Date, not a string.', 'Give its text, date.toISOString().')
  throw usage(
    `--expires "${text}" is not a date.`,
    'Give it as 2027-01-31, 2027-01-31T08:00:00Z or Sun, 31 Jan 2027 08:00:00 GMT.',
  )
}

/** @param {string} text @param {string} advice */
function usage(text, advice) {
  return new XferError('USAGE', { text, advice })
}

module.exports = { readAttributes }
