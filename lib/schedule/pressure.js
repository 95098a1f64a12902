'use strict'

/**
 * The limit of invocations in flight for one that refuses: the platform (429), or a store (503 SlowDown, 429). Additive
 * increase, multiplicative decrease, as in TCP (RFC 5681): a refusal lowers the limit by three tenths of what was accepted,
 * and then a little is added each second. It rises with time and not with answers, because an invocation may take a minute.
 * If nothing is refused for long, the increase doubles every few seconds; without that the way back from 40 to 1,000 would
 * take minutes. Pure: the clock and randomness are arguments.
 */

const { requestedWaitMs } = require('../async')

const DECREASE = 0.7
/** A platform counts an invocation for a moment after its answer, so a refusal near the maximum that it told lowers by only one. */
const NEAR = 0.9
/** The share of the accepted number that is added each second, so it is reached again after six seconds; and the minimum. */
const INCREASE = 0.05
const LEAST_INCREASE = 0.1
/** Longer than the way from seven tenths back to the old limit. After this time the increase doubles, and again each time. */
const CALM_S = 7
const DOUBLING_S = 2
/** The most that one answer may add, as a share of the limit: an answer can come after a long time. */
const MOST_STEP = 0.5
/** Refusals of requests without a start time count as one within this time. */
const ONE_SIGNAL_MS = 1_000
const MOST_REFUSALS = 6

/** An invocation waited for a container, if that took this share of its work, */
const QUEUED = 0.3
/** and longer than the start of a new one takes. */
const START_MS = 2_000
/** Below this share it did not wait: there are more containers than are used. */
const UNQUEUED = 0.05
/** The number of containers is used once this many invocations in a row have waited. */
const FEW_QUEUED = 4
/** The user is told the number after this many: the first invocations wait less, so the number is too low at first. */
const TOLD_QUEUED = 24
/** The invocations in flight are this many times the containers, so that no container is idle. */
const SPARE = 1.2

