'use strict'

/** All that the action knows of S3: how a body carries its checksum. */

const { FRAMING, framedLength, frameBody } = require('./frame')

module.exports = { FRAMING, framedLength, frameBody }
