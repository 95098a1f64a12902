'use strict'

/** The names of files that are not whole yet. They are beside their targets, because a rename works within a file system only. */

const { randomBytes } = require('node:crypto')

const PARTIAL = /^\.xfer-[0-9a-f]{16}\.partial$/

/** @returns {string} a new one */
function partialName() {
  return `.xfer-${randomBytes(8).toString('hex')}.partial`
}

/** @param {string} name without folders */
function isPartialName(name) {
  return PARTIAL.test(name)
}

module.exports = { isPartialName, partialName }
