'use strict'

/**
 * The concurrency limit of a store, once it has throttled (503 SlowDown, 429). Additive increase, multiplicative decrease, as
 * in TCP (RFC 5681): a refusal lowers the limit by three tenths of what the store accepted, and then a little is added each
 * second. If nothing is refused for long, the increase doubles every few seconds; without that the way back from 40 to
 * 1,000 would take minutes. Pure: the clock and randomness are arguments.
 */

const { requestedWaitMs } = require('../../async')

const DECREASE = 0.7
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

/** @param {() => number} random */
function createStoreLimit(random) {
  /** Infinity: it has refused nothing, or accepts everything again. */
  let current = Number.POSITIVE_INFINITY
  let borne = current
  let decreasedMs = Number.NEGATIVE_INFINITY
  let grownMs = 0
  /** Since the last decrease. */
  let answers = 0
  /** Refusals in a row, without an answer between them. */
  let refusals = 0

  /** @param {number} most */
  function lowerTo(most) {
    borne = Math.max(1, Math.min(borne, most))
    current = Math.max(1, Math.min(current, borne * DECREASE))
  }

  return {
    /** Whole and at least 1, or Infinity. */
    current: () => Math.max(1, Math.floor(current)),

    /**
     * The store refused something.
     *
     * @param {object} refusal
     * @param {number} refusal.nowMs
     * @param {number} [refusal.askedMs] when that request started; absent: not known
     * @param {number} refusal.others requests still in flight, which it has accepted
     * @param {number} refusal.most in flight without this limit
     * @param {number} [refusal.retryAfterMs]
     * @returns {number} milliseconds in which nothing may start
     */
    refused({ nowMs, askedMs, others, most, retryAfterMs }) {
      const heard = askedMs === undefined ? nowMs - decreasedMs < ONE_SIGNAL_MS : askedMs <= decreasedMs
      if (heard) {
        // The store accepts those that started at the same time and were not refused.
        lowerTo(others + answers)
        if (retryAfterMs === undefined) return 0
      } else {
        borne = Math.min(current, most)
        answers = 0
        decreasedMs = nowMs
        grownMs = nowMs
        refusals++
        lowerTo(others + 1)
      }
      return backoffMs({ attempt: Math.min(refusals, MOST_REFUSALS), retryAfterMs, random })
    },

    /**
     * The store answered a request without throttling.
     *
     * @param {object} answer
     * @param {number} answer.nowMs
     * @param {number} answer.inFlight including that one
     * @param {number} answer.most in flight without this limit
     */
    answered({ nowMs, inFlight, most }) {
      answers++
      refusals = 0
      if (current === Number.POSITIVE_INFINITY) return
      const passedS = Math.max(0, nowMs - grownMs) / 1000
      grownMs = Math.max(grownMs, nowMs)
      // If the limit is not used up, an answer does not show that the store accepts more.
      if (inFlight < Math.floor(current)) return
      const calmS = (nowMs - decreasedMs) / 1000
      const perSecond = Math.max(LEAST_INCREASE, INCREASE * borne) * 2 ** (Math.max(0, calmS - CALM_S) / DOUBLING_S)
      current += Math.min(perSecond * passedS, Math.max(1, MOST_STEP * current))
      if (current >= most) current = Number.POSITIVE_INFINITY
    },
  }
}

/** The back-off before a retry. Pure: randomness is an argument. */

/** Three retries take five to ten seconds, enough for a store that restarts or a network that changes. */
const FIRST_MS = 500
const GROWTH = 4
const MOST_MS = 20_000

/**
 * Exponential with jitter: between half of the step and all of it, and never less than the server asked for.
 *
 * @param {{ attempt: number, retryAfterMs?: number, random: () => number }} failure attempt: 1 for the first
 * @returns {number} milliseconds
 */
function backoffMs({ attempt, retryAfterMs, random }) {
  const step = Math.min(MOST_MS, FIRST_MS * GROWTH ** (attempt - 1))
  const asked = requestedWaitMs(retryAfterMs)
  return Math.max(step * (0.5 + 0.5 * random()), asked * (1 + 0.1 * random()))
}

module.exports = { createStoreLimit, backoffMs }
