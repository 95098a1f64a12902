'use strict'

/** The SHA-256 that a user expects. */

module.exports = {
  get readSha256() {
    return require('./text').readSha256
  },
  get sha256Judge() {
    return require('./judge').sha256Judge
  },
}
