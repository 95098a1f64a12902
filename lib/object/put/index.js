'use strict'

/** Writes objects in one request: through the engine, or by the store itself, which is loaded on use. */

module.exports = {
  ...require('./put'),
  ...require('./reader'),
  ...require('./through-engine'),
  get byStore() {
    return require('./by-store').byStore
  },
}
