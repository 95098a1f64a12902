'use strict'

/** Which of a copy's options the journal keeps, so that the job can be resumed from any folder. */

const { resolve } = require('node:path')
const { readAttributes } = require('./read')
const { OPTIONS, commandsOf, flagOf, keptOptions } = require('./table')

/** @typedef {import('../types').JobWish} JobWish */
/** @typedef {import('../types').SideOptions} SideOptions */

/** @param {import('./contract').OptionSpec[]} specs @returns {string[]} */
const namesOf = specs => [...new Set(specs.map(({ name }) => name))]

const KEPT = keptOptions()
/** Options of a side that an upload keeps from its creation. */
const FIXED = namesOf(KEPT.side.filter(({ kept }) => kept?.fixed))

/** Options that are not taken from another machine's journal. */
const OF_OWN_JOURNAL = namesOf(OPTIONS.filter(({ kept }) => kept?.own))
/** Options that name another platform than the one that runs a job. */
const OF_PLATFORM = namesOf(OPTIONS.filter(({ kept, group }) => kept?.own && group === 'engine'))
/** Options that `xfer resume` takes only for the job of a prefix. */
const OF_PREFIX_ON_RESUME = namesOf(
  OPTIONS.filter(spec => spec.scope === 'prefix' && commandsOf(spec).includes('resume')),
)

/**
 * The options to keep. They hold no secret: a resumed job takes credentials from its own environment and profiles.
 *
 * @param {Pick<import('../job/open').Job, 'source' | 'destination'>} job
 * @param {import('../types').JobWish} options
 * @returns {import('../types').JobOptions}
 */
function optionsToKeep({ source, destination }, options) {
  const { recursive, engine = 'auto' } = options
  const ofJob = KEPT.job.filter(({ kept }) => !kept?.engine || ['auto', kept.engine].includes(engine))
  return {
    ...valuesOf(ofJob, options),
    ...(recursive && { recursive, select: valuesOf(KEPT.select, options) }),
    source: sideToKeep(source, options.source),
    destination: sideToKeep(destination, options.destination),
  }
}

/** What may stand in place of a path. */
const LOCATION = /^[a-z][a-z0-9+.-]*:\/\//i

/** The options with absolute paths of files. @param {import('./contract').OptionSpec[]} specs @param {object} options */
function valuesOf(specs, options) {
  const given = /** @type {Record<string, any>} */ (options)
  const entries = specs.flatMap(({ name, takes }) => {
    const value = given[name]
    if (value === undefined) return []
    return [[name, takes.kind === 'file' && value !== '-' && !LOCATION.test(value) ? resolve(value) : value]]
  })
  return Object.fromEntries(entries)
}

/**
 * Where the store is, as it was resolved: another machine may have another configuration.
 *
 * @param {import('../job/open').Side} side
 * @param {SideOptions} [options]
 */
function sideToKeep({ settings }, options = {}) {
  return defined({ ...valuesOf(KEPT.side, options), ...settings.keep })
}

/**
 * `--no-clobber` of a prefix is `--ignore-existing`: what is there is left alone, and the others are copied.
 *
 * @template {{ clobber?: boolean, ignoreExisting?: boolean }} T
 * @param {T} options
 * @returns {T}
 */
function asPrefixOptions(options) {
  const { clobber, ...others } = options
  return clobber === false ? /** @type {T} */ ({ ...others, ignoreExisting: true }) : options
}

/**
 * @param {import('../types').JobOptions} kept
 * @param {JobWish} given options that override the kept ones
 * @returns {import('../types').JobWish}
 */
function mergeOptions({ select, ...kept }, given) {
  return {
    ...kept,
    ...select,
    ...defined(given),
    source: mergeSide(kept.source, given.source),
    destination: mergeSide(kept.destination, given.destination),
  }
}

/**
 * @param {SideOptions} [kept]
 * @param {SideOptions} [given] override the kept ones
 * @returns {SideOptions}
 */
