'use strict'

/**
 * The conditions that every fault of a platform has. Without any of nth, first and probability it always happens.
 *
 * @typedef {object} CallFault
 * @property {number | number[]} [nth] only the n-th matching call since the fault was added, counted from 1; or each of these
 * @property {number} [first] only the first n matching calls
 * @property {number} [probability] 0 to 1, drawn from a generator with `seed`
 * @property {number} [seed]
 */

/**
 * A small seeded generator (mulberry32), so that a run with faults can be repeated.
 *
 * @param {number} seed
 * @returns {() => number} numbers from 0 up to 1
 */
function seededRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * The faults of a platform. Each fault has its own count of the calls that match it.
 *
 * @template {CallFault} F
 * @template C
 * @param {object} kind
 * @param {Record<string, 'which' | 'when' | 'what' | 'how'>} kind.fields the purpose of each field; a fault with any other is refused,
 *   because a misspelled one would never apply
 * @param {(fault: F, call: C) => boolean} kind.fits whether a fault means this call
 * @param {F[]} initial
 */
function createCallFaults({ fields, fits }, initial) {
  /** @param {F} fault @throws {TypeError} */
  function createMatcher(fault) {
    for (const name of Object.keys(fault)) {
      if (!Object.hasOwn(fields, name)) throw new TypeError(`a fault has no "${name}"`)
    }
    const random = seededRandom(fault.seed ?? 1)
    const nth = fault.nth === undefined ? undefined : [fault.nth].flat()
    let calls = 0
    return {
      fault,
      hits: 0,
      /** @param {C} call */
      strikes(call) {
        if (!fits(fault, call)) return false
        calls += 1
        if (nth && !nth.includes(calls)) return false
        if (fault.first !== undefined && calls > fault.first) return false
        const struck = fault.probability === undefined || random() < fault.probability
        if (struck) this.hits += 1
        return struck
      },
    }
  }

  let matchers = initial.map(createMatcher)
  return {
    /** @param {...F} added */
    add(...added) {
      matchers.push(...added.map(createMatcher))
    },
    clear() {
      matchers = []
    },
    /** How often faults have been applied; two faults on one call count twice. */
    hits: () => matchers.reduce((sum, { hits }) => sum + hits, 0),
    /** The combined effects of all faults that match this call; later faults override earlier ones. @param {C} call @returns {F} */
    strike(call) {
      return Object.assign({}, ...matchers.filter(matcher => matcher.strikes(call)).map(matcher => matcher.fault))
    },
  }
}

module.exports = { createCallFaults, seededRandom }
