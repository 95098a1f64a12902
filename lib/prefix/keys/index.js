'use strict'

/** Keys that a destination may treat as other keys, or cannot store. */

const { XferError } = require('../../errors')
const { keyFaultOf } = require('../../stores')
const { createFolding, foldedError } = require('./folding')
const { createTable, hash } = require('./folded-names')

/** XML cannot express all characters: a store that does not encode them writes this in place of one. */
const REPLACEMENT = '\ufffd'

/** An object that is listed under a wrong key. @param {Pick<import('../../types').Store, 'facts'>} store @param {string} key as it is listed */
function unreadable({ facts }, key) {
  return new XferError('KEY_UNREADABLE', { ...facts, key })
}

/** Whether the name may stand for an object with another key. @param {string} name */
const maybeUnreadable = name => name.includes(REPLACEMENT)

/**
 * A name of which the destination can have no object: its store would refuse the key, or write another object.
 *
 * @param {import('../../job/open').Job['destination']} destination of the prefix
 * @param {string} name
 * @returns {import('../../types').XferError | undefined} KEY_INVALID
 */
function invalidKey({ store, key: prefix }, name) {
  const key = prefix + name
  const reason = keyFaultOf(store.scheme, key) ?? store.keyFault?.(key)
  return reason === undefined ? undefined : new XferError('KEY_INVALID', { ...store.facts, key, reason })
}

module.exports = {
  createFolding,
  createTable,
  foldedError,
  hash,
  invalidKey,
  maybeUnreadable,
  unreadable,
}
