'use strict'

/** Writes objects in one request. Each file is loaded on first use. */

module.exports = {
  get byStore() {
    return require('./by-store').byStore
  },
  get createPut() {
    return require('./put').createPut
  },
  get createReader() {
    return require('./reader').createReader
  },
  get lookUntilShown() {
    return require('./written').lookUntilShown
  },
  get putSingle() {
    return require('./single').putSingle
  },
  get throughEngine() {
    return require('./through-engine').throughEngine
  },
}
