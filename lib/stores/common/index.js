'use strict'

/** What stores share: options, and where modification times are. */

module.exports = {
  ...require('./options'),
  get mtime() {
    return require('./mtime')
  },
  get connectionError() {
    return require('./connection-error').connectionError
  },
}
