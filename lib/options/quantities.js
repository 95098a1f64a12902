'use strict'

/**
 * The grammar of sizes, rates and durations, for all options and commands: a number, which may have a fraction, and a unit.
 * A number without a unit has the unit of its option. docs/reference/options.md lists the units from these tables.
 *
 * - Bytes: `K`, `Ki` and `KiB` are binary, `kB` is decimal. The case of the letter does not matter, that of `B` does: `b`
 *   means bits to many, so it is refused.
 * - Durations: one or several numbers with units, the longest first, such as `1h30m`. Case does not matter, except for `M`,
 *   which means months to some, so it is refused.
 */

const { usage } = require('../errors')

const LETTERS = 'KMGTP'

/** By unit, in bytes. @type {ReadonlyMap<string, number>} */
const BYTES = new Map([
  ['B', 1],
  ...[...LETTERS].flatMap(
    (letter, i) =>
      /** @type {Array<[string, number]>} */ ([
        [letter, 1024 ** (i + 1)],
        [`${letter}i`, 1024 ** (i + 1)],
        [`${letter}iB`, 1024 ** (i + 1)],
        [`${letter}B`, 1000 ** (i + 1)],
      ]),
  ),
])

/** By unit, in milliseconds; the longest first. @type {ReadonlyMap<string, number>} */
const MILLISECONDS = new Map([
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
])

