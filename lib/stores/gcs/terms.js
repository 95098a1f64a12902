'use strict'

/**
 * Google's words in sentences about any store (`StoreTerms` of the contract).
 *
 * @param {'source' | 'destination'} side
 * @param {string | null} [endpointFrom] as in lib/stores/s3/words
 * @param {{ unsigned?: boolean }} [how] unsigned: requests are not signed, because the options say so
 * @returns {import('../contract').StoreTerms}
 */
function termsOf(side, endpointFrom, { unsigned = false } = {}) {
  const [option, variable] = side === 'source' ? ['--source', 'XFER_SOURCE'] : ['--dest', 'XFER_DEST']
  const endpoint = `${option}-endpoint-url`
  const endpointInUse = endpointFrom ? `the endpoint (set by ${endpointFrom})` : endpoint
  return {
    container: 'bucket',
    endpoint,
    endpointInUse,
    address: endpointInUse,
    credentials: 'the access id, the secret of the HMAC key',
    credentialsAdvice: `Set ${variable}_GS_ACCESS_KEY_ID and ${variable}_GS_SECRET_ACCESS_KEY to an HMAC key, or GS_ACCESS_KEY_ID and GS_SECRET_ACCESS_KEY for both sides${side === 'source' ? ', or read a public object with --source-no-sign-request' : ''}.`,
    ...(unsigned && {
      accessAdvice: `The request was not signed, because of ${option}-no-sign-request; leave that out to read with credentials.`,
    }),
    storageClass: 'STANDARD',
    storageClasses: ['STANDARD', 'NEARLINE', 'COLDLINE', 'ARCHIVE'],
    settingsAdvice:
      'Check XFER_SOURCE_GS_*, XFER_DEST_GS_* and the profiles, or give the endpoints with --source-endpoint-url and --dest-endpoint-url.',
  }
}

module.exports = { termsOf }
