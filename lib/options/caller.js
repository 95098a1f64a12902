'use strict'

/** Errors about options, in the words of who called: flags of the command line, or names of the library's options. */

const { XferError } = require('../errors')
const { commandsOf, flagOf, libraryOptions } = require('./table')

/** Marks options that were given as flags. Copies of them keep the mark; no journal does. */
const GIVEN_AS_FLAGS = Symbol('given as flags')

const FLAG = /(?<![\w-])--[a-z][a-z0-9-]*/g

/** A command that a sentence names, as it is typed: its flags stay. */
const COMMAND = /(\bxfer [a-z]+ [^.;,]*)/

/**
 * @param {object} options as the command line or the caller of the library gave them
 * @param {unknown} error of a call with these options
 * @returns {unknown} the error; if its caller used the library: with the library's names in place of flags. Of USAGE it is
 *   another error; of others only the hint is changed, because no message names an option
 */
function inCallersWords(options, error) {
  if (!(error instanceof XferError) || wasGivenAsFlags(options)) return error
  const { code, facts, cause } = /** @type {import('../types').XferError} */ (error)
  if (code !== 'USAGE') {
    error.hint = withNames(error.hint)
    return error
  }
  const [text, advice] = [facts.text, facts.advice].map(told => told && withNames(String(told)))
  if (text === facts.text && advice === facts.advice) return error
  return new XferError(code, { ...facts, text, advice }, { cause })
}

/** @param {object} options */
const wasGivenAsFlags = options => /** @type {any} */ (options)?.[GIVEN_AS_FLAGS] === true

/** @param {string} text @returns {string} with names in place of flags */
function withNames(text) {
  const pieces = text.split(COMMAND)
  return pieces.map((piece, i) => (i % 2 === 1 ? piece : piece.replace(FLAG, nameOf))).join('')
}

/**
 * Runs a call, so that its errors name the options in its caller's words.
 *
 * @template T
 * @param {object} options
 * @param {() => Promise<T>} call
 * @returns {Promise<T>}
 */
async function withCallersWords(options, call) {
  try {
    return await call()
  } catch (error) {
    throw inCallersWords(options, error)
  }
}

/**
 * The hint in the caller's words, of an error that ended a job. For the library it names its function beside the command that
 * goes on with the job. Changes the error.
 *
 * @param {object} options
 * @param {import('../types').XferError} error
 */
function namesResume(options, error) {
  if (wasGivenAsFlags(options)) return error
  const { job } = error.facts
  error.hint = withNames(error.hint).replace(
    `go on with: xfer resume ${job}`,
    `go on with: resume('${job}'), or xfer resume ${job}`,
  )
  return error
}

/** @param {string} flag @returns {string} the library's name of it, if it has one */
function nameOf(flag) {
  for (const spec of libraryOptions()) {
    if (spec.cliOnly || spec.flag === false || spec.journalOnly) continue
    if (!spec.sides && flagOf(spec) === flag) return written(spec.name, flag)
    const side = spec.sides?.find(one => commandsOf(spec, one).length > 0 && flagOf(spec, one) === flag)
    if (side) return `${side}.${spec.name}`
  }
  return flag
}

/** @param {string} name @param {string} flag */
function written(name, flag) {
  return flag.startsWith('--no-') && !name.startsWith('no') ? `${name}: false` : name
}

module.exports = { GIVEN_AS_FLAGS, inCallersWords, namesResume, withCallersWords }
