'use strict'

/** Failures of an upload that another one may not have: a part of it is damaged, and nothing else is wrong. */

/** @param {import('../../types').XferError} error */
function isAnew({ code, facts }) {
  if (code === 'PART_NOT_REPLACED') return true
  if (!facts.completes) return false
  return code === 'INTEGRITY' || (code === 'STORE_REFUSED' && facts.status === 400 && !facts.ofTheRequest)
}

module.exports = { isAnew }
