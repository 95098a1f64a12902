'use strict'

/**
 * Whether a store or a platform is up. A failure that all its users may share (a refused connection, a cut, a 5xx, an
 * unknown host name) means an outage if a small probe request fails in the same way. Otherwise only that request failed.
 * Pure: clock and random numbers are arguments.
 */

/** The pause before the first probe; it doubles with each probe, up to the limit. */
const FIRST_PROBE_MS = 250
const MOST_PROBE_MS = 5_000
/** When an outage is reported; after these, every minute. */
const TELL_AT_MS = [1_000, 5_000, 10_000, 20_000, 30_000, 60_000]
const TELL_EVERY_MS = 60_000
/** How many requests in a row may fail while the probe is answered, before the time limit counts for them too. */
const MANY = 100

/**
 * @param {{ timeoutMs: number }} how timeoutMs: when to give up
 */
function createState({ timeoutMs }) {
  /** Whether it has ever answered. An address that never did may be mistyped, so nothing waits for it. */
  let heard = false
  let lost = false
  /** @type {{ sinceMs: number, probes: number, toldMs: number } | undefined} */
  let down
  /** When the last outage ended. */
  let overMs = Number.NEGATIVE_INFINITY
  /** Failed data requests in a row. */
  let failures = 0
  let failingSinceMs = 0

  return {
    isDown: () => down !== undefined,
    /** @param {number} nowMs @returns {number} milliseconds; 0 while it is up */
    downMs: nowMs => (down ? nowMs - down.sinceMs : 0),
    /** The time until the outage that there is, or that begins now, is given up. @param {number} nowMs @returns {number} milliseconds */
    leftMs: nowMs => (down ? down.sinceMs - nowMs : 0) + timeoutMs,

    /**
     * Classifies the failure of a request that began at `askedMs`. `ask`: a probe has to decide.
     *
     * @param {number} askedMs
     * @returns {'own' | 'outage' | 'ask'}
     */
    judge(askedMs) {
      if (lost || !heard) return 'own'
      return down || askedMs < overMs ? 'outage' : 'ask'
    },

    /**
     * Reports an answer to a request that began at `askedMs`.
     *
     * @param {number} askedMs
     * @param {number} nowMs
     * @returns {{ forMs: number, told: boolean } | undefined} the outage that ended; told: whether it had been reported
     */
    answered(askedMs, nowMs) {
      heard = true
      if (!down || askedMs < down.sinceMs) return undefined
      const ended = { forMs: nowMs - down.sinceMs, told: down.toldMs > 0 }
      overMs = nowMs
      down = undefined
      return ended
    },

    /**
     * Reports that a probe which began at `askedMs` was not answered.
     *
     * @param {number} askedMs
     * @param {number} nowMs
     * @returns {{ forMs: number, tell: boolean, lost: boolean }} tell: report it now; lost: give up
     */
    silent(askedMs, nowMs) {
      down ??= { sinceMs: askedMs, probes: 0, toldMs: 0 }
      down.probes++
      const forMs = nowMs - down.sinceMs
      const due = TELL_AT_MS.find(atMs => atMs > /** @type {any} */ (down).toldMs) ?? down.toldMs + TELL_EVERY_MS
      const tell = forMs >= due
      if (tell) down.toldMs = forMs
      lost = forMs >= timeoutMs
      if (lost) down = undefined
      return { forMs, tell, lost }
    },

    /** The pause before the next probe. @param {number} nowMs @param {number} chance from 0 to 1 @returns {number} milliseconds */
    probeInMs(nowMs, chance) {
      if (!down) return 0
      const step = Math.min(MOST_PROBE_MS, FIRST_PROBE_MS * 2 ** (down.probes - 1))
      return Math.max(0, Math.min(step * (0.75 + 0.25 * chance), this.leftMs(nowMs)))
    },

    /** Reports a request that succeeded. */
    worked() {
      failures = 0
    },

    /**
     * Reports a request that failed while the probe is answered. One failing object is no reason to stop. But when
     * every object fails, a million must not be tried for minutes each.
     *
     * @param {number} nowMs
     * @returns {{ failures: number, forMs: number } | undefined} set when it is time to give up
     */
    failed(nowMs) {
      if (failures++ === 0) failingSinceMs = nowMs
      const forMs = nowMs - failingSinceMs
      if (lost || failures <= MANY || forMs <= timeoutMs) return undefined
      lost = true
      return { failures, forMs }
    },
  }
}

module.exports = { createState }
