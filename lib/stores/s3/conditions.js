'use strict'

/**
 * Who is known to keep a write's condition at the moment of the write, and not only to look beforehand. Of all others it
 * has to be found out: see `heeds` in index.js.
 */

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html */
const AWS_HOST = /(^|\.)amazonaws\.com(\.cn)?$/i

/**
 * By the `Server` header of its answers. versitygw looks at the condition again under the key's lock (1.8.0,
 * backend/posix); asked for an upload that it does not have, it says "completed" where the key exists, so that it cannot
 * be found out.
 */
const SERVERS = /^VERSITYGW$/i

/** @param {string} host */
function isAws(host) {
  return AWS_HOST.test(host)
}

/** @param {{ host: string, server: string | undefined }} store */
function isKnownToHeed({ host, server }) {
  return isAws(host) || SERVERS.test(server ?? '')
}

module.exports = { isAws, isKnownToHeed }
