'use strict'

/**
 * A store with a limit for a while. It refuses further requests at once (503 SlowDown); afterwards it has no limit. Also
 * counts the results.
 */

const { createTokens } = require('./tokens')

/** The burst that is allowed if the limit is a rate, as a time: this many seconds' worth of requests. */
const BUCKET_S = 1
/** Refusals in this first time are expected, because no client knows the limit yet; later ones are not. */
const FIRST_MS = 5_000

/**
 * @typedef {{ atOnce?: number, perSecond?: number, untilMs: number }} Bears parts at once, or begun a second
 *
 * @typedef {ReturnType<typeof createStore>} SimulatedStore
 */

/**
 * @param {{ clock: import('./clock').VirtualClock, bears?: Bears }} world default no limit
 */
function createStore({ clock, bears: { atOnce = Infinity, perSecond, untilMs } = { untilMs: 0 } }) {
  let busy = 0
  const spend = createTokens({ atOnce: perSecond && perSecond * BUCKET_S, perSecond, clock })
  const counts = { taken: 0, refused: 0, refusedLater: 0, takenNarrow: 0 }
  /** Parts in flight, by time, while the limit holds. */
  let area = 0
  let sinceMs = 0
  /** When this many parts were first in flight after the limit ended, by number. @type {Map<number, number>} */
  const backMs = new Map()

  /** @param {number} change */
  function count(change) {
    const nowMs = clock.elapsedMs()
    const fromMs = Math.max(FIRST_MS, sinceMs)
    if (fromMs < untilMs) area += busy * Math.max(0, Math.min(nowMs, untilMs) - fromMs)
    sinceMs = nowMs
    busy += change
    if (nowMs > untilMs && change > 0 && !backMs.has(busy)) backMs.set(busy, nowMs - untilMs)
  }

  return {
    /** @returns {(() => void) | undefined} ends the part; undefined: it was refused */
    admit() {
      const narrow = clock.elapsedMs() < untilMs
      if (narrow && (busy >= atOnce || !spend())) {
        counts.refused++
        if (clock.elapsedMs() > FIRST_MS) counts.refusedLater++
        return undefined
      }
      counts.taken++
      if (narrow) counts.takenNarrow++
      count(1)
      return () => count(-1)
    },
    counted: () => ({
      ...counts,
      /** On average, after the first burst. */
      busyNarrow: area / Math.max(1, untilMs - FIRST_MS),
      /** How long after the end of the limit this many parts were in flight, by number. */
      backMs,
    }),
  }
}

module.exports = { createStore }
