'use strict'

/** What goes wrong on the wires of a run of the zoo: pure. */

/**
 * @typedef {import('./draw').Dice} Dice
 * @typedef {import('./draw').Rule} Rule
 */

/** @type {Rule[]} */
const SOURCE_FAULTS = [
  { operation: 'GetObject', status: 500 },
  { operation: 'GetObject', status: 503 },
  { operation: 'GetObject', cutAfterBytes: 1000, on: 'response' },
  { operation: 'GetObject', ignoreRange: true },
  { operation: 'GetObject', wrongContentRange: true },
  { operation: 'HeadObject', status: 500 },
]
/** @type {Rule[]} */
const DESTINATION_FAULTS = [
  { operation: ['PutObject', 'UploadPart'], status: 500 },
  { operation: ['PutObject', 'UploadPart'], status: 503 },
  { operation: ['PutObject', 'UploadPart'], status: 500, afterWork: true },
  { operation: ['PutObject', 'UploadPart'], cutAfterBytes: 500 },
  { operation: ['PutObject', 'UploadPart'], loseAnswer: true },
  { operation: ['PutObject', 'UploadPart'], answerDelayMs: 400 },
  { operation: 'CreateMultipartUpload', loseAnswer: true },
  { operation: 'CreateMultipartUpload', status: 500, afterWork: true },
  { operation: 'CompleteMultipartUpload', loseAnswer: true },
  { operation: 'CompleteMultipartUpload', errorInBody: true },
  { operation: 'CompleteMultipartUpload', errorInBody: true, afterWork: true },
  { operation: ['ListParts', 'ListMultipartUploads', 'AbortMultipartUpload'], status: 500 },
  { operation: 'AbortMultipartUpload', loseAnswer: true },
  { operation: 'HeadObject', status: 500 },
  { operation: 'GetObject', status: 500 },
  { operation: 'GetObject', cutAfterBytes: 1000, on: 'response' },
]
/** @type {Rule[]} */
const TREE_FAULTS = [
  { operation: 'ListObjectsV2', status: 500 },
  { operation: 'ListObjectsV2', cutAfterBytes: 300, on: 'response' },
  { operation: 'DeleteObjects', status: 500 },
  { operation: 'DeleteObjects', loseAnswer: true },
  { operation: 'DeleteObject', status: 500 },
]

/**
 * @param {Dice} dice
 * @param {{ single: boolean, verify: string, oneStore: boolean }} of
 * @returns {{ source: Rule[], destination: Rule[] }}
 */
function drawFaults(dice, { single, verify }) {
  const { chance, pick, integer, seed } = dice
  const quiet = chance(0.3)
  const some = (/** @type {Rule[]} */ rules, /** @type {number} */ share) =>
    !quiet && chance(share) ? [{ probability: integer(5, 35) / 100, seed: seed(), ...pick(rules) }] : []
  return {
    source: [...some(SOURCE_FAULTS, 0.25), ...flips(dice, quiet, { operation: 'GetObject', on: 'response' }, 0.2)],
    destination: [
      ...some(DESTINATION_FAULTS, 0.35),
      ...(single ? [] : some(TREE_FAULTS, 0.15)),
      ...flips(dice, quiet, { operation: ['PutObject', 'UploadPart'] }, 0.4),
      ...flips(dice, quiet, { operation: 'GetObject', on: 'response' }, 0.1),
      ...(verify === 'full' ? flips(dice, quiet, { operation: ['PutObject', 'UploadPart'], on: 'stored' }, 0.15) : []),
    ],
  }
}

/** A byte is flipped: once, now and then, or always. @param {Dice} dice @param {boolean} quiet @param {Rule} rule @param {number} share @returns {Rule[]} */
function flips({ chance, pick, integer, seed }, quiet, rule, share) {
  if (quiet || !chance(share)) return []
  const when = pick([{ nth: 1 }, { nth: 2 }, { first: 2 }, { probability: 0.3, seed: seed() }, { probability: 1 }])
  // What is flipped is data, not what merely asks whether a store checks.
  const data = rule.on === 'response' ? {} : { leastBytes: 64 }
  return [{ ...rule, ...data, ...when, flipByteAt: integer(0, chance(0.5) ? 300 : 4_000) }]
}

module.exports = { drawFaults }
