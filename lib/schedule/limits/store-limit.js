'use strict'

/**
 * How much at once a store is asked for, once it has refused some of it (503 SlowDown, 429). Additive increase,
 * multiplicative decrease, as TCP has it (RFC 5681): a refusal takes three tenths of what was borne, and then a little
 * is added each second. Where nothing is refused for long the store bears more than it did, and what is added doubles
 * every few seconds; without that the way back from 40 to 1,000 would take minutes. Pure: the clock and chance come in.
 */

const { backoffMs } = require('./backoff')

const DECREASE = 0.7
/** Of what was borne, added each second: it is reached again after six; and so much at least. */
const INCREASE = 0.05
const LEAST_INCREASE = 0.1
/** Longer than it takes to get from seven tenths to the whole; after that it doubles so often. */
const CALM_S = 7
const DOUBLING_S = 2
/** At once, as a share of what there is: an answer can come after a long time. */
const MOST_STEP = 0.5
/** What comes from elsewhere, and does not say when it was asked, is one signal for so long. */
const ONE_SIGNAL_MS = 1_000
const MOST_REFUSALS = 6

/** @param {() => number} random */
function createStoreLimit(random) {
  /** Infinity: it has refused nothing, or bears all that is asked for again. */
  let current = Number.POSITIVE_INFINITY
  let borne = current
  let decreasedMs = Number.NEGATIVE_INFINITY
  let grownMs = 0
  /** Since the last decrease. */
  let answers = 0
  /** One after the other, without an answer between. */
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
     * @param {number} [refusal.askedMs] when it was asked for that; not known when absent
     * @param {number} refusal.others still under way: what it does bear
     * @param {number} refusal.most at once, that there would be
     * @param {number} [refusal.retryAfterMs]
     * @returns {number} milliseconds for which nothing is to start
     */
    refused({ nowMs, askedMs, others, most, retryAfterMs }) {
      const heard = askedMs === undefined ? nowMs - decreasedMs < ONE_SIGNAL_MS : askedMs <= decreasedMs
      if (heard) {
        // All that began together and was not refused is what it bears.
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
     * It did something that was asked for.
     *
     * @param {object} answer
     * @param {number} answer.nowMs
     * @param {number} answer.inFlight with that one
     * @param {number} answer.most at once, that there would be without this limit
     */
    answered({ nowMs, inFlight, most }) {
      answers++
      refusals = 0
      if (current === Number.POSITIVE_INFINITY) return
      const passedS = Math.max(0, nowMs - grownMs) / 1000
      grownMs = Math.max(grownMs, nowMs)
      // Who does not use what he may learns nothing of what more he might.
      if (inFlight < Math.floor(current)) return
      const calmS = (nowMs - decreasedMs) / 1000
      const perSecond = Math.max(LEAST_INCREASE, INCREASE * borne) * 2 ** (Math.max(0, calmS - CALM_S) / DOUBLING_S)
      current += Math.min(perSecond * passedS, Math.max(1, MOST_STEP * current))
      if (current >= most) current = Number.POSITIVE_INFINITY
    },
  }
}

module.exports = { createStoreLimit }
