'use strict'

const { XferError } = require('../errors')

/** @type {Record<string, number>} */
const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The longest duration: a timer of Node.js cannot wait longer. */
const MOST_MS = 10_000 * UNITS_MS.d

/**
 * @param {string | number} value `90s`, `30m`, `24h`, `7d`, `1.5h`; a number is milliseconds
 * @param {string} name the option, for the message
 * @returns {number} milliseconds, whole and positive
 * @throws {XferError} USAGE; also for a text without a unit, because tools disagree on its meaning
 */
function parseDuration(value, name) {
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*([smhd])$/i.exec(value.trim()) : undefined
  const ms =
    typeof value === 'number' ? value : match ? Number(match[1]) * UNITS_MS[match[2].toLowerCase()] : Number.NaN
  const whole = Math.round(ms)
  if (whole >= 1 && whole <= MOST_MS) return whole
  const bare = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value.trim())
  const text = bare ? `${name} "${value}" lacks a unit.` : `${name} "${value}" is not a duration.`
  const advice = bare
    ? `Say which one you mean: ${value.trim()}s, ${value.trim()}m, ${value.trim()}h or ${value.trim()}d.`
    : 'Give a number with a unit: 90s, 30m, 24h or 7d.'
  throw new XferError('USAGE', { text, advice })
}

module.exports = { parseDuration }
