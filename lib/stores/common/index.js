'use strict'

/** What stores share: options, words, where modification times are, errors, and deletions. */

module.exports = {
  ...require('./options'),
  get mtime() {
    return require('./mtime')
  },
  get classifyStatus() {
    return require('./errors').classifyStatus
  },
  get orPublic() {
    return require('./words').orPublic
  },
  get termsOfSide() {
    return require('./words').termsOfSide
  },
  get removeEach() {
    return require('./removal').removeEach
  },
  get connectionError() {
    return require('./errors').connectionError
  },
  get codeOf() {
    return require('./errors').codeOf
  },
  get firstSentence() {
    return require('./errors').firstSentence
  },
  get retryAfterIn() {
    return require('./errors').retryAfterIn
  },
}
