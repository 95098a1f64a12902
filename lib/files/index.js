'use strict'

/** Files of this machine: which version one is, its folder without detours by links, and how it gets its final name. */

const { fileEtag, isEtagOf, sourceEtag } = require('./etag')
const { foldsNames } = require('./folded-names')
const { useFolder } = require('./folder')
const { beginningOf, newPartialId, ownerMark, ownerOf, partialIdOf, partialName } = require('./partial')
const { publish } = require('./publish')

module.exports = {
  beginningOf,
  fileEtag,
  foldsNames,
  isEtagOf,
  newPartialId,
  ownerMark,
  ownerOf,
  partialIdOf,
  partialName,
  publish,
  sourceEtag,
  useFolder,
}
