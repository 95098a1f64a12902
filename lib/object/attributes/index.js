'use strict'

/** What a copy has beside its bytes: what is to be written, and what of it the destination kept. docs/attributes.md */

const { attributesFor, mtimeOf, tellAttributes, wantsTags } = require('./wanted')
const { createAttributeCheck } = require('./check')
const { kindsOf } = require('./compare')
const { createRefusedTags } = require('./refused-tags')
const { UNKNOWN_WHY, missingTags, tellTags, whyNoTags } = require('./tags')

module.exports = {
  UNKNOWN_WHY,
  attributesFor,
  createAttributeCheck,
  createRefusedTags,
  kindsOf,
  missingTags,
  mtimeOf,
  tellAttributes,
  tellTags,
  wantsTags,
  whyNoTags,
}
