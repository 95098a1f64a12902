'use strict'

/** Objects that are listed under wrong keys: XML cannot express all characters, and some stores do not encode them. */

const { XferError } = require('../../errors')

/** Such a store writes it in place of a character. */
const REPLACEMENT = '\ufffd'

/** @param {Pick<import('../../types').Store, 'facts'>} store @param {string} key as it is listed */
function unreadable({ facts }, key) {
  return new XferError('KEY_UNREADABLE', { ...facts, key })
}

/** Whether the name may stand for an object with another key. @param {string} name */
const maybeUnreadable = name => name.includes(REPLACEMENT)

module.exports = { maybeUnreadable, unreadable }
