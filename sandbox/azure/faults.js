'use strict'

const { createFaults: createRules } = require('../common/faults')

/**
 * The fault rules of an Azure store.
 *
 * @typedef {import('./types').FaultRule} FaultRule
 * @typedef {import('./types').Effects} Effects
 */

const BODY_WRITES = ['PutBlob', 'PutBlock']

/**
 * The purpose of each field of a rule: `which` requests and `when`, `what` happens to them, and `how`. A rule with any other
 * field is refused.
 *
 * @type {Record<keyof FaultRule, 'which' | 'when' | 'what' | 'how'>}
 */
const FIELDS = {
  operation: 'which',
  bucket: 'which',
  key: 'which',
  keyPattern: 'which',
  blockId: 'which',
  leastBytes: 'which',
  header: 'which',
  probability: 'when',
  seed: 'when',
  nth: 'when',
  first: 'when',
  delayMs: 'what',
  bytesPerSecond: 'what',
  shared: 'how',
  status: 'what',
  code: 'how',
  retryAfter: 'how',
  on: 'how',
  cutAfterBytes: 'what',
  flipByteAt: 'what',
  stall: 'what',
  etag: 'what',
  ignoreRange: 'what',
  wrongContentRange: 'what',
  ignoreIfMatch: 'what',
  loseAnswer: 'what',
  truncateXml: 'what',
  endless: 'what',
  afterWork: 'how',
  answerDelayMs: 'what',
  crc: 'what',
  twice: 'what',
}

/** @type {import('../common/faults').Kind['fits']} */
function fits(rule, { query, header }) {
  if (rule.leastBytes !== undefined && !(Number(header?.('content-length')) >= rule.leastBytes)) return false
  return rule.blockId === undefined || rule.blockId === query.get('blockid')
}

/** @param {Effects} effects @param {FaultRule} rule */
function add(effects, { crc, twice }) {
  if (crc !== undefined) effects.crc = crc
  effects.twice ||= twice
}

/** @param {number} seed of the random numbers for all rules without a seed of their own */
const createFaults = seed => createRules(seed, { fields: FIELDS, bodyWrites: BODY_WRITES, fits, add })

module.exports = { createFaults, FIELDS }
