'use strict'

/**
 * When a fault strikes. Without any of nth, first and probability it always does.
 *
 * @typedef {object} When
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
 * The faults of a store or a platform. Each has its own count of the calls that match it.
 *
 * @template {When} F
 * @template C
 * @param {object} kind
 * @param {string[]} kind.fields that a fault may have; one with any other is refused, because a misspelled one would never apply
 * @param {(fault: F, call: C) => boolean} kind.fits whether a fault means this call
 * @param {number} [kind.seed] of the random numbers that all faults without a seed share
 * @param {F[]} [initial]
 */
function createRules({ fields, fits, seed = 1 }, initial = []) {
  const shared = seededRandom(seed)
  /** @typedef {{ fault: F, random: () => number, calls: number, hits: number }} Rule */
  /** @type {Rule[]} */
  let rules = []

  /** @param {Rule} rule @param {C} call */
  function strikes(rule, call) {
    const { nth, first, probability } = rule.fault
    if (!fits(rule.fault, call)) return false
    rule.calls += 1
    if (nth !== undefined && ![nth].flat().includes(rule.calls)) return false
    if (first !== undefined && rule.calls > first) return false
    if (probability !== undefined && rule.random() >= probability) return false
    rule.hits += 1
    return true
  }

  /**
   * @param {...F} faults
   * @returns {{ readonly hits: number, remove(): void }} hits: how often they were applied
   * @throws {TypeError} for an unknown field
   */
  function add(...faults) {
    const unknown = faults.flatMap(fault => Object.keys(fault)).find(name => !fields.includes(name))
    if (unknown !== undefined) throw new TypeError(`a fault has no "${unknown}"`)
    const added = faults.map(fault => {
      const random = fault.seed === undefined ? shared : seededRandom(fault.seed)
      return { fault: { ...fault }, random, calls: 0, hits: 0 }
    })
    rules.push(...added)
    return {
      get hits() {
        return added.reduce((sum, { hits }) => sum + hits, 0)
      },
      remove() {
        rules = rules.filter(rule => !added.includes(rule))
      },
    }
  }

  /** @param {C} call */
  const struck = call => rules.filter(rule => strikes(rule, call)).map(({ fault }) => fault)

  add(...initial)
  return {
    add,
    clear() {
      rules = []
    },
    /** How often faults have been applied; two faults on one call count twice. */
    hits: () => rules.reduce((sum, { hits }) => sum + hits, 0),
    /** All faults that strike this call, in the order in which they were added. @type {(call: C) => F[]} */
    strikes: struck,
    /** Their combined effects; later faults override earlier ones. @type {(call: C) => F} */
    strike: call => Object.assign({}, ...struck(call)),
  }
}

/** What a fault may say on every platform. */
const CALL_FIELDS = [
  ...'on nth first probability seed cut status lose cutAnswer silent killAfterMs death truncate'.split(' '),
]

/**
 * The faults of a platform. Each is about the calls of one name.
 *
 * @template {When & { on?: string }} F
 * @param {string} usual the name, for a fault that says none
 * @param {string[]} fields beside those of every platform
 * @param {F[]} initial
 */
function createCallFaults(usual, fields, initial) {
  /** @param {F} fault @param {string} name */
  const fits = (fault, name) => (fault.on ?? usual) === name
  return createRules({ fields: [...CALL_FIELDS, ...fields], fits }, initial)
}

module.exports = { createCallFaults, createRules, seededRandom }
