'use strict'

/** The door to addresses: their syntax, their queries, and where they redirect to. */

module.exports = {
  get parse() {
    return require('./place').parse
  },
  get identify() {
    return require('./identity').identify
  },
  get digest() {
    return require('./query').digest
  },
  get expiryOf() {
    return require('./query').expiryOf
  },
  get isWideSas() {
    return require('./query').isWideSas
  },
  get isRedirect() {
    return require('./redirects').isRedirect
  },
  get nextAddress() {
    return require('./redirects').nextAddress
  },
}
