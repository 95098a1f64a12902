'use strict'

/**
 * The first Ctrl-C (or SIGTERM) cancels the work; the second ends the process at once.
 *
 * @param {{ leave: (status: number) => void, note: (line: string) => void, reason?: unknown }} how reason: the abort reason
 *   of the signal; AbortController's own when absent
 * @returns {{ signal: AbortSignal, stop: () => void }} stop: removes the listeners
 */
function watchInterrupts({ leave, note, reason }) {
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) return leave(130)
    controller.abort(reason)
    note('xfer: stopping; press Ctrl-C again to exit at once.')
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    signal: controller.signal,
    stop() {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}

module.exports = { watchInterrupts }
