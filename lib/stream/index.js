'use strict'

/** Objects from streams, and as streams: upload.js and download.js are the stories. Each is loaded on first use. */

module.exports = {
  get uploadStream() {
    return require('./upload').uploadStream
  },
  get sha256Judge() {
    return require('./sha256').sha256Judge
  },
  get downloadObject() {
    return require('./download').downloadObject
  },
  get openDownload() {
    return require('./download').openDownload
  },
}
