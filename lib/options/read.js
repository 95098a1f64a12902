'use strict'

/** Reads the values of options, each as its row of the table says; the attributes that the user sets for a copy; and what `--memory` means. */

const os = require('node:os')
const { XferError, redact, usage } = require('../errors')
const { parseDuration, parseTime, parseCount, parseRate, parseShare, parseSize, readDate } = require('./quantities')
const { MiB } = require('./quantities')
const { OPTIONS, commandsOf, flagOf } = require('./table')
const { isHostRule } = require('../../actions/copy-range/address-guard')
const { STORES } = require('../stores')

/** @typedef {import('./contract').Takes} Takes */
/** @typedef {import('./values').OptionValues} ReadValues */

/**
 * The parsers, by kind of value. Each finds its bounds in what the option takes.
 *
 * @type {Partial<Record<import('./contract').Kind, (value: any, flag: string, takes: Takes, now: () => number) => unknown>>}
 */
const READERS = {
  choice: readChoice,
  count: parseCount,
  share: parseShare,
  size: parseSize,
  rate: parseRate,
  duration: parseDuration,
  date: (value, flag, _, now) => parseTime(value, flag, now()),
  hosts: parseHosts,
}

/** By command and name, because many are read at every call; the first row of a name counts. @type {Map<string, Map<string, import('./contract').OptionSpec>>} */
const ROWS = new Map()
for (const spec of [...OPTIONS].reverse()) {
  for (const command of commandsOf(spec)) {
    const rows = ROWS.get(command) ?? new Map()
    ROWS.set(command, rows.set(spec.name, spec))
  }
}

/**
 * @template {keyof ReadValues} C
 * @param {C} command
 * @param {object} options as the caller of the library gave them
 * @param {{ now?: () => number }} [world] now: epoch milliseconds, from which ages are counted
 * @returns {<N extends keyof ReadValues[C]>(name: N) => ReadValues[C][N]} the value of an option: a count, bytes, bytes per second (undefined: no limit), milliseconds, a
 *   point in time; a word that the option also takes is returned as it is; undefined if nothing was given and there is no default
 */
function readerOf(command, options, { now = Date.now } = {}) {
  const given = /** @type {Record<string, unknown>} */ (options)
  const rows = ROWS.get(command)
  /** @param {any} name @returns {any} */
  const read = name => {
    const spec = rows?.get(name)
    if (!spec) throw new TypeError(`xfer ${command} has no option ${name}.`)
    if (given[name] !== undefined) return readValue(spec, given[name], now)
    if (!defaults.has(spec)) defaults.set(spec, readValue(spec, spec.default.value, now))
    return defaults.get(spec)
  }
  return read
}

/** Defaults as they were read. @type {Map<import('./contract').OptionSpec, unknown>} */
const defaults = new Map()

/** @param {import('./contract').OptionSpec} spec @param {any} value @param {() => number} now @returns {unknown} */
function readValue(spec, value, now) {
  const { takes } = spec
  if (value === undefined || takes.words?.includes(value)) return value
  const reader = READERS[takes.kind]
  return reader ? reader(value, flagOf(spec), takes, now) : value
}

/** @param {unknown} value @param {string} name of the option @param {Pick<Takes, 'choices'>} takes @throws {XferError} USAGE */
function readChoice(value, name, { choices = [] }) {
  if (choices.includes(/** @type {any} */ (value))) return /** @type {string} */ (value)
  throw new XferError('USAGE', {
    mistake: 'choice',
    word: name,
    text: `${name} "${value}" is unknown.`,
    advice: choices.length === 1 ? `It takes ${choices[0]} alone.` : `Choose one of ${choices.join(', ')}.`,
  })
}

/** How long a store, a function or the platform may be silent. */
const SILENCE_MS = 30_000

/** @param {{ env?: Record<string, string | undefined> }} options of a command @returns {number} milliseconds; the variable is for tests, which do not wait that long */
const silenceOf = ({ env = process.env }) => Number(env.XFER_SILENCE_MS ?? SILENCE_MS)

/** `--allow-hosts`: the hosts that functions may connect to, in the action's own syntax. */

/**
 * @param {string | string[]} given names, `*.` and the end of a name, addresses, ranges of addresses, `*`; as a text, joined
 *   by commas
 * @param {string} option the option's name, for the message
 * @returns {string[]} at least one
 * @throws {XferError} USAGE
 */
function parseHosts(given, option) {
  const hosts = (typeof given === 'string' ? given.split(',') : given).map(host => String(host).trim())
  const advice = 'Give it as *.example.org,store.example.net,10.0.0.0/8, or as some of these; * is any host.'
  if (hosts.every(host => host === '')) throw usage(`${option} names no host.`, advice)
  const odd = hosts.find(host => !isHostRule(host))
  if (odd === undefined) return hosts
  const text = `${option} has "${redact(odd)}", which is neither the name of a host nor an address or a range of them.`
  throw usage(text, advice)
}

