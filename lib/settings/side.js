'use strict'

/**
 * Where one side's store is and who we are there. Each side is resolved for itself, and what comes of it is handed to
 * the SDK explicitly: left alone the SDK ignores a profile's `endpoint_url` when it is given a profile, and one
 * `AWS_ENDPOINT_URL_S3` would capture both sides.
 *
 * Order, the first that says something wins: option, `XFER_SOURCE_*`/`XFER_DEST_*`, the profile that was named, the
 * `AWS_*` environment, the default profile. https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */

const { XferError } = require('../errors')
const { loadProfiles, profileFiles } = require('./profiles')

/** @typedef {import('../types').SideOptions} SideOptions */
/** @typedef {import('../types').SideSettings} SideSettings */
/** @typedef {import('../types').CredentialsProvider} CredentialsProvider */
/** @typedef {'source' | 'destination'} Side */

/**
 * @param {Side} side
 * @param {SideOptions} options
 * @param {string | undefined} profileInPlace of `s3://profile@bucket/key`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<SideSettings>}
 * @throws {XferError} USAGE, NO_SUCH_PROFILE
 */
async function resolveSide(side, options, profileInPlace, env) {
  const own = ownEnvironment(side, env)
  const named = namedProfile(side, options, profileInPlace) ?? own('PROFILE')
  const profiles = await loadProfiles(env)
  if (named !== undefined && !profiles[named]) throw new XferError('NO_SUCH_PROFILE', { side, profile: named })
  const profile = named === undefined ? {} : profiles[named]
  const fallback = profiles[env.AWS_PROFILE || 'default'] ?? {}

  const endpoint =
    options.endpointUrl ??
    own('ENDPOINT_URL') ??
    (ignoresConfigured(env, profile) ? undefined : profile.endpointUrl) ??
    (ignoresConfigured(env, fallback)
      ? undefined
      : env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || fallback.endpointUrl)
  const region =
    options.region ??
    own('REGION') ??
    profile.region ??
    (env.AWS_REGION || env.AWS_DEFAULT_REGION || fallback.region || 'us-east-1')

  return {
    side,
    endpoint: endpoint === undefined ? undefined : checkEndpoint(endpoint, side),
    region,
    addressing: resolveAddressing(side, options.addressing ?? profile.addressing ?? fallback.addressing),
    credentials: options.noSignRequest ? null : credentialsFor(side, own, named, env),
    requestPayer: options.requestPayer ?? false,
  }
}

/** @param {Side} side @param {NodeJS.ProcessEnv} env */
function ownEnvironment(side, env) {
  const prefix = side === 'source' ? 'XFER_SOURCE_' : 'XFER_DEST_'
  /** @param {string} name an empty variable counts as none */
  return name => env[prefix + name] || undefined
}

/** @param {Side} side @param {SideOptions} options @param {string | undefined} profileInPlace */
function namedProfile(side, options, profileInPlace) {
  const { profile } = options
  if (profile !== undefined && profileInPlace !== undefined && profile !== profileInPlace) {
    throw new XferError('USAGE', {
      text: `The ${side} names two profiles, "${profileInPlace}" in its location and "${profile}" by option.`,
      advice: 'Name the profile in one place only.',
    })
  }
  return profile ?? profileInPlace
}

/** @param {NodeJS.ProcessEnv} env @param {{ ignoreConfiguredEndpointUrls?: boolean }} profile */
function ignoresConfigured(env, profile) {
  return env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true' || profile.ignoreConfiguredEndpointUrls === true
}

/** @param {string} text @param {Side} side @returns {string} an origin with a path, without a closing slash */
function checkEndpoint(text, side) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bad = (/** @type {string} */ why) =>
    new XferError('USAGE', {
      text: `The ${side}'s endpoint "${redact(text)}" ${why}.`,
      advice: 'Give it as http://host:port or https://host.',
    })
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw bad('is not an http or https URL')
  if (url.username || url.password) throw bad('carries a user name or password')
  if (url.search || url.hash) throw bad('carries a query or fragment')
  return url.origin + (url.pathname === '/' ? '' : url.pathname.replace(/\/+$/, ''))
}

/** Without what may be a secret: all before an @, a query, a fragment. What is no URL is treated alike. @param {string} text */
function redact(text) {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? ''
  return (
    scheme +
    text
      .slice(scheme.length)
      .replace(/[?#].*$/s, '')
      .replace(/^.*@/s, '')
  )
}

/** @param {Side} side @param {string | undefined} value @returns {'auto' | 'path' | 'virtual'} */
function resolveAddressing(side, value) {
  if (value === undefined) return 'auto'
  if (value === 'auto' || value === 'path' || value === 'virtual') return value
  throw new XferError('USAGE', {
    text: `The ${side}'s addressing style "${value}" is unknown.`,
    advice: 'Choose auto, path or virtual.',
  })
}

/**
 * @param {Side} side
 * @param {(name: string) => string | undefined} own
 * @param {string | undefined} named
 * @param {NodeJS.ProcessEnv} env
 * @returns {CredentialsProvider}
 */
function credentialsFor(side, own, named, env) {
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
    // One object for good: signers are kept by the credentials' identity.
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
    return async () => credentials
  }
  if (named === undefined && !env.AWS_PROFILE && env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY) {
    const credentials = {
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    }
    return async () => credentials
  }
  return fromSdk(side, named ?? (env.AWS_PROFILE || 'default'), env)
}

/** What the SDK would tell a terminal: which of two settings it takes, and that it may change its mind. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/**
 * The SDK's own providers (profile, SSO, process, web identity, container, instance), loaded when first asked, their
 * answer kept until shortly before it expires. The environment's keys are not left to them: they would be the
 * process's, whatever environment was given.
 *
 * @param {Side} side
 * @param {string} profile
 * @param {NodeJS.ProcessEnv} env
 * @returns {CredentialsProvider}
 */
function fromSdk(side, profile, env) {
  /** @type {CredentialsProvider | undefined} */
  let provider
  return async () => {
    if (!provider) {
      const { fromNodeProviderChain } = require('@aws-sdk/credential-providers')
      const { memoize } = require('./memoize')
      provider = memoize(fromNodeProviderChain({ profile, ...profileFiles(env), logger: silent }))
    }
    try {
      return await provider()
    } catch (error) {
      throw new XferError('NO_CREDENTIALS', { side }, { cause: error })
    }
  }
}

module.exports = { resolveSide }
