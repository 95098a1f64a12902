'use strict'

const { createFaults: createRules } = require('../common/faults')

/**
 * The fault rules of an S3 store.
 *
 * @typedef {import('./types').FaultRule} FaultRule
 * @typedef {import('../common/faults').Effects} Effects
 * @typedef {import('../common/faults').Faults} Faults
 */

const BODY_WRITES = ['PutObject', 'UploadPart']
const FIELDS = ['partNumber', 'errorInBody', 'blanks']

/** @type {import('../common/faults').Kind['fits']} */
function fits(rule, { query }) {
  return rule.partNumber === undefined || String(rule.partNumber) === query.get('partNumber')
}

/** @param {Effects} effects @param {FaultRule} rule */
function add(effects, { blanks, errorInBody, code }) {
  if (blanks !== undefined) effects.blanks = blanks
  if (errorInBody) effects.errorInBody = code ?? 'InternalError'
}

/** @param {number} seed of the random numbers for all rules without a seed of their own */
const createFaults = seed => createRules(seed, { fields: FIELDS, bodyWrites: BODY_WRITES, fits, add })

module.exports = { createFaults }
