'use strict'

/** What S3 calls what every store has, in sentences about any store. */

const { orPublic, termsOfSide } = require('../../common')

/**
 * S3's words in sentences about any store (`StoreTerms` of the contract).
 *
 * @param {'source' | 'destination'} side
 * @param {string | null} [endpointFrom] what sets the endpoint, such as an option; null: nothing does; undefined: not known yet
 * @param {{ unsigned?: boolean }} [how] unsigned: requests are not signed, because the options say so
 * @returns {import('../../contract').StoreTerms}
 */
function termsOf(side, endpointFrom, { unsigned = false } = {}) {
  const [option, variable] = side === 'source' ? ['--source', 'XFER_SOURCE'] : ['--dest', 'XFER_DEST']
  const common = termsOfSide(side, endpointFrom, { usual: 'AWS', unsigned })
  const ways = `Name a profile with ${option}-profile or as s3://PROFILE@BUCKET/KEY, or set ${variable}_ACCESS_KEY_ID and ${variable}_SECRET_ACCESS_KEY`
  return {
    container: 'bucket',
    ...common,
    address: endpointFrom ? common.endpointInUse : `${common.endpointInUse}, the region`,
    credentials: 'the access key, the secret key',
    credentialsAdvice: `${ways}${orPublic(side)}.`,
    encryption: '--sse and --sse-kms-key-id',
    storageClass: 'STANDARD',
    settingsAdvice:
      'Check AWS_* and the profiles, or give the endpoints with --source-endpoint-url and --dest-endpoint-url.',
  }
}

module.exports = { termsOf }
