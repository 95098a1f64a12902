'use strict'

/**
 * How many parts of an invocation run at the same time, each with connections of its own. One connection is often slower than
 * a function's network, and more of them burden the stores. So the number is doubled, from one, as long as invocations with
 * twice as many are clearly faster. While a store refuses requests because there are too many, it is one: a refusal is then
 * heard at once, and not only when the other parts of the invocation are done. Pure.
 */

const { medianOf } = require('./hedging')

/** Invocations that are measured before a number is judged. */
const ENOUGH = 8
/** Twice as many have to be so much faster to stay. */
const GAIN = 1.2
/** The share of the newest requests, some hundreds, that is refused by a store that has too many. Stray refusals are fewer. */
const REFUSED = 0.005
const NEWEST = 500
/** @param {{ first: number, most: number }} how first: known beforehand to help; both are powers of two */
function createLanes({ first, most }) {
  let current = first
  let found = current >= most
  let refusedShare = 0
  const pressed = () => refusedShare > REFUSED
  /** What half as many moved, in bytes per millisecond. */
  let before = 0
  /** The same of this number, for each invocation. @type {number[]} */
  let rates = []

  return {
    current: () => (pressed() ? 1 : current),
    pressed,

    /** @param {{ asked: number, refused: number }} requests refused: by a store, because there are too many */
    answered({ asked, refused }) {
      refusedShare += (refused - refusedShare * asked) / Math.max(NEWEST, asked)
    },

    /**
     * An invocation did all of its parts.
     *
     * @param {{ lanes: number, bytes: number, elapsedMs: number }} invocation lanes: that it used
     */
    took({ lanes, bytes, elapsedMs }) {
      if (found || lanes !== current || bytes === 0) return
      rates.push(bytes / Math.max(1, elapsedMs))
      if (rates.length < ENOUGH) return
      const rate = medianOf(rates)
      const helps = rate >= GAIN * before
      found = !helps || current === most
      if (!helps) current /= 2
      else if (!found) current *= 2
      before = rate
      rates = []
    },
  }
}

module.exports = { createLanes }
