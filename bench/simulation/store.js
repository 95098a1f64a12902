'use strict'

/**
 * A store that bears only so much for a while, and refuses the rest at once (503 SlowDown); afterwards it bears all. And
 * what came of it.
 */

/** Requests of how long may come together, where it is so many a second that are borne. */
const BUCKET_S = 1
/** The first crowd comes before anybody can know; what is refused later was not learned from. */
const FIRST_MS = 5_000

/**
 * @typedef {{ atOnce?: number, perSecond?: number, untilMs: number }} Bears parts at once, or begun a second
 *
 * @typedef {ReturnType<typeof createStore>} SimulatedStore
 */

/**
 * @param {{ clock: import('./clock').VirtualClock, bears?: Bears }} world all, and for ever, when absent
 */
function createStore({ clock, bears: { atOnce = Infinity, perSecond = Infinity, untilMs } = { untilMs: 0 } }) {
  let busy = 0
  let tokens = perSecond * BUCKET_S
  let filledMs = clock.now()
  const counts = { taken: 0, refused: 0, refusedLater: 0, takenNarrow: 0 }
  /** Parts at once, by time, while little is borne. */
  let area = 0
  let sinceMs = 0
  /** When so many were under way as the key says, once all was borne again. @type {Map<number, number>} */
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

  /** Whether one more a second is borne. */
  function spend() {
    if (perSecond === Infinity) return true
    tokens = Math.min(perSecond * BUCKET_S, tokens + ((clock.now() - filledMs) / 1000) * perSecond)
    filledMs = clock.now()
    if (tokens < 1) return false
    tokens--
    return true
  }

  return {
    /** @returns {(() => void) | undefined} what says that the part is over; undefined: it was refused */
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
      /** On average, after the first crowd. */
      busyNarrow: area / Math.max(1, untilMs - FIRST_MS),
      /** How long after all was borne again so many were under way as the key says. */
      backMs,
    }),
  }
}

module.exports = { createStore }
