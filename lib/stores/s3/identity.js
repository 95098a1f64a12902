'use strict'

/** The credentials to sign with, and their renewal when they have expired. */

const { untilAborted } = require('../../async')
const { classifyAnswer } = require('./explain')

/** @typedef {import('../../types').SideSettings} SideSettings */
/** @typedef {import('../../types').Credentials} Credentials */

/**
 * @param {SideSettings} settings
 * @param {AbortSignal} [signal] ends the wait
 * @returns {Promise<Credentials | null>} null: requests are not signed
 */
async function credentialsOf({ credentials }, signal) {
  return credentials === null ? null : await untilAborted(credentials(), signal)
}

/**
 * @param {SideSettings} settings
 * @param {Credentials | null | undefined} refused the credentials that have expired
 * @param {AbortSignal} [signal] ends the wait
 * @returns {Promise<boolean>} whether there are new ones now
 */
async function renewCredentials({ credentials }, refused, signal) {
  if (!refused || !credentials?.renew) return false
  return await untilAborted(credentials.renew(refused), signal)
}

/** @param {any} error of a control call */
function saysExpired({ name, status }) {
  return classifyAnswer({ status, storeCode: name }) === 'CREDENTIALS_EXPIRED'
}

module.exports = { credentialsOf, renewCredentials, saysExpired }
