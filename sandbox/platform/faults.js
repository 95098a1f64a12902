'use strict'

const { createCallFaults } = require('../common/call-faults')

/** @import { Fault, FaultTarget } from './types' */

/**
 * The purpose of each field of a fault: `which` calls and `when`, `what` happens to them, and `how`. A fault with any other
 * field is refused, because a misspelled one would never apply.
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
 * The platform's faults.
 *
 * @param {Fault[]} initial
 */
function createFaults(initial) {
  const { strike, ...faults } = createCallFaults({ fields: FIELDS, fits }, initial)
  return {
    ...faults,
    /**
     * @param {FaultTarget} target
     * @param {string | undefined} action `package/action` or `action`
     */
    strike: (target, action) => strike({ target, action }),
  }
}

/** @param {Fault} fault @param {{ target: FaultTarget, action: string | undefined }} call */
function fits(fault, { target, action }) {
  if ((fault.on ?? 'invoke') !== target) return false
  return fault.action === undefined || fault.action === action
}

module.exports = { createFaults, FIELDS }
