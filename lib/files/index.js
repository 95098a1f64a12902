'use strict'

/** Files of this machine: which version one is, its folder without detours by links, and how it gets its final name. */

const { fileEtag, isEtagOf, sourceEtag } = require('./etag')
const { inFolder, useFolder, withPath } = require('./folder')
const { beginningOf, foldsNames, newPartialId, ownerMark, ownerOf, partialIdOf, partialName } = require('./partial')
const { publish } = require('./publish')

module.exports = {
  beginningOf,
  fileEtag,
  foldsNames,
  inFolder,
  isEtagOf,
  newPartialId,
  ownerMark,
  ownerOf,
  partialIdOf,
  partialName,
  publish,
  sourceEtag,
  useFolder,
  withPath,
}
