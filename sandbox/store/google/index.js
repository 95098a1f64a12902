'use strict'

/**
 * The mode `google`: the store answers like the XML API of Google Cloud Storage with HMAC keys, and refuses what that refuses.
 * Requests are translated into S3's words once they are accepted, and answers back. Each rule says where it is known from:
 * docs/design/google.md.
 */

const { answerLikeGoogle } = require('./answers')
const { checkAuthenticated, checkRequest, translateRequest } = require('./requests')

module.exports = { answerLikeGoogle, checkAuthenticated, checkRequest, translateRequest }
