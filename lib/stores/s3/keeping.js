'use strict'

/** Stores known to keep content headers and user metadata unchanged. For all others written objects are checked. */

const { isAws } = require('./conditions')

/** By the `Server` header of answers: the stores that CI tests (test/contract/store-objects.js). */
const SERVERS = /^(VERSITYGW|MinIO|xfer-sandbox)$/i

/** @param {{ host: string, server: string | undefined }} store server: the `Server` header; undefined before the first answer */
function isKnownToKeep({ host, server }) {
  return isAws(host) || SERVERS.test(server ?? '')
}

module.exports = { isKnownToKeep }
