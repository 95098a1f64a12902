'use strict'

/** The credentials to sign with, and their renewal when they have expired. */

const { classifyAnswer } = require('./explain')

/** @typedef {import('../../types').SideSettings} SideSettings */
/** @typedef {import('../../types').Credentials} Credentials */

/** @param {SideSettings} settings @returns {Promise<Credentials | null>} null: requests are not signed */
async function credentialsOf({ credentials }) {
  return credentials === null ? null : await credentials()
}

/**
 * @param {SideSettings} settings
 * @param {Credentials | null | undefined} refused the credentials that have expired
 * @returns {Promise<boolean>} whether there are new ones now
 */
async function renewCredentials({ credentials }, refused) {
  if (!refused || !credentials?.renew) return false
  return await credentials.renew(refused)
}

/** @param {any} error of the SDK */
function saysExpired({ name, $metadata }) {
  return classifyAnswer({ status: $metadata?.httpStatusCode, storeCode: name }) === 'CREDENTIALS_EXPIRED'
}

module.exports = { credentialsOf, renewCredentials, saysExpired }
