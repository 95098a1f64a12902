'use strict'

/**
 * Stores known to check the condition of a write atomically with the write. For all others a request finds out: see
 * `createConditionTest` in uploads.js.
 */

const { isAws } = require('../../aws')

/**
 * By the `Server` header of answers. versitygw checks the condition again under the key's lock (1.8.0, backend/posix). The
 * request of `heeds` does not work with it: for an unknown upload it answers "completed" if the key exists.
 */
const SERVERS = /^VERSITYGW$/i

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 *
 * @param {{ host: string, server: string | undefined }} store
 */
function isKnownToHeed({ host, server }) {
  return isAws(host) || SERVERS.test(server ?? '')
}

module.exports = { isAws, isKnownToHeed }