/** Reads the attributes that the user sets for a copy, and checks that headers can hold them. Stores add what only they have. */

/** @typedef {import('../types').AttributeOptions} AttributeOptions */
/** @typedef {import('../types').AttributeWish} AttributeWish */

/** What `--header` sets; the content type has an option of its own. */
const HEADERS = ['Cache-Control', 'Content-Encoding', 'Content-Language', 'Content-Disposition', 'Expires']

/** The characters of a header's name (RFC 9110 section 5.6.2), as stores allow them in names of user metadata. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/
/** The form of a storage class. Stores have classes of their own. */
const STORAGE_CLASS = /^[\w.-]{1,128}$/
/** A date of HTTP (RFC 9110 section 5.6.7, the preferred form). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * @param {AttributeOptions} options
 * @returns {AttributeWish}
 * @throws {XferError} USAGE
 */
function readAttributes(options) {
  const { storageClass = 'copy', mtime = false } = options
  const read = readerOf('copy', options)
  const { contentType } = options
  const type = contentType === undefined ? {} : { 'content-type': headerBytes('--content-type', contentType) }
  if (storageClass !== 'copy' && !STORAGE_CLASS.test(storageClass)) {
    throw usage(`--storage-class "${storageClass}" cannot be the name of a storage class.`, 'Give it as STANDARD_IA.')
  }
  const ofStores = STORES.map(({ readAttributes }) => readAttributes?.(options, read))
  return {
    metadata: read('metadata'),
    given: { headers: { ...type, ...readHeaders(options.headers) }, user: readUser(options.metadataSet) },
    tags: read('tags'),
    storageClass: storageClass === 'copy' ? { copy: true } : { name: storageClass },
    mtime: mtime === true,
    ...Object.assign({}, ...ofStores),
  }
}

/** @param {AttributeOptions['metadataSet']} given @returns {Record<string, string>} names in lower case */
function readUser(given = []) {
  const entries = pairsOf('--metadata-set', given, 'color=blue').map(([name, value]) => {
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

/** @param {AttributeOptions['headers']} given @returns {Record<string, string>} names in lower case */
function readHeaders(given = []) {
  const entries = pairsOf('--header', given, 'Cache-Control=max-age=60').map(([typed, value]) => {
    const name = typed.toLowerCase()
    if (!HEADERS.some(one => one.toLowerCase() === name)) {
      const advice = name === 'content-type' ? 'Use --content-type.' : `It sets ${HEADERS.join(', ')}.`
      throw usage(`--header "${typed}" is not a header that a copy can be given.`, advice)
    }
    const bytes = headerBytes(`--header ${typed}`, value)
    return [name, name === 'expires' ? expiresOf(value) : bytes]
  })
  return Object.fromEntries(entries)
}

/**
 * @param {string} option
 * @param {string[] | Record<string, string>} given
 * @param {string} example
 * @returns {Array<[name: string, value: string]>}
 */
function pairsOf(option, given, example) {
  if (!Array.isArray(given)) return Object.entries(given)
  return given.map(text => {
    const at = text.indexOf('=')
    if (at < 0) throw usage(`${option} "${text}" has no value.`, `Give it as ${example}.`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
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
  const ms = HTTP_DATE.test(text) ? Date.parse(text) : readDate(text)
  if (ms !== undefined && !Number.isNaN(ms)) return new Date(ms).toUTCString()
  throw usage(
    `--header Expires "${text}" is not a date.`,
    'Give it as 2027-01-31, 2027-01-31T08:00:00Z or Sun, 31 Jan 2027 08:00:00 GMT.',
  )
}

/** `--memory`: how many bytes of objects this process may hold at a time. */

/** The share of what there is. */
const SHARE = 1 / 4
/** More has never helped. */
const MOST_BYTES = 512 * MiB
/** As of the option: two parts of a stream, of a size that all stores take. */
const LEAST_BYTES = 32 * MiB

/**
 * What is held where nobody chose. Pure.
 *
 * @param {{ totalBytes: number, allowedBytes?: number }} machine allowedBytes: by its cgroup; 0 or absent: unknown, or no limit
 */
function usualMemory({ totalBytes, allowedBytes = 0 }) {
  const bytes = allowedBytes > 0 ? Math.min(totalBytes, allowedBytes) : totalBytes
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.floor((SHARE * bytes) / MiB) * MiB))
}

/** Asked for once: files of the system are read for it. @type {number | undefined} */
let usual

/** @param {number | undefined} chosen the value of `--memory` @returns {number} bytes */
function memoryOf(chosen) {
  if (chosen !== undefined) return chosen
  usual ??= usualMemory({ totalBytes: os.totalmem(), allowedBytes: process.constrainedMemory?.() })
  return usual
}

module.exports = { memoryOf, readerOf, silenceOf, readAttributes, usualMemory }
