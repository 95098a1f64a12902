'use strict'

/** Objects from streams, and as streams. Each folder is loaded on first use. */

module.exports = {
  get uploadStream() {
    return require('./up').uploadStream
  },
  get sha256Judge() {
    return require('./sha256').sha256Judge
  },
  get downloadObject() {
    return require('./down').downloadObject
  },
  get openDownload() {
    return require('./down').openDownload
  },
}