function mergeSide(kept = {}, given = {}) {
  const told = defined(given)
  const replaced = KEPT.side.filter(({ kept }) => kept?.replacedBy?.some(name => Object.hasOwn(told, name)))
  const rest = Object.entries(kept).filter(([name]) => !replaced.some(spec => spec.name === name))
  const endpointKept = kept.endpointUrl !== undefined && told.endpointUrl === undefined
  return { ...Object.fromEntries(rest), ...told, ...(endpointKept && { endpointKept }) }
}

/**
 * Whether an upload that was created with some options fits others: its attributes were fixed when it was created.
 *
 * @param {import('../types').JobOptions} begun
 * @param {import('../types').JobOptions} asked
 */
function givesSameAttributes(begun, asked) {
  const told = (/** @type {import('../types').JobOptions} */ options) => {
    const given = /** @type {Record<string, unknown>} */ (options.destination ?? {})
    return JSON.stringify([readAttributes(options), ...FIXED.map(name => given[name] ?? false)])
  }
  return told(begun) === told(asked)
}

/** The options of a side without those that only matter to what is written. @param {SideOptions} options @returns {SideOptions} */
function withoutFixed(options) {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !FIXED.includes(name)))
}

/** @template {object} T @param {T} object @returns {T} without the properties that are undefined */
function defined(object) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)))
}

const IDENTIFYING = OPTIONS.filter(({ kept }) => kept?.identifies)
const NAMERS = IDENTIFYING.filter(({ name }) => ['filesFrom', 'filesFrom0', 'manifest'].includes(name))

/**
 * The options given that name the objects in a file. A job has one, or none.
 *
 * @param {{ filesFrom?: string, filesFrom0?: string, manifest?: string }} [options]
 */
function namersOf(options = {}) {
  const given = /** @type {Record<string, any>} */ (options)
  const namers = NAMERS.filter(({ name }) => given[name] !== undefined)
  return namers.map(spec => ({ flag: flagOf(spec), file: /** @type {string} */ (given[spec.name]) }))
}

/**
 * Which job over two prefixes a command means: the one with the same selection and the same proof. What is left to do for one
 * selection says nothing of another one, and what was copied with less proof is not proved.
 *
 * In what a command differs from a job of the same prefixes. If there is anything, they are two jobs.
 *
 * @param {import('../types').JobOptions} begun of the job
 * @param {import('../types').JobOptions} asked of the command
 * @returns {string[]} flags, and the command of the job, in the order of the table; empty for jobs of one object
 */
function differingOptions(begun, asked) {
  if (begun.recursive === undefined) return []
  const differing = IDENTIFYING.filter(spec => !isSame(partOf(begun, spec), partOf(asked, spec)))
  return [...new Set(differing.map(spec => wordsOf(spec, begun)))]
}

/** @param {import('../types').JobOptions} options @param {import('./contract').OptionSpec} spec @returns {unknown} undefined: not known, and equal to nothing */
function partOf({ select, ...ofJob }, spec) {
  const { name } = spec
  const options = /** @type {Record<string, any>} */ ({ ...ofJob, ...select })
  // The same file may have other names by now, and standard input has no file.
  if (NAMERS.includes(spec) && options[name] !== undefined) return options.namesDigest
  return options[name] ?? spec.default.value ?? false
}

/** @param {unknown} one @param {unknown} other */
function isSame(one, other) {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other)
}

/** @param {import('./contract').OptionSpec} spec @param {import('../types').JobOptions} begun */
function wordsOf(spec, { recursive, move }) {
  if (spec.name !== 'recursive' && spec.name !== 'move') return flagOf(spec)
  if (move) return 'xfer mv -r'
  return recursive === 'sync' ? 'xfer sync' : 'xfer copy -r'
}

module.exports = {
  differingOptions,
  OF_OWN_JOURNAL,
  OF_PLATFORM,
  OF_PREFIX_ON_RESUME,
  asPrefixOptions,
  optionsToKeep,
  mergeOptions,
  mergeSide,
  namersOf,
  givesSameAttributes,
  withoutFixed,
}
