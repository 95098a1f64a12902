'use strict'

/** What goes wrong in a run: rules for stores, for the relays before them, and for platforms. Pure. */

/**
 * @typedef {ReturnType<typeof import('./draw').diceOf>} Dice
 * @typedef {import('../../sandbox/store/types').FaultRule} Rule
 */

const WRITES = ['PutObject', 'UploadPart']
const READS = ['GetObject']
const CONTROL = ['CreateMultipartUpload', 'CompleteMultipartUpload', 'ListParts', 'AbortMultipartUpload']

/** A relay knows fewer of them than the sandbox's own store; the others do nothing there. @type {Rule[]} */
const OF_SOURCE = [
  { operation: READS, status: 500 },
  { operation: READS, status: 503 },
  { operation: READS, cutAfterBytes: 1000, on: 'response' },
  { operation: READS, ignoreRange: true },
  { operation: READS, wrongContentRange: true },
  { operation: 'HeadObject', status: 500 },
  { operation: 'ListObjectsV2', status: 500 },
  { operation: 'ListObjectsV2', cutAfterBytes: 300, on: 'response' },
  { operation: 'ListObjectsV2', truncateXml: true },
]
/** @type {Rule[]} */
const OF_DESTINATION = [
  { operation: WRITES, status: 500 },
  { operation: WRITES, status: 503 },
  { operation: WRITES, status: 500, afterWork: true },
  { operation: WRITES, cutAfterBytes: 500 },
  { operation: WRITES, loseAnswer: true },
  { operation: WRITES, answerDelayMs: 400 },
  { operation: CONTROL, status: 500 },
  { operation: CONTROL, status: 500, afterWork: true },
  { operation: CONTROL, loseAnswer: true },
  { operation: CONTROL, delayMs: 100 },
  { operation: CONTROL, truncateXml: true },
  { operation: 'CompleteMultipartUpload', errorInBody: true },
  { operation: 'CompleteMultipartUpload', errorInBody: true, afterWork: true },
  { operation: 'ListMultipartUploads', status: 500 },
  { operation: ['HeadObject', ...READS], status: 500 },
  { operation: READS, cutAfterBytes: 1000, on: 'response' },
  { operation: 'ListObjectsV2', status: 503 },
  { operation: ['DeleteObject', 'DeleteObjects'], status: 500 },
  { operation: ['DeleteObject', 'DeleteObjects'], loseAnswer: true },
]
const CONFIGURATION = 'GetFunctionConfiguration'
const LOST = [{ cut: true }, { lose: true }, { cutAnswer: true }]
const DEAD = [{ truncate: true }, { killAfterMs: 0 }, { death: 'exit' }]
/** By the name of the engine. @type {Record<string, Record<string, unknown>[]>} */
const OF_PLATFORM = {
  openwhisk: [{ status: 500 }, { status: 503 }, ...LOST, { accepted: true }, ...DEAD, { on: 'actions', status: 500 }],
  lambda: [{ status: 500 }, { status: 429 }, ...LOST, ...DEAD, { death: 'memory' }, { on: CONFIGURATION, status: 500 }],
}

/** @template T @param {Dice} dice @param {T[]} rules @param {number} most @param {[number, number]} percent */
function some({ integer, pick, seed }, rules, most, percent) {
  const many = rules.length === 0 ? 0 : integer(0, most)
  return Array.from({ length: many }, () => ({ probability: integer(...percent) / 100, seed: seed(), ...pick(rules) }))
}

/**
 * A byte is flipped: once, now and then, or always. Of readings not now and then: two that begin at the same byte, both
 * flipped at the same place, agree with each other.
 *
 * @param {Dice} dice
 * @param {Rule} rule
 * @returns {Rule}
 */
function flip({ chance, pick, integer, seed }, rule) {
  const rarely = rule.on === 'response' ? { nth: 5 } : { probability: 0.3, seed: seed() }
  const when = pick([{ nth: 1 }, { nth: 2 }, { first: 2 }, rarely, { probability: 1 }])
  // What is flipped is data, not what merely asks whether a store checks.
  const data = rule.on === 'response' ? {} : { leastBytes: 64 }
  return { ...rule, ...data, ...when, flipByteAt: integer(0, chance(0.5) ? 300 : 4_000) }
}

/** A store that answers a write well, and keeps nothing of it, or something else. @param {Dice} dice @returns {Rule} */
function lie({ pick }) {
  const when = pick([{ nth: 1 }, { first: 2 }, { nth: 3 }, { probability: 1 }])
  const keeps = pick(/** @type {const} */ (['nothing', 'half', 'other']))
  return { operation: ['PutObject', 'CompleteMultipartUpload', 'CopyObject'], keeps, ...when }
}

/**
 * @param {Dice} dice
 * @param {{ engine: string, readsAreSure: boolean, oneStore: boolean, full: boolean, shares: import('./draw').Shares }} how readsAreSure: whether a
 *   wrong reading of the source can be noticed; oneStore: what is wrong with the destination's readings is wrong with the source's
 */
function drawFaults(dice, { engine, readsAreSure, oneStore, full, shares }) {
  const { chance } = dice
  const [faulty, flips] = [chance(shares.faults), chance(shares.flip)]
  const flipped = (/** @type {Rule} */ rule, share = 0.5) => (flips && chance(share) ? [flip(dice, rule)] : [])
  return {
    source: [
      ...(faulty ? some(dice, OF_SOURCE, 2, [5, 35]) : []),
      ...(readsAreSure ? flipped({ operation: READS, on: 'response' }) : []),
    ],
    destination: [
      ...(faulty ? some(dice, OF_DESTINATION, 3, [5, 35]) : []),
      ...flipped({ operation: WRITES }, 0.8),
      ...(readsAreSure || !oneStore ? flipped({ operation: READS, on: 'response' }, 0.3) : []),
      ...(full ? flipped({ operation: WRITES, on: 'stored' }, 0.3) : []),
      ...(chance(shares.lie) ? [lie(dice)] : []),
    ],
    platform: faulty ? some(dice, OF_PLATFORM[engine] ?? [], 2, [2, 12]) : [],
  }
}

module.exports = { drawFaults, some }
