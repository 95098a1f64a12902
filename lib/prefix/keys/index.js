'use strict'

/** Keys that a destination may treat as other keys, or cannot store. */

const { createFolding, foldedError } = require('./folding')
const { createTable, hash } = require('./folded-names')
const { invalidKey } = require('./invalid')
const { createPathKeys } = require('./path-keys')
const { maybeUnreadable, unreadable } = require('./unreadable')

module.exports = {
  createFolding,
  createPathKeys,
  createTable,
  foldedError,
  hash,
  invalidKey,
  maybeUnreadable,
  unreadable,
}
