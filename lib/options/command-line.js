'use strict'

/** Writes the command line of a job from what its journal keeps, for hints that the user can copy. Pure. */

const { OPTIONS, WRITES, commandsOf, flagOf, hasFlag } = require('./table')

/** @typedef {string[]} CommandWords */

/**
 * @param {Pick<import('../types').JobState, 'source' | 'destination' | 'options'>} job
 * @returns {string} for a POSIX shell; without secrets, and without options that have their default
 */
function commandLine({ source, destination, options }) {
  const { recursive, move, select = {}, source: from = {}, destination: to = {}, ...rest } = options
  const command = recursive === 'sync' ? ['sync'] : [move ? 'mv' : 'copy', ...(recursive ? ['-r'] : [])]
  const words = [...command, source.text, destination.text].map(quoted)
  return ['xfer', ...words, flagsOf({ ...rest, ...select, source: from, destination: to })].filter(Boolean).join(' ')
}

/**
 * @param {import('../types').JobWish} options
 * @returns {string} for a POSIX shell; '' if all options have their defaults
 */
function flagsOf({ source = {}, destination = {}, recursive, ...rest }) {
  return [...wordsOf(rest), ...wordsOf(source, 'source'), ...wordsOf(destination, 'destination')].map(quoted).join(' ')
}

/** @param {object} options @param {import('./contract').SideName} [side] @returns {CommandWords} */
function wordsOf(options, side) {
  return Object.entries(options).flatMap(([name, value]) => {
    const spec = OPTIONS.find(
      one => one.name === name && hasFlag(one) && WRITES.some(command => commandsOf(one, side).includes(command)),
    )
    if (!spec || value === undefined || String(value) === spec.default.value) return []
    const flag = flagOf(spec, side)
    const { kind } = spec.takes
    if (kind === 'filter') return filterWords(value)
    if (kind === 'pairs') return pairWords(flag, value)
    if (kind === 'list') return [value].flat().flatMap(one => [flag, String(one)])
    if (typeof value === 'boolean') return value === flag.startsWith('--no-') ? [] : [flag]
    return [flag, String(value)]
  })
}

/** @param {Array<{ include?: string, exclude?: string }>} filters @returns {CommandWords} in their order, which matters */
function filterWords(filters) {
  return filters.flatMap(filter => Object.entries(filter).flatMap(([name, glob]) => [`--${name}`, glob]))
}

/** @param {string} flag @param {string[] | Record<string, string>} given @returns {CommandWords} */
function pairWords(flag, given) {
  const pairs = Array.isArray(given) ? given : Object.entries(given).map(pair => pair.join('='))
  return pairs.flatMap(pair => [flag, pair])
}

/** @param {string} word @returns {string} quoted as one word for a POSIX shell */
function quoted(word) {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  if (!/\p{Cc}/u.test(word)) return `'${word.replaceAll("'", "'\\''")}'`
  // A terminal does not show control characters as they are: https://pubs.opengroup.org/onlinepubs/9799919799/, 2.2.4
  return `$'${word.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, octal)}'`
}

/** @param {string} char @returns {string} its bytes in UTF-8 */
function octal(char) {
  return [...Buffer.from(char)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

module.exports = { commandLine, flagsOf, quoted }
