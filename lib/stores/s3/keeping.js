'use strict'

/** Which stores are known to keep content headers and user metadata as they are sent. All others are looked at. */

const { isAws } = require('./conditions')

/** By the `Server` header of their answers: those that CI tests (test/e2e/attributes.test.js). */
const SERVERS = /^(VERSITYGW|MinIO|xfer-sandbox)$/i

/** @param {{ host: string, server: string | undefined }} store server: as its answers name it; undefined before the first */
function isKnownToKeep({ host, server }) {
  return isAws(host) || SERVERS.test(server ?? '')
}

module.exports = { isKnownToKeep }
