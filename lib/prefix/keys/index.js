'use strict'

/** Keys that a destination may treat as other keys, or cannot store. */

const { createFolding, foldedError } = require('./folding')
const { createTable, hash } = require('./folded-names')
const { invalidKey } = require('./invalid')
const { maybeUnreadable, unreadable } = require('./unreadable')

module.exports = {
  createFolding,
  createTable,
  foldedError,
  hash,
  invalidKey,
  maybeUnreadable,
  unreadable,
}
