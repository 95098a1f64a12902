'use strict'

/** Who signs, and what is done when the store says that it is too late for that. */

const { classifyAnswer } = require('./explain')

/** @typedef {import('../../types').SideSettings} SideSettings */
/** @typedef {import('../../types').Credentials} Credentials */

/** @param {SideSettings} settings @returns {Promise<Credentials | null>} null: nothing is signed */
async function credentialsOf({ credentials }) {
  return credentials === null ? null : await credentials()
}

/**
 * @param {SideSettings} settings
 * @param {Credentials | null | undefined} refused what the store said has expired
 * @returns {Promise<boolean>} whether there are others now
 */
async function renewCredentials({ credentials }, refused) {
  if (!refused || !credentials?.renew) return false
  return await credentials.renew(refused)
}

/** @param {any} error what the SDK threw */
function saysExpired({ name, $metadata }) {
  return classifyAnswer({ status: $metadata?.httpStatusCode, storeCode: name }) === 'CREDENTIALS_EXPIRED'
}

module.exports = { credentialsOf, renewCredentials, saysExpired }
