'use strict'

/** Objects from streams, and as streams: upload.js and download.js are the stories. Each is loaded on first use. */

const { lazily } = require('../lazily')

/** @typedef {typeof import('./download') & typeof import('./upload')} StreamDoor */

module.exports = /** @type {StreamDoor} */ (
  lazily({}, [
    [() => require('./download'), ['downloadObject', 'openDownload', 'sha256Judge']],
    [() => require('./upload'), ['uploadStream']],
  ])
)
