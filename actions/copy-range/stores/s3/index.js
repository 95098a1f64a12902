'use strict'

/** What the action knows of S3. */

const { framedLength, frameBody } = require('./frame')

module.exports = { framedLength, frameBody }
