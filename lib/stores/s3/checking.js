'use strict'

/**
 * Which stores are known to refuse a body that does not fit the CRC-32 sent behind it (aws-chunked trailer), in a PUT, in a
 * part, and beside a Content-Encoding. What any other store does has to be found out: lib/destination/trust.js.
 */

const { isAws } = require('./conditions')

/**
 * By the `Server` header of their answers: those that CI tests with flipped bytes. AWS documents it:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
const SERVERS = /^(VERSITYGW|MinIO|xfer-sandbox)$/i

/** @param {{ host: string, server: string | undefined }} store server: as its answers name it; undefined before the first */
function isKnownToCheck({ host, server }) {
  return isAws(host) || SERVERS.test(server ?? '')
}

module.exports = { isKnownToCheck }
