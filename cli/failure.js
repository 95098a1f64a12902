'use strict'

/** What ends a command outside of a copy, told as a copy tells its own failures: by an `error` event. */

const { CommanderError } = require('commander')
const lib = require('../lib')

/**
 * @param {unknown} failure
 * @param {(event: import('../lib/types').XferEvent) => void} report
 * @returns {number} the exit status
 */
function reportFailure(failure, report) {
  // Most commands never fail, and --version has nothing to fail with.
  const { asXferError } = require('../lib/errors')
  const error = failure instanceof CommanderError ? fromCommander(failure) : asXferError(failure)
  const { code, message, hint, exitCode } = error
  report({ type: 'error', code, message, hint, exitCode, time: new Date().toISOString() })
  return exitCode
}

/**
 * commander's words as a sentence of ours. What follows an option's `=` may be a secret typed at the wrong place.
 *
 * @param {import('commander').CommanderError & { command?: string }} error command: which could not be read, where it is one
 */
function fromCommander({ code, message, command }) {
  const help = `xfer ${command === undefined ? '' : `${command} `}--help to see what is possible.`
  const advice = `Run ${help}`
  if (code === 'commander.help') return new lib.XferError('USAGE', { text: 'No command was given.', advice })
  const [, words, guess] = /^(?:error: )?(.*?)(?:\n\(Did you mean (.*)\?\))?$/s.exec(message) ?? []
  const text = words
    .replace(/^(option '.*') argument missing$/s, '$1 lacks its value')
    .replace(/^(unknown option '[^=]*)=.*'$/s, "$1'")
    .replaceAll("'", '"')
    .replace('. Expected', ': expected')
  return new lib.XferError('USAGE', {
    text: `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`,
    advice: guess ? `Perhaps you mean ${guess}: run ${help}` : advice,
  })
}

module.exports = { reportFailure }
