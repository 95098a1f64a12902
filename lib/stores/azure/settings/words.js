'use strict'

/** What Azure Blob Storage calls what every store has, in sentences about any store. No fact is a secret. */

const { orPublic, termsOfSide } = require('../../common')

/** What the credentials consist of, by their kind. */
const CREDENTIALS = {
  sharedKey: 'the account key',
  sas: 'the SAS',
  token: 'the account that is logged in, its roles',
  anonymous: 'the container, which has to be public',
}

/**
 * Azure's words in sentences about any store (`StoreTerms` of the contract).
 *
 * @param {'source' | 'destination'} side
 * @param {string | null} [endpointFrom] what sets the endpoint, such as an option; null: nothing does; undefined: not known yet
 * @param {keyof typeof CREDENTIALS} [kind] of the credentials; undefined: not known yet
 * @returns {import('../../contract').StoreTerms}
 */
function termsOf(side, endpointFrom, kind = 'sharedKey') {
  const variable = side === 'source' ? 'XFER_SOURCE' : 'XFER_DEST'
  const common = termsOfSide(side, endpointFrom, { usual: 'Azure', unsigned: kind === 'anonymous' })
  const ways =
    'Set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING ' +
    `(${variable}_AZURE_STORAGE_KEY, … for the ${side} alone), or log in with az login`
  return {
    container: 'container',
    part: 'block',
    ...common,
    address: `${common.endpointInUse}, the account`,
    credentials: CREDENTIALS[kind],
    credentialsAdvice: `${ways}${orPublic(side)}.`,
    storageClass: 'Hot',
    storageClasses: ['Hot', 'Cool', 'Cold', 'Archive'],
    restoreAdvice: 'Rehydrate it first: set its tier to Hot or Cool, wait some hours, and repeat the command.',
    settingsAdvice: 'Check AZURE_STORAGE_*, or give the endpoints with --source-endpoint-url and --dest-endpoint-url.',
  }
}

module.exports = { termsOf }
