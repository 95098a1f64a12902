'use strict'

/** Names of which the destination can have no object: its store would refuse the key, or write another object. */

const { XferError } = require('../../errors')
const { keyFaultOf } = require('../../stores')

/**
 * @param {import('../../job/open').Job['destination']} destination of the prefix
 * @param {string} name
 * @returns {import('../../types').XferError | undefined} KEY_INVALID
 */
function invalidKey({ store, key: prefix }, name) {
  const key = prefix + name
  const reason = keyFaultOf(store.scheme, key) ?? store.keyFault?.(key)
  return reason === undefined ? undefined : new XferError('KEY_INVALID', { ...store.facts, key, reason })
}

module.exports = { invalidKey }
