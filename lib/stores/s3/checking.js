'use strict'

/**
 * Stores known to refuse a body that does not match the CRC-32 in its trailer (aws-chunked): in a PUT, in a part, and with a
 * Content-Encoding. For any other store lib/destination/trust.js finds out.
 */

const { isAws } = require('./conditions')

/**
 * By the `Server` header of answers: the stores that CI tests with flipped bytes. AWS documents the check:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
const SERVERS = /^(VERSITYGW|MinIO|xfer-sandbox)$/i

/** @param {{ host: string, server: string | undefined }} store server: the `Server` header; undefined before the first answer */
function isKnownToCheck({ host, server }) {
  return isAws(host) || SERVERS.test(server ?? '')
}

module.exports = { isKnownToCheck }
