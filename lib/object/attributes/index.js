'use strict'

/** What a copy has beside its bytes: what is to be written, and what of it the destination kept. docs/design/attributes.md */

const { attributesWithout, writeWithFallbacks, firstOf, suspectOf, tellStorageClass } = require('./fallbacks')
const { readSourceAttributes, checkCopiedAttributes } = require('./read')
const { attributesFor, mtimeOf, tellAttributes, wantsTags } = require('./wanted')
const { createAttributeCheck } = require('./check')
const { comparisonOf, kindsOf } = require('./compare')
const { createRefusedTags } = require('./refused-tags')
const { UNKNOWN_WHY, missingTags, tellTags, whyNoTags } = require('./tags')

module.exports = {
  attributesFor,
  attributesWithout,
  readSourceAttributes,
  checkCopiedAttributes,
  comparisonOf,
  writeWithFallbacks,
  createAttributeCheck,
  createRefusedTags,
  firstOf,
  kindsOf,
  missingTags,
  mtimeOf,
  suspectOf,
  tellAttributes,
  tellStorageClass,
  tellTags,
  UNKNOWN_WHY,
  wantsTags,
  whyNoTags,
}
