'use strict'

/** The credentials for the store of one side. */

const { XferError } = require('../../../errors')
const { usage } = require('../../common')
const { termsOf } = require('../words')
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
    throw usage(`Only one of ${prefix}_ACCESS_KEY_ID and ${prefix}_SECRET_ACCESS_KEY is set.`, 'Set both, or neither.')
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
    if (missing && !had) throw noSuchProfile(side, profile, cause)
    throw new XferError(
      had ? 'CREDENTIALS_EXPIRED' : 'NO_CREDENTIALS',
      { side, profile, terms: termsOf(side) },
      { cause },
    )
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

/** Every signature asks for them. @type {WeakSet<Credentials>} */
const sound = new WeakSet()

/**
 * @param {Credentials} credentials
 * @param {Side} side
 * @returns {Credentials} the same object: signing keys are cached by its identity
 * @throws {XferError} BAD_CREDENTIALS
 */
function checked(credentials, side) {
  if (sound.has(credentials)) return credentials
  const what = oddCredential(credentials)
  if (what) {
    throw new XferError('BAD_CREDENTIALS', {
      side,
      what,
      text: `The ${side}'s ${what} holds a blank, a line end or a character outside ASCII.`,
      advice: 'Copy it again, without blanks or line ends around it.',
    })
  }
  sound.add(credentials)
  return credentials
}

/** @param {Side} side @param {string} profile @param {unknown} [cause] */
function noSuchProfile(side, profile, cause) {
  const text = `The ${side} names the profile "${profile}", and no such profile is configured.`
  const advice = 'Check the name in ~/.aws/config and ~/.aws/credentials, or where AWS_CONFIG_FILE points.'
  return new XferError('BAD_CREDENTIALS', { side, profile, text, advice }, cause === undefined ? {} : { cause })
}

module.exports = { checked, credentialsFor, noSuchProfile }
