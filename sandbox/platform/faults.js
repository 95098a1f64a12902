'use strict'

/** @import { Fault, FaultTarget } from './types' */

/**
 * The purpose of each field of a fault: `which` calls and `when`, `what` happens to them, and `how`. A fault with any other
 * field is refused, because a misspelled one would never apply. `npm run faults` has a row for each field.
 *
 * @type {Record<keyof Fault, 'which' | 'when' | 'what' | 'how'>}
 */
const FIELDS = {
  on: 'which',
  action: 'which',
  nth: 'when',
  first: 'when',
  probability: 'when',
  seed: 'when',
  cut: 'what',
  status: 'what',
  throttle: 'how',
  message: 'how',
  retryAfter: 'how',
  delayMs: 'what',
  lose: 'what',
  cutAnswer: 'what',
  silent: 'what',
  accepted: 'what',
  recordLateMs: 'what',
  recordNever: 'what',
  killAfterMs: 'what',
  death: 'what',
  rerun: 'what',
  dieLoading: 'what',
  unready: 'what',
  answer: 'what',
  truncate: 'what',
}

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
 * @throws {TypeError}
 */
function createMatcher(fault) {
  for (const name of Object.keys(fault)) {
    if (!Object.hasOwn(FIELDS, name)) throw new TypeError(`a fault has no "${name}"`)
  }
  const random = seededRandom(fault.seed ?? 1)
  const nth = fault.nth === undefined ? undefined : [fault.nth].flat()
  let calls = 0
  return {
    fault,
    hits: 0,
    /** @param {FaultTarget} target @param {string | undefined} action */
    strikes(target, action) {
      if ((fault.on ?? 'invoke') !== target) return false
      if (fault.action !== undefined && fault.action !== action) return false
      calls += 1
      if (nth && !nth.includes(calls)) return false
      if (fault.first !== undefined && calls > fault.first) return false
      const struck = fault.probability === undefined || random() < fault.probability
      if (struck) this.hits += 1
      return struck
    },
  }
}

/**
 * The platform's faults. Each fault has its own count of the calls that match its target and action.
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
    /** How often faults have been applied; two faults on one call count twice. */
    hits: () => matchers.reduce((sum, { hits }) => sum + hits, 0),
    /**
     * Returns the combined effects of all faults that match this call; later faults override earlier ones.
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

module.exports = { createFaults, seededRandom, FIELDS }
