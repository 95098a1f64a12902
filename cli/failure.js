'use strict'

/** Reports a failure outside of a copy as a copy reports its own: with an `error` event. */

const { CommanderError } = require('commander')
const lib = require('../lib')
const { printable } = require('./format')

/** @typedef {Extract<import('../lib/types').XferEvent, { type: 'error' }>} ErrorEvent */

/**
 * @param {unknown} failure
 * @param {(event: ErrorEvent) => void} report
 * @param {Pick<import('./run').Process, 'hintFor' | 'discreet'>} process
 * @param {ErrorEvent} [told] the library's event of it
 * @returns {number} the exit status
 */
function reportFailure(failure, report, { hintFor, discreet }, told) {
  // Loaded only on a failure, because most commands do not fail.
  const { asXferError } = require('../lib/errors')
  const error = failure instanceof CommanderError ? fromCommander(failure) : asXferError(failure)
  const { code, exitCode } = error
  const [message, hint] = [error.message, hintFor(error)].map(discreet)
  report({ ...(told ?? { type: 'error', code, exitCode, time: new Date().toISOString() }), message, hint })
  return exitCode
}

/**
 * Turns an error of commander's into one of ours. The text after an option's `=` is left out: it may be a secret that was
 * typed in the wrong place.
 *
 * @param {import('commander').CommanderError & { command?: string }} error command: the name of the command whose line could
 *   not be parsed, if it has one
 */
function fromCommander({ code, message, command }) {
  const help = `xfer ${command === undefined ? '' : `${command} `}--help to see what is possible.`
  const advice = `Run ${help}`
  if (code === 'commander.help')
    return new lib.XferError('USAGE', { mistake: code, text: 'No command was given.', advice })
  const [, words, guess] = /^(?:error: )?(.*?)(?:\n\(Did you mean (.*)\?\))?$/s.exec(message) ?? []
  const text = words
    .replace(/^(option '.*') argument missing$/s, '$1 needs a value')
    .replace(/^(unknown option '[^=]*)=.*'$/s, "$1'")
    .replaceAll("'", '"')
    .replace('. Expected', ': expected')
  const word =
    /^unknown option '([^=]*?)(?:=.*)?'$/s.exec(words)?.[1] ?? /^option '(?:-\w, )?(--[\w-]+)/.exec(words)?.[1]
  return new lib.XferError('USAGE', {
    mistake: code,
    word,
    text: `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`,
    advice: guess ? `Perhaps you mean ${guess}: run ${help}` : advice,
  })
}

/** For `--debug`. @param {Error} error @returns {string} its stack, and that of its cause */
function stackOf({ stack, cause }) {
  const causes = cause === undefined ? '' : `\ncaused by ${/** @type {any} */ (cause).stack ?? cause}`
  return `${stack}${causes}`.split('\n').map(printable).join('\n')
}

module.exports = { reportFailure, stackOf }
