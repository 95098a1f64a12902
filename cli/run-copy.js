'use strict'

const lib = require('../lib')

/**
 * Runs a command that reports by events. The last event says how it ended.
 *
 * @param {import('./run').Process} process
 * @param {{ json?: boolean, quiet?: boolean, verbose?: boolean, progress?: boolean, debug?: boolean }} flags
 * @param {(options: { signal: AbortSignal, onEvent: (event: any) => void }) => Promise<unknown>} work
 * @param {{ words?: import('./reporters').Words, reason?: unknown }} [own] for a command that is no copy: its texts, and the
 *   abort reason on Ctrl-C
 */
async function runCopy(
  { out, err, env, end, leave, complain, hintFor, discreet },
  flags,
  work,
  { words, reason = new lib.XferError('INTERRUPTED', { what: 'copy' }) } = {},
) {
  // The help loads this file too, and needs none of these.
  const { watchInterrupts } = require('./interrupt')
  const { createReporter } = require('./reporters')
  const { tidying } = require('./tidy')
  const { onEvent, note } = createReporter(flags, { out, err, env }, { words, startedMs: Date.now() })
  /** An error whose hint may be a better one, held until its facts are known. @type {any} */
  let held
  /** @type {any} */
  let plan
  const listener = (/** @type {any} */ event) => {
    if (event.type === 'plan' && !words) plan = event
    if (event.type !== 'error') return onEvent(event)
    if (require('./hints').mayAdvise(event.code)) held = event
    else tell(event)
  }
  const tell = (/** @type {any} */ error) =>
    onEvent({ ...error, message: discreet(error.message), hint: discreet(error.hint) })
  const interrupt = watchInterrupts({ leave, note, reason, planned: () => plan })
  try {
    await work({ signal: interrupt.signal, onEvent: tidying(listener) })
    end(0)
  } catch (error) {
    if (held) tell({ ...held, hint: hintFor(/** @type {any} */ (error)) })
    if (flags.debug) complain(/** @type {Error} */ (error))
    end(/** @type {any} */ (error).exitCode ?? 1)
  } finally {
    interrupt.stop()
  }
}

/**
 * Fails a command that reports by events, for a reason that the library does not know.
 *
 * @param {{ onEvent: (event: any) => void }} run
 * @param {import('../lib').XferErrorCode} code
 * @param {Record<string, any>} facts
 * @param {unknown} [cause]
 * @returns {never}
 * @throws {import('../lib').XferError} after its event
 */
function refuse({ onEvent }, code, facts, cause) {
  const error = new lib.XferError(code, facts, { cause })
  const { message, hint, exitCode } = error
  onEvent({ type: 'error', code, message, hint, exitCode, time: new Date().toISOString() })
  throw error
}

module.exports = { refuse, runCopy }
