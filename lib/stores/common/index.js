'use strict'

/** What stores share: options, where modification times are, and errors. */

module.exports = {
  ...require('./options'),
  get mtime() {
    return require('./mtime')
  },
  get classifyStatus() {
    return require('./errors').classifyStatus
  },
  get connectionError() {
    return require('./errors').connectionError
  },
}
