'use strict'

/** All that the action knows of S3: what its answers mean, and how a body carries its checksum. */

const { framedLength, frameBody } = require('./frame')
const { CONTENT_HEADERS, CRC32, CRC32_TYPE, FRAMING, META, READ, WRITE } = require('./rules')

module.exports = { CONTENT_HEADERS, CRC32, CRC32_TYPE, FRAMING, framedLength, frameBody, META, READ, WRITE }
