'use strict'

/** What stores share: options, and credentials that are kept until they expire. */

module.exports = {
  ...require('./options'),
  get memoize() {
    return require('./memoize').memoize
  },
}
