'use strict'

/**
 * How many parts of an invocation run at the same time, each with connections of its own. One connection is often slower than
 * a function's network, and more of them burden the stores. So the number is doubled, from one, as long as invocations with
 * twice as many are clearly faster. While a store refuses requests because there are too many, it is one: a refusal is then
 * heard at once, and not only when the other parts of the invocation are done. Pure.
 */

/** Invocations that are measured before a number is judged. */
const ENOUGH = 8
/** Twice as many have to be so much faster to stay. */
const GAIN = 1.2
/** The share of the newest requests, some hundreds, that is refused by a store that has too many. Stray refusals are fewer. */
const REFUSED = 0.005
const NEWEST = 500
/** Measurements that are kept of each number. */
const MOST_KEPT = 32

/** @param {{ first: number, most: number }} how first: known beforehand to help; both are powers of two */
function createLanes({ first, most }) {
  let current = first
  let found = current >= most
  let refusedShare = 0
  const pressed = () => refusedShare > REFUSED
  /** Bytes per millisecond of the newest invocations, by number. @type {Map<number, number[]>} */
  const rates = new Map()

  /** @param {number} lanes @returns {number | undefined} the median; undefined before there are enough */
  function rateOf(lanes) {
    const known = rates.get(lanes) ?? []
    if (known.length < ENOUGH) return undefined
    return [...known].sort((a, b) => a - b)[Math.floor(known.length / 2)]
  }

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
      const known = rates.get(lanes) ?? []
      rates.set(lanes, [...known.slice(1 - MOST_KEPT), bytes / Math.max(1, elapsedMs)])
      const rate = rateOf(lanes)
      if (rate === undefined) return
      const half = rateOf(lanes / 2)
      const helps = half === undefined || rate >= GAIN * half
      if (helps && current < most) current *= 2
      else {
        if (!helps) current /= 2
        found = true
      }
    },
  }
}

module.exports = { createLanes }
