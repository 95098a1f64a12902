'use strict'

/** Keys that a destination would take for others, or not at all. */

const { createFolding, foldedError } = require('./folding')
const { createAside } = require('./path-keys')
const { maybeUnreadable, unreadable } = require('./unreadable')

module.exports = { createAside, createFolding, foldedError, maybeUnreadable, unreadable }
