'use strict'

const { COMMON_FIELDS, createFaults: createRules } = require('../common/faults')

/**
 * The fault rules of an Azure store.
 *
 * @typedef {import('./types').FaultRule} FaultRule
 * @typedef {import('./types').Effects} Effects
 */

const BODY_WRITES = ['PutBlob', 'PutBlock']

/**
 * The purpose of each field of a rule.
 *
 * @type {Record<keyof FaultRule, 'which' | 'when' | 'what' | 'how'>}
 */
const FIELDS = {
  ...COMMON_FIELDS,
  blockId: 'which',
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
