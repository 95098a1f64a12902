'use strict'

/** What stores share: options, credentials that are kept until they expire, and where modification times are. */

module.exports = {
  ...require('./options'),
  get mtime() {
    return require('./mtime')
  },
  get connectionError() {
    return require('./connection-error').connectionError
  },
  get memoize() {
    return require('./memoize').memoize
  },
}
