'use strict'

/** What a copy has beside its bytes: what is to be written, and what of it the destination kept. docs/design/attributes.md */

module.exports = { ...require('./check'), ...require('./compare'), ...require('./wanted') }
