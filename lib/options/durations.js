'use strict'

/** Reads durations, and points in time. */

const { usage } = require('../errors')
const { MILLISECONDS, readMilliseconds } = require('./units')

/** The longest duration: a timer of Node.js cannot wait longer. */
const MOST_MS = 10_000 * /** @type {number} */ (MILLISECONDS.get('d'))

/**
 * @param {string | number} value `90s`, `500ms`, `1h30m`, `1.5h`, `7d`: units.js has the grammar
 * @param {string} name the option, for the message
 * @param {{ unit?: string, least?: number, most?: number, mostBare?: number }} [how] unit: of a number without one, as the row of the option says; least, most: milliseconds, both included; mostBare: of a number without a unit
 * @returns {number} milliseconds, whole and positive
 * @throws {XferError} USAGE; also for a number without a unit, if the option has none: tools disagree on its meaning
 */
function parseDuration(
  value,
  name,
  { unit, least: leastMs = 1, most: mostMs = MOST_MS, mostBare: mostBareMs = mostMs } = {},
) {
  const read = readMilliseconds(String(value).trim(), unit === undefined ? undefined : MILLISECONDS.get(unit))
  const usual = `Give a number with a unit${unit === undefined ? '' : `, or of ${UNIT_WORDS[unit]}`}: 90s, 30m, 1h30m or 7d.`
  if (read.amount === undefined)
    throw usage(`${name} "${value}" ${read.says ?? 'is not a duration'}.`, read.advice ?? usual)
  const ms = Math.round(read.amount)
  if (read.bare && ms > mostBareMs && ms <= mostMs) {
    const days = mostBareMs / /** @type {number} */ (MILLISECONDS.get('d'))
    throw usage(
      `${name} "${value}" is more than ${days} ${days === 1 ? 'day' : 'days'}, as a number is in ${UNIT_WORDS[unit ?? 's']}.`,
      `Give a unit: "${value}ms" for milliseconds, "${value}${unit}" for ${UNIT_WORDS[unit ?? 's']}.`,
    )
  }
  if (ms >= leastMs && ms <= mostMs) return ms
  if (leastMs === 1 && ms < 1) throw usage(`${name} "${value}" is less than a millisecond.`, SHORTEST)
  if (leastMs === 1 && mostMs === MOST_MS) throw usage(`${name} "${value}" is longer than 10,000 days.`, usual)
  const [least, most] = [leastMs, mostMs].map(bound => `${(bound / 1000).toLocaleString('en-US')}s`)
  throw usage(`${name} "${value}" is not a duration from ${least} to ${most}.`, 'Give a duration in that range.')
}

const SHORTEST = 'Give a longer time, such as 1s, 30m, 1h30m or 7d.'

/** @type {Record<string, string>} */
const UNIT_WORDS = { s: 'seconds', ms: 'milliseconds' }

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

module.exports = { parseDuration, parseTime, readDate }
