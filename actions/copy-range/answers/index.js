'use strict'

/** What an answer says: of its object, of its checksum, and why a request was refused. */

const description = require('./description')
const { bareEtag } = require('./etag')
const { headerIn, readBody, refusal } = require('./refusal')

module.exports = { ...description, bareEtag, headerIn, readBody, refusal }
