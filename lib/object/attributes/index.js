'use strict'

/** What a copy has beside its bytes: what is to be written, and what of it the destination kept. docs/design/attributes.md */

const { readSourceAttributes, checkCopiedAttributes, createFirstLooks } = require('./check')
const { attributesFor, mtimeOf, refusedWith, tellAttributes, wantsTags } = require('./wanted')
const { comparisonOf, kindsOf } = require('./compare')

module.exports = {
  attributesFor,
  readSourceAttributes,
  checkCopiedAttributes,
  comparisonOf,
  createFirstLooks,
  kindsOf,
  mtimeOf,
  refusedWith,
  tellAttributes,
  wantsTags,
}
