'use strict'

/** The door to the store of files. */

module.exports = {
  get fileEtag() {
    return require('./etag').fileEtag
  },
}
