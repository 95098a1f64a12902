'use strict'

/** What suites do with gs:// besides copying. */

const { gcs } = require('../../lib/stores/gcs')

/**
 * xfer's own store for a bucket of the sandbox's store in the mode `google`.
 *
 * @param {{ endpoint: string, accessKeyId: string, secretAccessKey: string }} server
 * @param {string} bucket
 * @param {object} [settings] over the usual ones; see SideSettings
 * @param {() => number} [now]
 */
function openGoogleStore({ endpoint, accessKeyId, secretAccessKey }, bucket, settings = {}, now = undefined) {
  const credentials = { accessKeyId, secretAccessKey }
  const usual = { side: 'destination', region: 'auto', addressing: 'path', requestPayer: false }
  const all = { ...usual, endpoint, credentials: async () => credentials, ...settings }
  return gcs.open({ scheme: 'gs', container: bucket, key: '' }, all, { now })
}

module.exports = { openGoogleStore }