const NUMBER = '(?:\\d+(?:\\.\\d+)?|\\.\\d+)'
const AMOUNT = new RegExp(`^(${NUMBER})\\s*([A-Za-z]*)$`)
const PIECE = new RegExp(`(${NUMBER})\\s*([A-Za-z]+)\\s*`, 'y')
const BITS = new RegExp(`^(${NUMBER})\\s*([kmgtpKMGTP]?)i?(b|[bB]its?|bps)$`)
/** Digits, something that separates thousands or begins a fraction in some countries, and digits again. */
const SEPARATED = /\d[,_'’\s]\d/

/** @typedef {import('./contract').Range} Range */

/** What a text says: how many (bytes or milliseconds), or what is wrong with it. `advice` is absent if nothing better is known than the option's own. */
/** @typedef {{ amount: number, bare: boolean } | { amount?: undefined, says?: string, advice?: string }} QuantityReading */

/**
 * @param {string} text without blanks at its ends
 * @param {number} [perUnit] bytes of the unit that a bare number has
 * @returns {QuantityReading} bytes, not rounded
 */
function readBytes(text, perUnit = 1) {
  const [, number, unit] = AMOUNT.exec(text) ?? []
  if (number === undefined) return separated(text)
  if (unit === '') return { amount: Number(number) * perUnit, bare: true }
  const bytes = BYTES.get(
    unit.replace(/^[kmgtp]I?/i, letters => letters[0].toUpperCase() + letters.slice(1).toLowerCase()),
  )
  return bytes === undefined ? readBits(text) : { amount: Number(number) * bytes, bare: false }
}

/** What to write instead of a `b` that may mean bits or bytes. @param {string} text @returns {QuantityReading} */
function readBits(text) {
  const [, number, letter, bit] = BITS.exec(text) ?? []
  if (number === undefined) return {}
  const upper = letter.toUpperCase()
  const bits = `${trimmed(Number(number) / 8)}${upper}B`
  if (bit !== 'b')
    return { says: 'is in bits, and xfer counts bytes', advice: `Give ${bits}, which is the same in bytes.` }
  const binary = upper === '' ? '' : ` (or ${number}${upper}iB, with powers of 1024)`
  return {
    says: 'is ambiguous: b means bits to some and bytes to others',
    advice: `Give ${number}${upper}B for bytes${binary}, or ${bits} if you mean bits.`,
  }
}

/** @param {string} text without blanks at its ends @param {number} [perUnit] milliseconds of the unit that a bare number has @returns {QuantityReading} milliseconds, not rounded */
function readMilliseconds(text, perUnit) {
  if (new RegExp(`^${NUMBER}$`).test(text)) {
    if (perUnit !== undefined) return { amount: Number(text) * perUnit, bare: true }
    if (Number(text) === 0) return { amount: 0, bare: true }
    return { says: 'lacks a unit', advice: `Say which one you mean: ${text}s, ${text}m, ${text}h or ${text}d.` }
  }
  if (text === '') return {}
  let amount = 0
  let last = Number.POSITIVE_INFINITY
  for (let at = 0; at < text.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at
    const [, number, unit] = PIECE.exec(text) ?? []
    if (number === undefined) return separated(text)
    if (unit === 'M') {
      const advice = `Give ${number}m for minutes, or months in days, such as 30d.`
      return { says: 'is ambiguous: M means minutes to some and months to others', advice }
    }
    const ms = MILLISECONDS.get(unit.toLowerCase())
    if (ms === undefined || ms >= last) return {}
    amount += Number(number) * ms
    last = ms
  }
  return { amount, bare: false }
}

/** @param {string} text that has no number and unit @returns {QuantityReading} */
function separated(text) {
  if (!SEPARATED.test(text)) return {}
  const advice = 'Write a number with digits alone, and its fraction after a point: 1500, 1.5.'
  return { says: 'has a separator between its digits', advice }
}

/** @param {number} number @returns {string} with three digits after the point at most */
function trimmed(number) {
  return String(Number(number.toFixed(3)))
}

/** Reads sizes, rates, counts and shares. */

const MiB = 1024 ** 2

/**
 * @param {string | number} value `100` (MiB), `8M`, `1.5GiB`, `8MB`, `5242880B`: see above for the grammar
 * @param {string} name the option, for the message
 * @param {{ range?: Range, mostBare?: number, whole?: boolean }} [bounds] in bytes, both included; from 1 if absent; mostBare: of a number without a unit; whole: in whole MiB
 * @returns {number} bytes, whole
 * @throws {XferError} USAGE
 */
function parseSize(
  value,
  name,
  { range: [least = 1, most = Number.MAX_SAFE_INTEGER] = [], mostBare = most, whole = false } = {},
) {
  const text = String(value).trim()
  const read = readBytes(text, MiB)
  const usual = 'Give a number of MiB such as 100, or one with a unit such as 8M, 1.5GiB or 8MB.'
  if (read.amount === undefined)
    throw usage(`${name} "${value}" ${read.says ?? 'is not a size'}.`, read.advice ?? usual)
  const bytes = Math.round(read.amount)
  if (read.bare && bytes > mostBare && mostBare < most) throw usage(...beyond(name, text, mostBare))
  if (bytes < least || bytes > most) {
    const isOpen = most === Number.MAX_SAFE_INTEGER
    const range = `is not a size from ${least / MiB} to ${(most / MiB).toLocaleString('en-US')} MiB`
    const less = least > 1 ? `is less than the least, ${sizeText(least)}` : 'is not a size'
    throw usage(`${name} "${value}" ${isOpen ? less : range}.`, usual)
  }
  if (whole && bytes % MiB !== 0) {
    // Who gives 512MB here means 512 MiB, as the platforms' own tools do.
    const { amount = bytes } = readBytes(text.replace(/(?<=[a-z])B$/i, ''), 1)
    throw usage(`${name} "${value}" is not a whole number of MiB.`, `Give ${Math.ceil(amount / MiB)}, which is in MiB.`)
  }
  return bytes
}

/** @param {number} bytes */
const sizeText = bytes => (bytes >= MiB ? `${bytes / MiB} MiB` : `${bytes.toLocaleString('en-US')} bytes`)

/**
 * For a number without a unit that was most likely meant as bytes.
 *
 * @param {string} name the option
 * @param {string} text
 * @param {number} most bytes
 * @param {string} [per] `/s`: of a rate
 * @returns {[text: string, advice: string]}
 */
function beyond(name, text, most, per = '') {
  const MiBs = (most / MiB).toLocaleString('en-US')
  const whole = Number(text).toLocaleString('en-US', { useGrouping: false })
  return [
    `${name} "${text}" is more than ${MiBs} MiB${per}.`,
    `A number is MiB${per}; ${whole} bytes${per && ' a second'} are "${whole}B${per}".`,
  ]
}

/**
 * @param {string | number} value
 * @param {string} name the option, for the message
 * @param {{ range?: Range, words?: readonly string[] }} [bounds] both included; words: what the option also takes, for the message
 * @returns {number}
 * @throws {XferError} USAGE
 */
function parseCount(value, name, { range: [least = 0, most = Number.MAX_SAFE_INTEGER] = [], words } = {}) {
  const or = words?.join(' nor ')
  const text = String(value).trim()
  const count = Number(text)
  if (/^\d+(?:e\d+)?$/i.test(text) && Number.isSafeInteger(count) && count >= least && count <= most) return count
  throw usage(
    `${name} "${value}" is ${or ? `neither ${or} nor` : 'not'} a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
    `Give ${name} a number in that range${or ? `, or ${or}` : ''}.`,
  )
}

/** With a lower rate a connection would be idle for so long between two pieces that stores close it. */
const LEAST_BYTES = 64 * 1024

/**
 * @param {string | number} value `10M`, `500K`, `10MiB/s`, `10MB/s`, `10` (MiB a second), or `none`: see above for the grammar
 * @param {string} name the option, for the message
 * @param {{ mostBare?: number }} [bounds] mostBare: bytes a second of a number without a unit
 * @returns {number | undefined} whole bytes per second; undefined: no limit
 * @throws {XferError} USAGE
 */
function parseRate(value, name, { mostBare = Number.POSITIVE_INFINITY } = {}) {
  const text = String(value).trim()
  if (text === 'none') return undefined
  const usual = 'Give bytes a second, such as 10M (MiB), 10MB/s, 500K or 1.5GiB/s, or none.'
  const read = readBytes(text.replace(/\s*\/s$/i, ''), MiB)
  if (read.amount === undefined)
    throw usage(`${name} "${value}" ${read.says ?? 'is not a rate'}.`, read.advice ?? usual)
  const bytes = Math.round(read.amount)
  if (read.bare && bytes > mostBare) throw usage(...beyond(name, text, mostBare, '/s'))
  if (bytes < LEAST_BYTES) throw usage(`${name} "${value}" is less than 64 KiB/s.`, usual)
  return bytes
}

const SHARE = { range: /** @type {Range} */ ([0, 1e12]), words: ['a percentage from 0% to 100%'] }
const PERCENTAGE = /^(\d+(?:\.\d+)?)\s*%$/

/**
 * @param {string | number} value `1000` or `10%`
 * @param {string} name the option, for the message
 * @returns {{ count: number } | { percent: number }}
 * @throws {XferError} USAGE
 */
function parseShare(value, name) {
  const [, percent] = PERCENTAGE.exec(String(value).trim()) ?? []
  if (percent !== undefined && Number(percent) <= 100) return { percent: Number(percent) }
  return { count: parseCount(value, name, SHARE) }
}

/** Reads durations, and points in time. */

/** The longest duration: a timer of Node.js cannot wait longer. */
const MOST_MS = 10_000 * /** @type {number} */ (MILLISECONDS.get('d'))

/**
 * @param {string | number} value `90s`, `500ms`, `1h30m`, `1.5h`, `7d`: see above for the grammar
 * @param {string} name the option, for the message
 * @param {{ unit?: 's', range?: Range, mostBare?: number }} [how] unit: of a number without one, as the row of the option says; range: milliseconds, both included; mostBare: of a number without a unit
 * @returns {number} milliseconds, whole and positive
 * @throws {XferError} USAGE; also for a number without a unit, if the option has none: tools disagree on its meaning
 */
function parseDuration(value, name, { unit, range: [leastMs = 1, mostMs = MOST_MS] = [], mostBare = mostMs } = {}) {
  const read = readMilliseconds(String(value).trim(), unit && MILLISECONDS.get(unit))
  const usual = `Give a number with a unit${unit === undefined ? '' : ', or of seconds'}: 90s, 30m, 1h30m or 7d.`
  if (read.amount === undefined)
    throw usage(`${name} "${value}" ${read.says ?? 'is not a duration'}.`, read.advice ?? usual)
  const ms = Math.round(read.amount)
  if (read.bare && ms > mostBare && ms <= mostMs) {
    const days = mostBare / /** @type {number} */ (MILLISECONDS.get('d'))
    throw usage(
      `${name} "${value}" is more than ${days} ${days === 1 ? 'day' : 'days'}, as a number is in seconds.`,
      `Give a unit: "${value}ms" for milliseconds, "${value}${unit}" for seconds.`,
    )
  }
  if (ms >= leastMs && ms <= mostMs) return ms
  if (leastMs === 1 && ms < 1) throw usage(`${name} "${value}" is less than a millisecond.`, SHORTEST)
  if (leastMs === 1 && mostMs === MOST_MS) throw usage(`${name} "${value}" is longer than 10,000 days.`, usual)
  const [least, most] = [leastMs, mostMs].map(bound => `${(bound / 1000).toLocaleString('en-US')}s`)
  throw usage(`${name} "${value}" is not a duration from ${least} to ${most}.`, 'Give a duration in that range.')
}

const SHORTEST = 'Give a longer time, such as 1s, 30m, 1h30m or 7d.'

const DATE = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/i

/**
 * @param {string} value an age such as `7d`, or a date: `2026-01-31`, `2026-01-31T10:00`, `2026-01-31T10:00:00+02:00`;
 *   in UTC if it has no offset
 * @param {string} name the option, for the message
 * @param {number} nowMs epoch milliseconds, from which ages are counted
 * @returns {number} epoch milliseconds
 * @throws {XferError} USAGE
 */
function parseTime(value, name, nowMs) {
  const text = String(value).trim()
  const ms = readDate(text)
  if (ms !== undefined) return ms
  try {
    return nowMs - parseDuration(value, name)
  } catch (error) {
    // The errors for a number without a unit, for M and for no time have better hints.
    if (/^\d+(?:\.\d+)?M?$/.test(text) || /^[0.]+[a-z]+$/i.test(text)) throw error
    throw unknown(value, name)
  }
}

/** @param {string} text `2026-01-31`, `2026-01-31T10:00`, `2026-01-31T10:00:00+02:00` @returns {number | undefined} epoch milliseconds */
function readDate(text) {
  const [, day, time, offset = 'Z'] = DATE.test(text) ? ['', text, '00:00'] : (MOMENT.exec(text) ?? [])
  const ms = Date.parse(`${day}T${time}${offset.toUpperCase()}`)
  // JavaScript reads February 30 as March 2.
  return Number.isNaN(ms) || new Date(`${day}T00:00Z`).toISOString().slice(0, 10) !== day ? undefined : ms
}

/** @param {string} value @param {string} name */
function unknown(value, name) {
  return usage(
    `${name} "${value}" is neither an age nor a date.`,
    'Give an age with a unit, such as 90m, 24h or 7d, or a date, such as 2026-01-31 or 2026-01-31T10:00Z.',
  )
}

module.exports = {
  BYTES,
  MILLISECONDS,
  readBytes,
  readMilliseconds,
  MiB,
  parseCount,
  parseRate,
  parseShare,
  parseSize,
  parseDuration,
  parseTime,
  readDate,
}
