'use strict'

/** Files of this machine: which version one is, its folder without detours by links, and what makes a write durable. */

const { fileEtag, isEtagOf, sourceEtag } = require('./etag')
const { useFolder } = require('./folder')
const { beginningOf, isPartialName, nobody, ownerMark, ownerOf, partialName } = require('./partial')

module.exports = {
  beginningOf,
  fileEtag,
  isEtagOf,
  isPartialName,
  nobody,
  ownerMark,
  ownerOf,
  partialName,
  sourceEtag,
  useFolder,
}
