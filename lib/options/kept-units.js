'use strict'

/**
 * How a journal keeps sizes, rates and durations: so that every version of xfer reads the same from it. Earlier versions
 * took `8MB` for `8M`, a lower-case `b` for bytes, an upper-case unit of a duration for a lower-case one, and some numbers of
 * the library for milliseconds. So a journal gets no such value any more, and one that has it was written by them.
 */

const { MiB } = require('./sizes')
const { keptOptions, valueTypeOf } = require('./table')
const { readBytes } = require('./units')

/** @typedef {import('./contract').OptionSpec} OptionSpec */
/** @typedef {import('../types').JobOptions} JobOptions */

/** Their numbers were milliseconds. */
const IN_MS = new Set(['outageTimeout', 'newerThan', 'olderThan'])
const DECIMAL = /[kmgtp]B(\/s)?$/i

/** @param {OptionSpec} spec @param {unknown} value as it was given @returns {unknown} */
function valueToKeep(spec, value) {
  const type = valueTypeOf(spec)
  if (type === 'duration' && typeof value === 'number' && IN_MS.has(spec.name)) return `${value}${spec.unit}`
  if ((type !== 'size' && type !== 'rate') || !DECIMAL.test(String(value))) return value
  const { amount } = readBytes(
    String(value)
      .trim()
      .replace(/\s*\/s$/i, ''),
    MiB,
  )
  return amount === undefined ? value : `${Math.round(amount)}B`
}

/** @param {JobOptions} options of a journal of any version @returns {JobOptions} that mean the same now */
function readKeptUnits(options) {
  const { job, select } = keptOptions()
  return {
    ...options,
    ...converted(job, options),
    ...(options.select && { select: { ...options.select, ...converted(select, options.select) } }),
  }
}

/** @param {OptionSpec[]} specs @param {object} options @returns {Record<string, unknown>} those that change */
function converted(specs, options) {
  const kept = /** @type {Record<string, unknown>} */ (options)
  return Object.fromEntries(
    specs.filter(({ name }) => kept[name] !== undefined).map(spec => [spec.name, asNow(spec, kept[spec.name])]),
  )
}

/** @param {OptionSpec} spec @param {unknown} value */
function asNow(spec, value) {
  const type = valueTypeOf(spec)
  if (typeof value === 'number') return IN_MS.has(spec.name) ? `${value}ms` : value
  if (typeof value !== 'string') return value
  if (type === 'size' || type === 'rate') {
    return value.replace(/([kmgt])i?b(?=(?:\/s)?\s*$)/i, '$1').replace(/(?<=\d\s*)b(?=(?:\/s)?\s*$)/, 'B')
  }
  return (type === 'duration' || type === 'date') && /^\s*[\d.]+\s*[SMHD]\s*$/.test(value) ? value.toLowerCase() : value
}

module.exports = { readKeptUnits, valueToKeep }
