'use strict'

/** Objects that are listed with keys that they have not, for XML cannot carry all characters, and not all stores encode them. */

const { XferError } = require('../../errors')

/** What such a store writes in place of a character. */
const REPLACEMENT = '\ufffd'

/** @param {Pick<import('../../types').Store, 'facts'>} store @param {string} key as it is listed */
function unreadable({ facts }, key) {
  return new XferError('KEY_UNREADABLE', { ...facts, key })
}

/** Whether an object of which only this name is known may be there all the same. @param {string} name */
const maybeUnreadable = name => name.includes(REPLACEMENT)

module.exports = { maybeUnreadable, unreadable }
