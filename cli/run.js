'use strict'

const lib = require('../lib')
const { reportFailure } = require('./failure')
const { watchInterrupts } = require('./interrupt')
const { createReporter } = require('./reporters')

/**
 * What of the process a command may touch.
 *
 * @typedef {object} Process
 * @property {(status: number) => void} end once all is printed
 * @property {(status: number) => void} leave at once
 * @property {(lines: string[]) => void} print on standard output
 * @property {(error: Error) => void} complain prints its stack on standard error
 */

/**
 * Runs a command that tells no events of its own: from Ctrl-C to how its failure is told.
 *
 * @param {Process} process
 * @param {{ json?: boolean, debug?: boolean }} flags
 * @param {{ what: string }} command what: that which an interruption interrupts
 * @param {(signal: AbortSignal) => Promise<number>} work resolves to the exit status
 */
async function runCommand({ end, leave, complain }, flags, { what }, work) {
  const { onEvent, note } = createReporter(flags)
  const interrupt = watchInterrupts({ leave, note, reason: new lib.XferError('INTERRUPTED', { what }) })
  try {
    end(await work(interrupt.signal))
  } catch (error) {
    if (flags.debug) complain(/** @type {Error} */ (error))
    end(reportFailure(error, onEvent))
  } finally {
    interrupt.stop()
  }
}

module.exports = { runCommand }
