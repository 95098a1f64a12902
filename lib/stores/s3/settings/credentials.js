'use strict'

/** The credentials for the store of one side. */

const { XferError, termsOf } = require('../words')
const { chainedCredentials, environmentCredentials, oddCredential } = require('../../../aws')

/** @typedef {import('../../../types').Credentials} Credentials */
/** @typedef {import('../../../types').CredentialsProvider} CredentialsProvider */
/** @typedef {'source' | 'destination'} Side */

/**
 * @typedef {object} Sources
 * @property {(name: string) => string | undefined} own `XFER_SOURCE_*` or `XFER_DEST_*`
 * @property {string | undefined} named the profile chosen for this side
 * @property {Record<string, unknown>} profiles the configured profiles, by name
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * @param {Side} side
 * @param {Sources} sources
 * @returns {CredentialsProvider}
 * @throws {XferError} USAGE if only one half of a pair is set
 */
function credentialsFor(side, sources) {
  const { own, named, env } = sources
  const accessKeyId = own('ACCESS_KEY_ID')
  const secretAccessKey = own('SECRET_ACCESS_KEY')
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    const prefix = side === 'source' ? 'XFER_SOURCE' : 'XFER_DEST'
    throw new XferError('USAGE', {
      text: `Only one of ${prefix}_ACCESS_KEY_ID and ${prefix}_SECRET_ACCESS_KEY is set.`,
      advice: 'Set both, or neither.',
    })
  }
  if (named === undefined && accessKeyId !== undefined && secretAccessKey !== undefined) {
    const sessionToken = own('SESSION_TOKEN')
    // Always the same object: signing keys are cached by its identity.
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
    return async () => checked(credentials, side)
  }
  const ofEnvironment = named === undefined ? environmentCredentials(env) : undefined
  if (ofEnvironment) return async () => checked(ofEnvironment, side)
  return fromSdk(side, named ?? (env.AWS_PROFILE || 'default'), sources)
}

/**
 * @param {Side} side
 * @param {string} profile
 * @param {Sources} sources
 * @returns {CredentialsProvider}
 */
function fromSdk(side, profile, { profiles, env }) {
  const kept = chainedCredentials(profile, env)
  let had = false

  /** @param {unknown} cause @returns {never} */
  function failed(cause) {
    const missing = profile !== 'default' && profiles[profile] === undefined
    const code = had ? 'CREDENTIALS_EXPIRED' : missing ? 'NO_SUCH_PROFILE' : 'NO_CREDENTIALS'
    throw new XferError(code, { side, profile, terms: termsOf(side) }, { cause })
  }

  async function get() {
    const credentials = await kept().catch(failed)
    had = true
    return checked(credentials, side)
  }

  /** @param {Credentials} refused */
  async function renew(refused) {
    return await kept.renew(refused).catch(failed)
  }

  return Object.assign(get, { renew })
}

/**
 * @param {Credentials} credentials
 * @param {Side} side
 * @returns {Credentials} the same object: signing keys are cached by its identity
 * @throws {XferError} MALFORMED_CREDENTIALS
 */
function checked(credentials, side) {
  const what = oddCredential(credentials)
  if (what) throw new XferError('MALFORMED_CREDENTIALS', { side, what })
  return credentials
}

module.exports = { checked, credentialsFor }
