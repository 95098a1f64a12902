'use strict'

/** Runs a command that has no events of its own; and the type of what every command may do with the process. */

const lib = require('../lib')

/**
 * What a command may do with the process.
 *
 * @typedef {object} Process
 * @property {() => NodeJS.ReadStream} input standard input
 * @property {NodeJS.WritableStream} out standard output
 * @property {import('node:tty').WriteStream} err standard error
 * @property {NodeJS.ProcessEnv} env
 * @property {(status: number) => void} end ends it when everything is printed
 * @property {(status: number, how?: { hangs?: boolean }) => void} leave ends it at once; hangs: whatever its threads are at
 * @property {(lines: string[]) => void} print on standard output
 * @property {(error: import('./hints').Failed) => string} hintFor the hint of an error, in the words of the command line
 * @property {(text: string) => string} discreet removes the secrets that were typed on the command line
 * @property {(error: Error) => void} complain prints the error's stack on standard error
 */

/**
 * A command; its file has its name. The options come from the table.
 *
 * @typedef {object} Definition
 * @property {string} [alias]
 * @property {string} summary for the help of all commands
 * @property {string} description
 * @property {Array<[place: string, text: string]>} [places] its arguments
 * @property {string | (() => string)} [help] what stands below its options
 * @property {(process: Process) => (...args: any[]) => void | Promise<void>} action takes the arguments, the flags and commander's command
 */

/**
 * Runs a command that has no events of its own: handles Ctrl-C, and reports a failure.
 *
 * @param {Process} process
 * @param {{ json?: boolean, debug?: boolean }} flags
 * @param {{ what: string }} command what: the name of the work, for the message after Ctrl-C
 * @param {(signal: AbortSignal, onEvent: (event: import('../lib/types').XferEvent) => void) => Promise<number>} work resolves to the exit
 *   status; onEvent: prints what is told meanwhile
 */
async function runCommand({ out, err, env, end, leave, complain, hintFor, discreet }, flags, { what }, work) {
  // The help loads this file too, and needs none of these.
  const { watchInterrupts } = require('./interrupt')
  const { createReporter } = require('./reporters')
  const { onEvent, note } = createReporter(flags, { out, err, env })
  const interrupt = watchInterrupts({ leave, note, reason: new lib.XferError('INTERRUPTED', { what }) })
  try {
    end(await work(interrupt.signal, onEvent))
  } catch (error) {
    if (flags.debug) complain(/** @type {Error} */ (error))
    const { reportFailure } = require('./failure')
    end(reportFailure(error, onEvent, { hintFor, discreet }))
  } finally {
    interrupt.stop()
  }
}

module.exports = { runCommand }
