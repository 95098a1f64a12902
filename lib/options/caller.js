'use strict'

/** Errors about options, in the words of who called: flags of the command line, or names of the library's options. */

const { XferError } = require('../errors')
const { commandsOf, flagOf, libraryOptions } = require('./table')

/** Marks options that were given as flags. Copies of them keep the mark; no journal does. */
const GIVEN_AS_FLAGS = Symbol('given as flags')

/** A flag at the beginning of a word: a key may have one elsewhere. */
const FLAG = /(?<![^\s(])--[a-z][a-z0-9-]*/g

/** A command that a sentence names, as it is typed: its flags stay. */
const COMMAND = /(\bxfer [a-z]+ [^.;,]*)/

/** What the library has in place of a command. @type {Array<[of: RegExp, instead: string]>} */
const PHRASES = [
  [/go on with: xfer resume (\S+)/g, "go on with: resume('$1'), or xfer resume $1"],
  [/without -r: xfer copy SRC DEST --version-id ID/g, 'by copy with source: { versionId }'],
  [/\bxfer sync --delete\b/g, "recursive: 'sync' and delete: true"],
  [/\bxfer sync(?=[.,;]|$)/g, "recursive: 'sync'"],
  [/\bRun xfer deploy\b/g, 'Call deploy, or run xfer deploy'],
  [/Repeat the command with --debug and report what it prints/g, 'Report what console.error prints of this error'],
  [/\bRepeat the command with --debug\b/g, 'Repeat the call'],
  [/\bRepeat the command to copy again\b/g, 'Repeat the call'],
  [/\b([Rr]epeat) the command\b/g, '$1 the call'],
  [/\b([Tt]his) command\b/g, '$1 call'],
]

/**
 * Puts the message and the hint of an error into the words of the library, if its caller used it: names in place of flags,
 * and calls in place of commands. Changes the error.
 *
 * @param {object} options as the command line or the caller of the library gave them
 * @param {unknown} error of a call with these options
 * @param {{ what?: string }} [how] what: the work that an interrupt ended, if it is no copy
 * @returns {unknown} the error
 */
function inCallersWords(options, error, { what } = {}) {
  if (!(error instanceof XferError) || wasGivenAsFlags(options)) return error
  if (what && error.code === 'INTERRUPTED' && error.facts.what === undefined) {
    const { facts, cause } = error
    return inCallersWords(options, new XferError('INTERRUPTED', { ...facts, what }, { cause }))
  }
  const { message, facts, stack } = error
  error.message = withNames(message)
  error.hint = withNames(error.hint)
  if (stack) error.stack = stack.replace(message, () => error.message)
  const told = ['text', 'advice'].filter(name => typeof facts[name] === 'string')
  error.facts = { ...facts, ...Object.fromEntries(told.map(name => [name, withNames(facts[name])])) }
  return error
}

/**
 * The same for what an event tells: a notice, and those of a plan.
 *
 * @template {{ type: string }} E
 * @param {object} options
 * @param {E} event
 * @returns {E}
 */
function eventInCallersWords(options, event) {
  if (wasGivenAsFlags(options)) return event
  const { type, message, notices } = /** @type {any} */ (event)
  if (type === 'notice') return { ...event, message: withNames(message) }
  return type === 'plan' && notices ? { ...event, notices: notices.map(withNames) } : event
}

/** @param {object} options */
const wasGivenAsFlags = options => /** @type {any} */ (options)?.[GIVEN_AS_FLAGS] === true

/** @param {string} text @returns {string} in the words of the library */
function withNames(text) {
  const pieces = PHRASES.reduce((said, [of, instead]) => said.replace(of, instead), text).split(COMMAND)
  return pieces.map((piece, i) => (i % 2 === 1 ? piece : piece.replace(FLAG, nameOf))).join('')
}

/**
 * Runs a call, so that its errors name the options in its caller's words.
 *
 * @template T
 * @param {object} options
 * @param {() => Promise<T>} call
 * @param {{ what?: string }} [how] what: the work that an interrupt ends
 * @returns {Promise<T>}
 */
async function withCallersWords(options, call, how) {
  try {
    return await call()
  } catch (error) {
    throw inCallersWords(options, error, how)
  }
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

module.exports = { GIVEN_AS_FLAGS, eventInCallersWords, inCallersWords, withCallersWords }
