'use strict'

/** What stores share: options, where modification times are, errors, and deletions. */

module.exports = {
  ...require('./options'),
  get mtime() {
    return require('./mtime')
  },
  get classifyStatus() {
    return require('./errors').classifyStatus
  },
  get removeEach() {
    return require('./removal').removeEach
  },
  get connectionError() {
    return require('./errors').connectionError
  },
}
