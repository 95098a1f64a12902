'use strict'

/** Credentials as every AWS tool finds them. */

const { memoize } = require('../async')
const { profileFiles } = require('./profiles')

/** @typedef {import('../types').Credentials} Credentials */

/** Discards what the SDK would print on a terminal: which of two settings it prefers, and that this may change. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/**
 * The keys of the environment, unless it names a profile.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Credentials | undefined}
 */
function environmentCredentials(env) {
  if (env.AWS_PROFILE || !env.AWS_ACCESS_KEY_ID || !env.AWS_SECRET_ACCESS_KEY) return undefined
  return {
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
  }
}

/**
 * The SDK's own providers (profile, SSO, process, web identity, container, instance), loaded on the first call. Their
 * caches, of answers and of files, are off: memoize.js caches here, and asks again before the credentials expire and when
 * a service says that they have expired. The user may have logged in again by then. Keys in the environment are not read by
 * these providers, because they would read the environment of the process, not `env`.
 *
 * @param {string} profile
 * @param {NodeJS.ProcessEnv} env
 * @returns {(() => Promise<Credentials>) & { renew(refused: Credentials): Promise<boolean> }} rejects with the SDK's errors
 */
function chainedCredentials(profile, env) {
  /** @type {(() => Promise<Credentials>) | undefined} */
  let provider
  return memoize(async () => {
    if (!provider) {
      // The SDK must not print warnings on the user's terminal. This package loads other clients, for STS and SSO.
      process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
      const { defaultProvider } = require('@aws-sdk/credential-provider-node')
      const options = { profile, ...profileFiles(env), ignoreCache: true, logger: silent }
      const chain = /** @type {(how: object) => Promise<Credentials>} */ (defaultProvider(options))
      provider = () => chain({ forceRefresh: true })
    }
    return await provider()
  })
}

/**
 * Finds odd characters. A line end that was copied along would otherwise cause an obscure error in the HTTP client, or a wrong
 * signature.
 *
 * @param {Credentials} credentials
 * @returns {string | undefined} which of the three has some
 */
function oddCredential({ accessKeyId, secretAccessKey, sessionToken = '' }) {
  const texts = { 'access key id': accessKeyId, 'secret access key': secretAccessKey, 'session token': sessionToken }
  return Object.entries(texts).find(([, text]) => !/^[\x21-\x7e]*$/.test(text))?.[0]
}

module.exports = { chainedCredentials, environmentCredentials, oddCredential }
