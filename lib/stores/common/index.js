'use strict'

/** What stores share: options, and where modification times are. */

module.exports = {
  ...require('./options'),
  get mtime() {
    return require('./mtime')
  },
  get classifyStatus() {
    return require('./status').classifyStatus
  },
  get connectionError() {
    return require('./connection-error').connectionError
  },
}
