'use strict'

const { XferError } = require('../errors')
const { parseDuration } = require('./durations')

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
  if (/^\d{4}-/.test(text)) return parseDate(text, name)
  try {
    return nowMs - parseDuration(value, name)
  } catch (error) {
    // The errors for a number without a unit, for M and for no time have better hints.
    if (/^\d+(?:\.\d+)?M?$/.test(text) || /^[0.]+[a-z]+$/i.test(text)) throw error
    throw unknown(value, name)
  }
}

/** @param {string} text @param {string} name */
function parseDate(text, name) {
  const [, day, time, offset = 'Z'] = DATE.test(text) ? ['', text, '00:00'] : (MOMENT.exec(text) ?? [])
  const ms = Date.parse(`${day}T${time}${offset.toUpperCase()}`)
  // JavaScript reads February 30 as March 2.
  if (Number.isNaN(ms) || new Date(`${day}T00:00Z`).toISOString().slice(0, 10) !== day) throw unknown(text, name)
  return ms
}

/** @param {string} value @param {string} name */
function unknown(value, name) {
  return new XferError('USAGE', {
    text: `${name} "${value}" is neither an age nor a date.`,
    advice: 'Give an age with a unit, such as 90m, 24h or 7d, or a date, such as 2026-01-31 or 2026-01-31T10:00Z.',
  })
}

module.exports = { parseTime }