/** @param {() => number} random */
function createAdaptiveLimit(random) {
  /** Infinity: nothing was refused, or everything is accepted again. */
  let current = Number.POSITIVE_INFINITY
  let borne = current
  /** The maximum at once that the platform has told; the limit is never above it. */
  let told = current
  let decreasedMs = Number.NEGATIVE_INFINITY
  let grownMs = 0
  /** Since the last decrease. */
  let answers = 0
  /** Refusals in a row, without an answer between them. */
  let refusals = 0
  /** The containers that work at a time, and how many invocations have shown it. Undefined: none has waited for one. @type {{ containers: number, seen: number } | undefined} */
  let pool
  /** The same number, once it is believed. @type {number | undefined} */
  let working
  /** When the last invocations ran, by the platform's clock. @type {Array<{ startMs: number, endMs: number }>} */
  const runs = []

  /** @param {number} accepted @param {number} allowed */
  function lowerTo(accepted, allowed) {
    borne = Math.max(1, Math.min(borne, accepted))
    if (borne < NEAR * allowed) current = Math.min(current, borne * DECREASE)
    else told = Math.max(NEAR * allowed, Math.min(told, borne - 1))
    current = Math.max(1, Math.min(current, told))
  }

  return {
    /** Whole and at least 1, or Infinity. */
    current: () => Math.max(1, Math.floor(current)),

    /** The containers that work at a time, where invocations wait for one; undefined: none does, or it is not known yet. */
    containers: () => working,

    /**
     * The platform tells how long an invocation waited for a container, and how long it ran. While it waited and ran, others were
     * answered: their rate times the time that each takes is the number of containers (Little's law). Where nobody waits there
     * are more than are used. The first wave is answered at once, which makes that rate too low for a while: so the number is never taken to be lower
     * than that of the invocations that ran at the same moment. Pools grow with demand, so a new container's start does not show that there are too few.
     *
     * @param {Parameters<NonNullable<import('../types').RunOptions['onQueued']>>[0] & { nowMs: number, answered: number, most: number }} told
     *   answered: invocations since it was sent, itself included; most: in flight without this limit
     * @returns {number | undefined} the containers that work at a time, once, when that has settled
     */
    queued({ nowMs, startMs, waitedMs, ranMs, isNew, answered, most }) {
      runs.push({ startMs, endMs: startMs + ranMs })
      if (runs.length > 2 * most) runs.shift()
      if (waitedMs > Math.max(START_MS, QUEUED * ranMs)) {
        if (isNew) return undefined
        const found = (answered * ranMs) / (waitedMs + ranMs)
        const { containers, seen } = pool ?? { containers: found, seen: 0 }
        const mean = seen === 0 ? found : 0.8 * containers + 0.2 * found
        pool = { containers: Math.max(1, mean, mostAtOnce(runs, startMs - waitedMs)), seen: seen + 1 }
        if (pool.seen < FEW_QUEUED) return undefined
        working = Math.round(pool.containers)
        current = Math.min(told, Math.ceil(SPARE * pool.containers) + 1)
        borne = current
        decreasedMs = nowMs
        grownMs = nowMs
        return pool.seen === TOLD_QUEUED ? working : undefined
      }
      if (pool && waitedMs < UNQUEUED * ranMs) {
        pool.seen = 0
        // Slowly: what is too much shows only when it has waited.
        current = Math.min(told, current + 1 / current)
        if (current < Math.min(most, told)) return undefined
        current = told
        pool = undefined
        working = undefined
      }
      return undefined
    },

    /**
     * Something was refused.
     *
     * @param {object} refusal
     * @param {number} refusal.nowMs
     * @param {number} [refusal.askedMs] when that request started; absent: not known
     * @param {number} refusal.others requests still in flight, which were accepted
     * @param {number} refusal.most in flight without this limit
     * @param {number} [refusal.allowed] the maximum at once, if the platform says it
     * @param {number} [refusal.retryAfterMs]
     * @param {boolean} [refusal.brief] it is soon over
     * @returns {number} milliseconds in which nothing may start
     */
    refused({ nowMs, askedMs, others, most, allowed = Number.POSITIVE_INFINITY, retryAfterMs, brief = false }) {
      const heard = askedMs === undefined ? nowMs - decreasedMs < ONE_SIGNAL_MS : askedMs <= decreasedMs
      told = Math.min(told, allowed)
      if (heard) {
        // Those are accepted that started at the same time and were not refused.
        lowerTo(others + answers, allowed)
        if (retryAfterMs === undefined) return 0
      } else {
        borne = Math.min(current, told, most)
        answers = 0
        decreasedMs = nowMs
        grownMs = nowMs
        refusals++
        lowerTo(others + 1, allowed)
      }
      return refusalMs({ refusals, brief, retryAfterMs, random })
    },

    /**
     * A request was answered, and not refused.
     *
     * @param {object} answer
     * @param {number} answer.nowMs
     * @param {number} answer.inFlight including that one
     * @param {number} answer.most in flight without this limit
     */
    answered({ nowMs, inFlight, most }) {
      answers++
      refusals = 0
      // How many containers there are, only those tell that wait for them.
      if (current === told || pool) return
      const passedS = Math.max(0, nowMs - grownMs) / 1000
      grownMs = Math.max(grownMs, nowMs)
      // If the limit is not used up, an answer does not show that more are accepted.
      if (inFlight < Math.floor(current)) return
      const calmS = (nowMs - decreasedMs) / 1000
      const perSecond = Math.max(LEAST_INCREASE, INCREASE * borne) * 2 ** (Math.max(0, calmS - CALM_S) / DOUBLING_S)
      current += Math.min(perSecond * passedS, Math.max(1, MOST_STEP * current))
      if (current >= Math.min(most, told)) current = told
    },
  }
}

/**
 * @param {Array<{ startMs: number, endMs: number }>} runs
 * @param {number} sinceMs those that ended before do not count: a pool may shrink
 * @returns {number} how many ran at the same moment
 */
function mostAtOnce(runs, sinceMs) {
  const recent = runs.filter(({ endMs }) => endMs > sinceMs)
  const ends = recent.map(({ endMs }) => endMs).sort((a, b) => a - b)
  const starts = recent.map(({ startMs }) => startMs).sort((a, b) => a - b)
  let ended = 0
  return starts.reduce((most, startMs, i) => {
    while (ends[ended] <= startMs) ended++
    return Math.max(most, i + 1 - ended)
  }, 0)
}

/** Three retries take five to ten seconds, enough for a store that restarts or a network that changes. */
const FIRST_MS = 500
const GROWTH = 4
const MOST_MS = 20_000

/**
 * The back-off before a retry. Exponential with jitter: between half of the step and all of it, and never less than the server
 * asked for. Pure: randomness is an argument.
 *
 * @param {{ attempt: number, retryAfterMs?: number, random: () => number }} failure attempt: 1 for the first
 * @returns {number} milliseconds
 */
