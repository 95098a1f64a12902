'use strict'

/** The command line that asks for a job, from what its journal keeps: for hints that the user can copy. Pure. */

/** @typedef {import('../types').JobOptions} JobOptions */
/** @typedef {string[]} Words */

/** Flags that are not their option's name with dashes. @type {Record<string, string>} */
const FLAGS = { packageName: '--package' }
/** What the program takes where nothing is given. @type {Record<string, unknown>} */
const DEFAULTS = {
  ...{
    chunk: '100',
    concurrency: '1000',
    bandwidth: 'none',
    partsPerInvocation: 'auto',
    retries: '3',
    ioTimeout: '30',
  },
  ...{ engine: 'auto', route: 'auto', onFailure: 'keep', verify: 'auto', metadata: 'copy', tags: 'copy' },
  ...{ storageClass: 'copy', addressing: 'auto' },
}
/** Of the source alone. */
const OF_SOURCE = new Set(['versionId', 'requestPayer'])

/**
 * @param {Pick<import('../types').JobState, 'source' | 'destination' | 'options'>} job
 * @returns {string} for a POSIX shell; without what is secret, and without what is as usual
 */
function commandLine({ source, destination, options }) {
  const { recursive, select = {}, source: from = {}, destination: to = {}, ...rest } = options
  const command = recursive === 'sync' ? ['sync'] : ['copy', ...(recursive ? ['-r'] : [])]
  const words = [...command, source.text, destination.text].map(quoted)
  return ['xfer', ...words, flagsOf({ ...rest, ...select, source: from, destination: to })].filter(Boolean).join(' ')
}

/**
 * @param {import('../types').PrefixOptions} options
 * @returns {string} for a POSIX shell; '' where all is as usual
 */
function flagsOf({ source = {}, destination = {}, recursive, ...rest }) {
  const words = [
    ...wordsOf(rest, name => FLAGS[name] ?? dashed(name)),
    ...wordsOf(source, name => dashed(name, OF_SOURCE.has(name) ? '' : 'source')),
    ...wordsOf(destination, name => dashed(name, 'dest')),
  ]
  return words.map(quoted).join(' ')
}

/**
 * @param {object} options
 * @param {(name: string) => string} flagOf
 * @returns {Words}
 */
function wordsOf(options, flagOf) {
  return Object.entries(options).flatMap(([name, value]) => {
    // Of a customer's own key nobody keeps more than that there was one.
    if (name === 'sseC' || value === undefined || String(value) === DEFAULTS[name]) return []
    if (name === 'clobber') return value ? [] : ['--no-clobber']
    if (name === 'filters') return filterWords(value)
    if (name === 'metadataSet') return metadataWords(value)
    if (typeof value === 'boolean') return value ? [flagOf(name)] : []
    return [flagOf(name), String(value)]
  })
}

/** @param {Array<{ include?: string, exclude?: string }>} filters @returns {Words} in their order, for it counts */
function filterWords(filters) {
  return filters.flatMap(filter => Object.entries(filter).flatMap(([name, glob]) => [dashed(name), glob]))
}

/** @param {string[] | Record<string, string>} given @returns {Words} */
function metadataWords(given) {
  const pairs = Array.isArray(given) ? given : Object.entries(given).map(pair => pair.join('='))
  return pairs.flatMap(pair => ['--metadata-set', pair])
}

/** @param {string} name in camel case @param {string} [side] */
function dashed(name, side = '') {
  const words = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  return side === '' ? `--${words}` : `--${side}-${words}`
}

/** @param {string} word @returns {string} as a POSIX shell takes it for one word */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

module.exports = { commandLine, flagsOf, quoted }
