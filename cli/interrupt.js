'use strict'

/**
 * The first Ctrl-C (or SIGTERM) stops in order; the second leaves at once.
 *
 * @param {{ leave: (status: number) => void, note: (line: string) => void, reason?: unknown }} how reason: what the signal's
 *   listeners are told; an interruption when absent
 * @returns {{ signal: AbortSignal, stop: () => void }} stop: interruptions are no longer watched for
 */
function watchInterrupts({ leave, note, reason }) {
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) return leave(130)
    controller.abort(reason)
    note('xfer: stopping; once more to leave at once.')
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
