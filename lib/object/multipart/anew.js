'use strict'

/** Failures that a new upload may avoid: a part is damaged, and nothing else is wrong. */

/** @param {import('../../types').XferError} error */
function isAnew({ code, facts }) {
  if (!facts.completes) return false
  return code === 'INTEGRITY' || (code === 'STORE_REFUSED' && facts.status === 400 && !facts.ofTheRequest)
}

module.exports = { isAnew }
