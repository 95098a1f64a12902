'use strict'

/** Keys that a destination may treat as other keys, or cannot store. */

const { createFolding, foldedError } = require('./folding')
const { createPathKeys } = require('./path-keys')
const { maybeUnreadable, unreadable } = require('./unreadable')

module.exports = { createFolding, createPathKeys, foldedError, maybeUnreadable, unreadable }
