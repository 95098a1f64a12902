'use strict'

/** @import { Fault, FaultTarget } from './types' */

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
 * @param {Fault} fault
 */
function createMatcher(fault) {
  const random = seededRandom(fault.seed ?? 1)
  const nth = fault.nth === undefined ? undefined : [fault.nth].flat()
  let calls = 0
  return {
    fault,
    /** @param {FaultTarget} target @param {string | undefined} action */
    strikes(target, action) {
      if ((fault.on ?? 'invoke') !== target) return false
      if (fault.action !== undefined && fault.action !== action) return false
      calls += 1
      if (nth && !nth.includes(calls)) return false
      if (fault.first !== undefined && calls > fault.first) return false
      return fault.probability === undefined || random() < fault.probability
    },
  }
}

/**
 * The misbehaviour that the platform was told to show. Each fault counts the calls that match its target and action by itself.
 *
 * @param {Fault[]} initial
 */
function createFaults(initial) {
  let matchers = initial.map(createMatcher)
  return {
    /** @param {...Fault} added */
    add(...added) {
      matchers.push(...added.map(createMatcher))
    },
    clear() {
      matchers = []
    },
    /**
     * What befalls this call: the effects of all the faults that match it, later ones over earlier ones.
     *
     * @param {FaultTarget} target
     * @param {string | undefined} action `package/action` or `action`
     * @returns {Fault}
     */
    strike(target, action) {
      return Object.assign(
        {},
        ...matchers.filter(matcher => matcher.strikes(target, action)).map(matcher => matcher.fault),
      )
    },
  }
}

module.exports = { createFaults }