function backoffMs({ attempt, retryAfterMs, random }) {
  const step = Math.min(MOST_MS, FIRST_MS * GROWTH ** (attempt - 1))
  const asked = requestedWaitMs(retryAfterMs)
  return Math.max(step * (0.5 + 0.5 * random()), asked * (1 + 0.1 * random()))
}

/**
 * How long nothing starts after a refusal.
 *
 * @param {{ refusals: number, brief: boolean, retryAfterMs?: number, random: () => number }} how refusals: in a row; brief: it is soon over
 * @returns {number} milliseconds
 */
function refusalMs({ refusals, brief, retryAfterMs, random }) {
  return backoffMs({ attempt: brief ? 1 : Math.min(refusals, MOST_REFUSALS), retryAfterMs, random })
}

/** Whether what is refused is soon accepted: files and connections of this machine are free again once something has ended. @param {import('../types').XferError} error */
const isBrief = ({ code }) => code === 'TOO_MANY_FILES'

/** The limits of a job's stores: one for each store, for all requests to it. Pure. */

/** @typedef {import('../types').SideName} SideName */
/** @typedef {ReturnType<typeof createPressure>} Pressure */
/** @typedef {ReturnType<typeof createAdaptiveLimit>} Limit */
/**
 * @typedef {object} Starter
 * @property {() => { perMinute?: number } | undefined} waitsForQuota the platform's, if something waits for it now
 * @property {() => import('../types').Bound | undefined} [bound] what keeps another invocation from starting now
 */

/**
 * @param {{ same?: boolean, outages: import('./outage').Outages, random: () => number }} how same: both sides are one store;
 *   outages: of the stores and the platform
 */
function createPressure({ same = false, outages, random }) {
  const source = createAdaptiveLimit(random)
  const limits = { source, destination: same ? source : createAdaptiveLimit(random) }
  /** What starts invocations. @type {Set<Starter>} */
  const starters = new Set()
  /** The last reported number of invocations in flight. */
  let known = { inFlight: 0, most: 0 }

  return {
    outages,

    /** The number that may be in flight; Infinity if neither store has refused anything, 0 during an outage. */
    current: () => (outages.holding() ? 0 : Math.min(source.current(), limits.destination.current())),

    /** @param {SideName} side */
    of: side => limits[side],

    /**
     * A request was refused that is not for a part of the copy. If no part is in flight, that does not show how many the
     * store would accept.
     *
     * @param {SideName} side
     * @param {number} nowMs
     * @param {number} [retryAfterMs]
     */
    refusedElsewhere(side, nowMs, retryAfterMs) {
      const { inFlight: others, most } = known
      if (others > 0) limits[side].refused({ nowMs, others, most, retryAfterMs })
    },

    /** @param {number} inFlight @param {number} most in flight without limits */
    underWay(inFlight, most) {
      known = { inFlight, most }
    },

    /** @param {Parameters<Limit['answered']>[0]} answer @param {Array<SideName | undefined>} but the sides that refused something */
    answered(answer, but) {
      const refusing = but.map(side => side && limits[side])
      for (const limit of new Set(Object.values(limits))) if (!refusing.includes(limit)) limit.answered(answer)
    },

    /** @param {Starter} starter @returns {() => void} ends that */
    watch(starter) {
      starters.add(starter)
      return () => starters.delete(starter)
    },

    /** For the progress: the stores that throttle, the outages, the platform's quota if it is used up, and what keeps more from starting. */
    hindrances() {
      const sides = /** @type {SideName[]} */ (same ? ['destination'] : ['source', 'destination'])
      const all = sides.map(store => ({ store, limit: limits[store].current() }))
      const slowed = all.filter(({ limit }) => limit < Number.POSITIVE_INFINITY)
      const away = outages.told()
      const waiting = [...starters].map(({ waitsForQuota }) => waitsForQuota()).find(found => found !== undefined)
      const bound = away[0]
        ? { by: /** @type {const} */ ('outage'), peer: away[0].peer }
        : [...starters].map(starter => starter.bound?.()).find(found => found !== undefined)
      return {
        ...(slowed.length > 0 && { slowed }),
        ...(away.length > 0 && { away }),
        ...(waiting && { waiting }),
        ...(bound && { bound }),
      }
    },
  }
}

/** The store that throttles, according to an error; undefined if it is another error. @param {import('../types').XferError} error @returns {SideName | undefined} */
function refusingSide({ code, facts: { side } }) {
  return code === 'STORE_THROTTLED' ? side : undefined
}

module.exports = { createAdaptiveLimit, backoffMs, createPressure, isBrief, refusalMs, refusingSide }
