'use strict'

/** What suites do with gs:// besides copying. */

const { base } = require('../../lib/stores/s3')

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
  return base.createS3Store({
    bucket,
    now,
    scheme: 'gs',
    dialect: base.google,
    settings: {
      side: 'destination',
      endpoint,
      region: 'auto',
      addressing: 'path',
      credentials: async () => credentials,
      requestPayer: false,
      ...settings,
    },
  })
}

module.exports = { openGoogleStore }
