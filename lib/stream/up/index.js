'use strict'

/** From a stream to an object: upload.js is the story. */

module.exports = {
  get uploadStream() {
    return require('./upload').uploadStream
  },
}
