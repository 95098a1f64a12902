'use strict'

/**
 * What several stores do alike: keys in URLs, conditions, and numbers in answers; attributes of objects in headers, what their lists
 * have besides objects, deletions one by one, and times; what is alike of stores in this process; and what they say in the same
 * words, in messages, with names of containers held against the rules of their store. Pure.
 */

const { eachAtOnce } = require('../../async')
const { XferError, asXferError } = require('../../errors')

/** Percent-encodes all but RFC 3986's unreserved characters, as the canonical form of signatures requires. @param {string} text */
function encode(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Keys that need no encoding. */
const PLAIN_KEY = /^[\w.~/-]*$/

/** A key as the path of a URL: its slashes stay, and so do `.` and `..` segments. @param {string} key */
function encodeKey(key) {
  return PLAIN_KEY.test(key) ? key : key.split('/').map(encode).join('/')
}

/** Of keys, in the stores whose limit is of bytes. */
const MOST_KEY_BYTES = 1024

/** @param {string} key @returns {string | undefined} the reason why it is invalid, to follow "the key" */
function keyFault(key) {
  if (!key.isWellFormed()) return 'is no valid Unicode'
  return Buffer.byteLength(key) > MOST_KEY_BYTES ? 'is longer than 1,024 bytes' : undefined
}

/** Of a write. @param {import('../contract').WriteCondition} [condition] @returns {Record<string, string>} */
function conditionHeaders({ ifNoneMatch, ifMatch } = {}) {
  return { ...(ifNoneMatch && { 'if-none-match': '*' }), ...(ifMatch !== undefined && { 'if-match': ifMatch }) }
}

/** @param {string | undefined} text @returns {number | undefined} undefined if it is missing, or no count */
function readCount(text = '') {
  const count = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(count) ? count : undefined
}

/** @param {string | undefined} text @returns {number | undefined} epoch milliseconds; undefined if it is missing, or no date */
function readTime(text = '') {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** What describes the content in every store. Some keep `expires` too. */
const CONTENT_HEADERS = ['content-type', 'cache-control', 'content-encoding', 'content-language', 'content-disposition']

const KEPT_HEADERS = [...CONTENT_HEADERS, 'expires']

/**
 * @param {Record<string, string>} described headers that describe an object, names in lower case
 * @param {string} prefix of the names of user metadata
 * @returns {import('../contract').ObjectMetadata}
 */
function metadataIn(described, prefix) {
  /** @type {Record<string, string>} */
  const headers = {}
  for (const name of KEPT_HEADERS) if (described[name] !== undefined) headers[name] = described[name]
  const user = []
  for (const name of Object.keys(described)) {
    if (name.startsWith(prefix)) user.push([name.slice(prefix.length), described[name]])
  }
  // A name may be `__proto__`, which an assignment would lose.
  return { headers, user: Object.fromEntries(user) }
}

/**
 * The size of an object whose HEAD does not tell it, as behind a proxy that compresses: that of a read of its first byte.
 *
 * @param {(headers: { range: string }) => Promise<{ headers: Record<string, string> }>} get
 * @returns {Promise<number | undefined>} undefined: that does not tell it either
 */
async function sizeByRange(get) {
  const { headers } = await get({ range: 'bytes=0-0' }).catch(error => {
    // No byte can be read only of an empty object (RFC 9110 section 14.1.2).
    if (error.facts?.status === 416) return { headers: { 'content-length': '0' } }
    // An answer without a range, where that is refused.
    if (error.facts?.status === 200) return { headers: {} }
    throw error
  })
  const { 'content-range': range = '', 'content-length': length } = /** @type {Record<string, string>} */ (headers)
  // Some servers send an empty object whole.
  return length === '0' ? 0 : readCount(/\/(\d+)$/.exec(range)?.[1])
}

/** @param {Record<string, string>} user @param {string} prefix @param {(value: string) => string} [write] @returns {Record<string, string>} headers */
function userHeaders(user, prefix, write = value => value) {
  return Object.fromEntries(Object.entries(user).map(([name, value]) => [prefix + name, write(value)]))
}

/** @param {Array<[key: string, value: string]>} tags @returns {string} as a query */
function tagQuery(tags) {
  return tags.map(pair => pair.map(encodeURIComponent).join('=')).join('&')
}

/**
 * One page of a list of containers.
 *
 * @param {Array<[name: string | undefined, created: string | undefined]>} entries
 * @param {{ next: string | undefined, marker: string | undefined }} at next: of the answer, may be empty; marker: of the request
 * @param {Record<string, any>} facts of the store
 * @throws {XferError} BAD_ANSWER
 */
function containersOf(entries, { next, marker }, facts) {
  const { container } = facts.terms
  /** @param {string} reason */
  const wrong = reason => new XferError('BAD_ANSWER', { ...facts, reason })
  if (next && next === marker) throw wrong(`it continues a list of ${container}s where it began`)
  const containers = entries.map(([name, created]) => {
    if (!name) throw wrong(`it lists a ${container} without its name`)
    return { name, createdMs: readTime(created) }
  })
  return { containers, ...(next && { next }) }
}

/**
 * The folders of a list that was asked for one level.
 *
 * @param {string[]} folders
 * @param {{ prefix: string, delimiter?: string }} asked
 * @param {(reason: string) => import('../../types').XferError} wrong
 * @returns {{ prefixes?: string[] }} of a page
 */
function foldersOf(folders, { prefix, delimiter }, wrong) {
  if (folders.length === 0) return {}
  if (delimiter === undefined) throw wrong('it lists folders, and was asked for all that is in them')
  const strange = folders.find(
    folder => folder.length <= prefix.length || !folder.startsWith(prefix) || !folder.endsWith(delimiter),
  )
  if (strange !== undefined) throw wrong(`it lists the folder ${quoted(strange)} below ${quoted(prefix)}`)
  return { prefixes: folders }
}

/** How many requests run at the same time. */
const AT_ONCE = 16

/**
 * Deletes objects one by one, a few at a time.
 *
 * @param {string[]} keys
 * @param {(key: string) => Promise<void>} remove
 * @param {AbortSignal} [signal]
 * @returns {ReturnType<import('../contract').Store['removeAll']>} rejects with a failure that is worth another attempt
 */
async function removeEach(keys, remove, signal) {
  /** @type {Awaited<ReturnType<import('../contract').Store['removeAll']>>} */
  const refused = []
  await eachAtOnce(keys, AT_ONCE, async key => {
    signal?.throwIfAborted()
    await remove(key).catch(cause => {
      const { code, message, retryable, throttled } = asXferError(cause)
      if (retryable || throttled || signal?.aborted) throw cause
      refused.push({ key, code, message })
    })
  })
  return refused
}

/**
 * How programs note in user metadata when the file was last modified that an object was made of. Between conventions it is
 * seconds since the epoch, a decimal number as text, so that no digit is lost.
 */
const SECONDS = /^(-?)(\d{1,11})(?:\.(\d{1,9})\d*)?$/
const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
const NANO = 1_000_000_000n

/** @typedef {import('../contract').MtimeConvention} MtimeConvention */

/** `mtime`, in seconds: what a store without a convention of its own has. @type {MtimeConvention} */
const MTIME_IN_SECONDS = {
  names: ['mtime'],
  read: user => secondsIn(user, 'mtime'),
  write: seconds => ({ mtime: seconds }),
}

/** `mtime`, such as `2017-09-24T19:53:52.5Z`: https://rclone.org/azureblob/#modification-times-and-hashes @type {MtimeConvention} */
const MTIME_IN_RFC_3339 = {
  names: ['mtime'],
  read: ({ mtime = '' }) => secondsOfDate(mtime),
  write(seconds) {
    const mtime = dateOfSeconds(seconds)
    return /** @type {Record<string, string>} */ (mtime === undefined ? {} : { mtime })
  },
}

/** @param {Record<string, string>} user @param {string} name @returns {string | undefined} undefined if there are no seconds under that name */
function secondsIn(user, name) {
  const value = Object.hasOwn(user, name) ? user[name] : undefined
  return value !== undefined && SECONDS.test(value) ? value : undefined
}

/** @param {number} ms since the epoch, whole @returns {string} in seconds, without a zero too many */
function secondsOf(ms) {
  return (ms / 1000).toFixed(3).replace(/\.?0+$/, '')
}

/** @param {string} date of RFC 3339 @returns {string | undefined} undefined if it is none */
function secondsOfDate(date) {
  const [, time, fraction = '', zone] = RFC_3339.exec(date) ?? []
  const ms = Date.parse(time + zone)
  if (Number.isNaN(ms)) return undefined
  return secondsOfNanos(BigInt(ms / 1000) * NANO + BigInt(fraction.slice(1).padEnd(9, '0')))
}

/** @param {bigint} nanos since the epoch @returns {string} in seconds */
function secondsOfNanos(nanos) {
  const [sign, size] = nanos < 0n ? ['-', -nanos] : ['', nanos]
  return `${sign}${size / NANO}${fractionOf(size % NANO)}`
}

/** @param {string} seconds @returns {string | undefined} undefined if the year has not four digits */
function dateOfSeconds(seconds) {
  const [, sign, whole, fraction = ''] = SECONDS.exec(seconds) ?? []
  if (whole === undefined) return undefined
  const size = BigInt(whole) * NANO + BigInt(fraction.padEnd(9, '0'))
  const nanos = sign === '-' ? -size : size
  const rest = ((nanos % NANO) + NANO) % NANO
  const time = new Date(Number((nanos - rest) / NANO) * 1000).toISOString().replace('.000Z', '')
  return /^\d{4}-/.test(time) ? `${time}${fractionOf(rest)}Z` : undefined
}

/** @param {bigint} nanos less than a second */
function fractionOf(nanos) {
  return nanos === 0n ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
}

/**
 * Of stores whose bytes a thread of this process moves, by a transport of the embedded engine: what they can, and what an answer of such
 * a transport has to have. It tells nothing that describes the object.
 *
 * @type {import('../contract').Abilities}
 */
const ABILITIES = {
  reach: 'process',
  sumAt: 'none',
  partTag: 'none',
  sums: { stored: [], checked: [], answered: [] },
  keepsMetadata: true,
}

const errorCode = { header: 'x-error' }
const etag = { header: 'etag', required: true }

/** Of a part: what it is written into has no version of its own. @type {Record<'read' | 'write' | 'part', import('../../types').AnswerRule>} */
const RULES = {
  read: { statuses: [200, 206], etag, changed: [412], errorCode },
  write: { statuses: [200], etag, errorCode },
  part: { statuses: [200], errorCode },
}

/** @type {Pick<import('../contract').Store, 'heeds' | 'describingHeaders'>} */
const MEMBERS = { heeds: () => true, describingHeaders: () => ({}) }

/**
 * The words that stores with an address have in common (`StoreTerms` of the contract).
 *
 * @param {'source' | 'destination'} side
 * @param {string | null | undefined} endpointFrom what sets the endpoint, such as an option; null: nothing does; undefined: not known yet
 * @param {{ ways: string, checks: string, usual?: string, unsigned?: boolean }} how ways: to give credentials, a sentence without its end;
 *   checks: what to check if the settings lead to another store than before; usual: what the store is where nothing sets its endpoint;
 *   unsigned: requests are not signed, because the options say so
 */
function termsOfSide(side, endpointFrom, { ways, checks, usual, unsigned = false }) {
  const option = side === 'source' ? '--source' : '--dest'
  const endpoint = `${option}-endpoint-url`
  const unset = endpointFrom === null && usual ? `${endpoint} (not set: the store is ${usual})` : endpoint
  return {
    endpoint,
    endpointInUse: endpointFrom ? `the endpoint (set by ${endpointFrom})` : unset,
    credentialsAdvice: `${ways}${side === 'source' ? ', or read a public object with --source-no-sign-request' : ''}.`,
    settingsAdvice: `Check ${checks}, or give the endpoints with --source-endpoint-url and --dest-endpoint-url.`,
    ...(unsigned && {
      accessAdvice: `The request was not signed, because of ${option}-no-sign-request; leave that out to read with credentials.`,
    }),
  }
}

/** Shortens a text for messages: keys may be long. @param {string} text */
function brief(text) {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** The same in quotes. @param {string} text */
function quoted(text) {
  return JSON.stringify(brief(text))
}

/**
 * A name breaks the rule if it fits `breaks`. says: to follow `the name`; follows: a clause, what comes of it; allowed: the store creates
 * it all the same.
 *
 * @typedef {{ breaks: RegExp, says: string, follows?: string, allowed?: true }} NameRule
 */

/**
 * @param {string} name
 * @param {NameRule[]} rules
 * @param {{ binding?: boolean }} [how] binding: whether the store refuses a name that breaks one
 * @returns {import('../contract').NameFault[]}
 */
function nameFaults(name, rules, { binding = true } = {}) {
  const broken = rules.filter(({ breaks }) => breaks.test(name))
  return broken.map(({ says, follows, allowed }) => ({ says, follows, refused: binding && !allowed }))
}

/** @param {import('../contract').NameFault[]} faults @returns {string} to follow `the name` */
function nameFaultsText(faults) {
  return faults.map(({ says, follows }) => (follows === undefined ? says : `${says} (${follows})`)).join(', and ')
}

/** @param {string} name that its store cannot have @param {NameRule[]} rules @returns {string} the end of the sentence that says so */
function nameAdvice(name, rules) {
  const refused = nameFaults(name, rules).filter(fault => fault.refused)
  return refused.length === 0 ? '' : `: it ${refused.map(({ says }) => says).join(', and ')}`
}

module.exports = {
  brief,
  nameAdvice,
  nameFaults,
  nameFaultsText,
  quoted,
  termsOfSide,
  CONTENT_HEADERS,
  conditionHeaders,
  containersOf,
  encode,
  encodeKey,
  foldersOf,
  keyFault,
  metadataIn,
  readCount,
  readTime,
  removeEach,
  sizeByRange,
  tagQuery,
  userHeaders,
  inProcess: { ABILITIES, MEMBERS, RULES },
  mtime: { MTIME_IN_RFC_3339, MTIME_IN_SECONDS, secondsIn, secondsOf, secondsOfNanos },
}
