'use strict'

/** @typedef {{ runsOn?: string, job?: string, dryRun?: boolean, growing?: true }} Plan the event of a copy, as far as it matters here */

/**
 * After the first Ctrl-C: what is under way has 5 s (DRAIN_MS of lib/async/cancellation.js), and as long again to end by
 * itself. What hangs then, as a read of a file system that does not answer, may hang for ever.
 */
const LAST_MS = 10_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * The first Ctrl-C (or SIGTERM, or SIGHUP: the terminal is gone) cancels the work; the second ends the process at once. LAST_MS after the first it ends in
 * any case.
 *
 * @param {object} how
 * @param {import('./run').Process['leave']} how.leave
 * @param {(line: string) => void} how.note
 * @param {unknown} [how.reason] the abort reason of the signal; AbortController's own when absent
 * @param {() => Plan | undefined} [how.planned] the plan of a copy, once there is one
 * @returns {{ signal: AbortSignal, stop: () => void }} stop: removes the listeners and the timer
 */
function watchInterrupts({ leave, note, reason, planned }) {
  const controller = new AbortController()
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const stop = () => {
    clearTimeout(timer)
    for (const name of SIGNALS) process.off(name, onSignal)
  }
  const beforeLeaving = () => {
    for (const line of leavingLines(planned?.())) note(line)
    // A further signal ends the process without asking it.
    stop()
  }
  const onSignal = () => {
    if (controller.signal.aborted) {
      beforeLeaving()
      return leave(130)
    }
    timer = setTimeout(() => {
      beforeLeaving()
      leave(130, { hangs: true })
    }, LAST_MS)
    controller.abort(reason)
    note(stoppingLine(planned?.()))
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  return { signal: controller.signal, stop }
}

/** @param {Plan} [plan] */
function stoppingLine(plan) {
  // A copy waits so long: DRAIN_MS of lib/async/cancellation.js. Of a stream nothing is kept.
  if (plan && !plan.dryRun && !plan.growing) {
    return 'xfer: stopping; waiting up to 5 s for what is under way. Press Ctrl-C again to exit at once.'
  }
  return 'xfer: stopping; press Ctrl-C again to exit at once.'
}

/** What goes on without this process. @type {Record<string, string>} */
const GOES_ON = {
  platform: '; functions that are under way may still finish their parts',
  store: '; the store may still finish what it copies',
}

/** @param {Plan} [plan] */
function leavingLines({ runsOn = 'machine', job, dryRun } = {}) {
  return [
    `xfer: exiting at once${dryRun ? '' : (GOES_ON[runsOn] ?? '')}.`,
    ...(job === undefined ? [] : [`      What was copied is kept; go on with: xfer resume ${job}`]),
  ]
}

module.exports = { watchInterrupts }
