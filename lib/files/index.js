'use strict'

/** Files of this machine: which version one is, its folder without detours by links, and what makes a write durable. */

const { fileEtag } = require('./etag')
const { useFolder } = require('./folder')
const { isPartialName, partialName } = require('./partial')

module.exports = { fileEtag, isPartialName, partialName, useFolder }
