'use strict'

/**
 * Which job over two prefixes a command means: the one with the same selection and the same proof. What is left to do for
 * one selection says nothing of another one, and what was copied with less proof is not proved.
 */

const { OPTIONS, flagOf } = require('./table')

/** @typedef {import('./contract').OptionSpec} OptionSpec */

const IDENTIFYING = OPTIONS.filter(({ identifies }) => identifies)

/**
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

/** @param {import('../types').JobOptions} options @param {OptionSpec} spec @returns {unknown} undefined: not known, and equal to nothing */
function partOf({ select, ...ofJob }, { name, default: usual }) {
  const options = /** @type {Record<string, any>} */ ({ ...ofJob, ...select })
  // The same file may have other names by now, and standard input has no file.
  if (name === 'filesFrom' && options.filesFrom !== undefined) return options.namesDigest
  return options[name] ?? usual ?? false
}

/** @param {unknown} one @param {unknown} other */
function isSame(one, other) {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other)
}

/** @param {OptionSpec} spec @param {import('../types').JobOptions} begun */
function wordsOf(spec, { recursive, move }) {
  if (spec.name !== 'recursive' && spec.name !== 'move') return flagOf(spec)
  if (move) return 'xfer mv -r'
  return recursive === 'sync' ? 'xfer sync' : 'xfer copy -r'
}

module.exports = { differingOptions }
