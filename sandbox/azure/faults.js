'use strict'

const { WHAT: COMMON_WHAT, createFaults: createRules } = require('../common/faults')

/**
 * The fault rules of an Azure store.
 *
 * @typedef {import('./types').FaultRule} FaultRule
 * @typedef {import('./types').Effects} Effects
 */

const BODY_WRITES = ['PutBlob', 'PutBlock']

const OWN_WHAT = ['crc', 'twice']

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
const createFaults = seed => createRules(seed, { fields: ['blockId', ...OWN_WHAT], bodyWrites: BODY_WRITES, fits, add })

/** The fields of a rule that say what happens. */
const WHAT = [...COMMON_WHAT, ...OWN_WHAT]

module.exports = { createFaults, WHAT }
