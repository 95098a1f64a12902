'use strict'

/**
 * Whether a store or a platform is there. A failure that all its users may share (a refused connection, a cut, a 5xx, a
 * name that is not found) is an outage where a small probe request fails likewise, and else the request's own. Pure: the
 * clock and chance come in.
 */

/** Probes: the first waits so long, each later one twice as long. */
const FIRST_PROBE_MS = 250
const MOST_PROBE_MS = 5_000
/** When an outage is told of, and from then on every minute. */
const TELL_AT_MS = [1_000, 5_000, 10_000, 20_000, 30_000, 60_000]
const TELL_EVERY_MS = 60_000
/** So many requests in a row may fail for longer than the limit, though the probe is answered. */
const MANY = 100

/**
 * @param {{ timeoutMs: number }} how timeoutMs: after which an outage is given up
 */
function createState({ timeoutMs }) {
  /** Whether it has ever answered: what never did may be mistyped, and is not waited for. */
  let heard = false
  let lost = false
  /** @type {{ sinceMs: number, probes: number, toldMs: number } | undefined} */
  let down
  /** When the last outage ended. */
  let overMs = Number.NEGATIVE_INFINITY
  /** Requests that moved bytes, or were to, and failed, one after the other. */
  let failures = 0
  let failingSinceMs = 0

  return {
    isDown: () => down !== undefined,
    /** @param {number} nowMs @returns {number} milliseconds; 0 where it is there */
    downMs: nowMs => (down ? nowMs - down.sinceMs : 0),

    /**
     * What a failure is, of a request that was begun at `askedMs`: `ask`, a probe decides.
     *
     * @param {number} askedMs
     * @returns {'own' | 'outage' | 'ask'}
     */
    judge(askedMs) {
      if (lost || !heard) return 'own'
      return down || askedMs < overMs ? 'outage' : 'ask'
    },

    /**
     * It answered a request that was begun at `askedMs`.
     *
     * @param {number} askedMs
     * @param {number} nowMs
     * @returns {{ forMs: number, told: boolean } | undefined} the outage that has ended; told: whether it was told of
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
     * A probe that was begun at `askedMs` was not answered.
     *
     * @param {number} askedMs
     * @param {number} nowMs
     * @returns {{ forMs: number, tell: boolean, lost: boolean }} tell: it is time to say so; lost: and to give up
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

    /** Until the next probe. @param {number} nowMs @param {number} chance from 0 to 1 @returns {number} milliseconds */
    probeInMs(nowMs, chance) {
      if (!down) return 0
      const step = Math.min(MOST_PROBE_MS, FIRST_PROBE_MS * 2 ** (down.probes - 1))
      return Math.max(0, Math.min(step * (0.75 + 0.25 * chance), down.sinceMs + timeoutMs - nowMs))
    },

    /** A request did what it was to do. */
    worked() {
      failures = 0
    },

    /**
     * A request failed by itself, though the probe is answered. That one object fails is its own matter; but where none
     * comes to anything a million need not be tried, each for minutes.
     *
     * @param {number} nowMs
     * @returns {{ failures: number, forMs: number } | undefined} where it is time to give up
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
