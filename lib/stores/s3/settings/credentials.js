'use strict'

/** The credentials for the store of one side. */

const { XferError, termsOf } = require('../words')
const { memoize } = require('../../common')
const { profileFiles } = require('./profiles')

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
  if (named === undefined && !env.AWS_PROFILE && env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY) {
    const credentials = {
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    }
    return async () => checked(credentials, side)
  }
  return fromSdk(side, named ?? (env.AWS_PROFILE || 'default'), sources)
}

/** Discards what the SDK would print on a terminal: which of two settings it prefers, and that this may change. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/**
 * The SDK's own providers (profile, SSO, process, web identity, container, instance), loaded on the first call. Their
 * caches, of answers and of files, are off: memoize.js caches here, and asks again before the credentials expire and when
 * a store says that they have expired. The user may have logged in again by then. Keys in the environment are not read by
 * these providers, because they would read the environment of the process, not `env`.
 *
 * @param {Side} side
 * @param {string} profile
 * @param {Sources} sources
 * @returns {CredentialsProvider}
 */
function fromSdk(side, profile, { profiles, env }) {
  /** @type {(() => Promise<Credentials>) | undefined} */
  let provider
  let had = false
  const kept = memoize(async () => {
    if (!provider) {
      // As in lib/stores/s3/control.js: this package loads other clients, for STS and SSO.
      process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
      const { defaultProvider } = require('@aws-sdk/credential-provider-node')
      const options = { profile, ...profileFiles(env), ignoreCache: true, logger: silent }
      const chain = /** @type {(how: object) => Promise<Credentials>} */ (defaultProvider(options))
      provider = () => chain({ forceRefresh: true })
    }
    return await provider()
  })

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
 * Refuses credentials with odd characters. A line end that was copied along would otherwise cause an obscure error in the
 * HTTP client, or a wrong signature.
 *
 * @param {Credentials} credentials
 * @param {Side} side
 * @returns {Credentials} the same object: signing keys are cached by its identity
 */
function checked(credentials, side) {
  const { accessKeyId, secretAccessKey, sessionToken = '' } = credentials
  const odd = [
    ['access key id', accessKeyId],
    ['secret access key', secretAccessKey],
    ['session token', sessionToken],
  ].find(([, text]) => !/^[\x21-\x7e]*$/.test(text))
  if (odd) throw new XferError('MALFORMED_CREDENTIALS', { side, what: odd[0] })
  return credentials
}

module.exports = { checked, credentialsFor }
