'use strict'

const { createCallFaults } = require('../common/call-faults')

/** @import { Fault, Operation } from './types' */

/**
 * The purpose of each field of a fault: `which` calls and `when`, `what` happens to them, and `how`.
 *
 * @type {Record<keyof Fault, 'which' | 'when' | 'what' | 'how'>}
 */
const FIELDS = {
  on: 'which',
  function: 'which',
  nth: 'when',
  first: 'when',
  probability: 'when',
  seed: 'when',
  cut: 'what',
  status: 'what',
  code: 'how',
  reason: 'how',
  message: 'how',
  retryAfter: 'how',
  delayMs: 'what',
  lose: 'what',
  cutAnswer: 'what',
  silent: 'what',
  killAfterMs: 'what',
  death: 'what',
  dieLoading: 'what',
  answer: 'what',
  truncate: 'what',
}

/** @param {Fault} fault @param {{ operation: Operation, name: string | undefined }} call */
function fits(fault, { operation, name }) {
  if ((fault.on ?? 'Invoke') !== operation) return false
  return fault.function === undefined || fault.function === name
}

/** @param {Fault[]} initial */
const createFaults = initial => createCallFaults({ fields: FIELDS, fits }, initial)

module.exports = { createFaults, FIELDS }
