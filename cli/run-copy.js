'use strict'

const { watchInterrupts } = require('./interrupt')
const { createReporter } = require('./reporters')

/**
 * Runs a command that tells its story by events: the last of them is how it ended.
 *
 * @param {import('./run').Process} process
 * @param {{ json?: boolean, quiet?: boolean, debug?: boolean }} flags
 * @param {(options: { signal: AbortSignal, onEvent: (event: import('../lib/types').XferEvent) => void }) => Promise<unknown>} work
 */
async function runCopy({ end, leave, complain }, flags, work) {
  const { onEvent, note } = createReporter(flags)
  const interrupt = watchInterrupts({ leave, note })
  try {
    await work({ signal: interrupt.signal, onEvent })
    end(0)
  } catch (error) {
    if (flags.debug) complain(/** @type {Error} */ (error))
    end(/** @type {any} */ (error).exitCode ?? 1)
  } finally {
    interrupt.stop()
  }
}

module.exports = { runCopy }
