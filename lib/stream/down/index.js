'use strict'

/** An object as a stream of bytes. */

const { downloadObject } = require('./download')
const { openDownload } = require('./open')

module.exports = { downloadObject, openDownload }
