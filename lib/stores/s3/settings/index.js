'use strict'

/**
 * Endpoint, region, credentials and other settings of one side's store. Each side is resolved separately, because other AWS
 * tools would apply one `AWS_ENDPOINT_URL_S3` to both sides.
 *
 * Precedence: option, `XFER_SOURCE_*`/`XFER_DEST_*`, the profile chosen for the side, the `AWS_*` environment, the default
 * profile. https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */

const { configuredEndpoint, flagOf, loadProfiles, ignoresConfigured } = require('../../../aws')
const { XferError, redact } = require('../../../errors')
const { trustedCertificates } = require('../../../http')
const { credentialsFor, noSuchProfile } = require('./credentials')
const { givenCredentials } = require('./given-credentials')
const { readCustomerKey } = require('./customer-key')

/** @typedef {import('../../../types').SideOptions} SideOptions */
/** @typedef {import('../../../types').SideSettings} SideSettings */
/** @typedef {'source' | 'destination'} Side */

/**
 * @param {Side} side
 * @param {SideOptions} options
 * @param {string | undefined} profileInPlace from `s3://profile@bucket/key`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<SideSettings>}
 * @throws {XferError} USAGE, BAD_CREDENTIALS
 */
async function resolveSide(side, options, profileInPlace, env) {
  const own = ownEnvironment(side, env)
  const named = namedProfile(side, options, profileInPlace) ?? own('PROFILE')
  const profiles = await loadProfiles(env, 's3')
  if (named !== undefined && !profiles[named]) throw noSuchProfile(side, named)
  const profile = named === undefined ? {} : profiles[named]
  const fallback = profiles[env.AWS_PROFILE || 'default'] ?? {}

  const { url: endpoint, from: endpointFrom } = findEndpoint(side, options, { own, env, profile, fallback })
  const region =
    options.region ??
    own('REGION') ??
    profile.region ??
    (env.AWS_REGION || env.AWS_DEFAULT_REGION || fallback.region || 'us-east-1')

  const checkedEndpoint = endpoint === undefined ? undefined : checkEndpoint(endpoint, side)
  const { versionId, sseCKeyFile: file, sseC: needed } = options
  const customerKey = await readCustomerKey(side, { file, text: own('SSE_C_KEY'), needed }, checkedEndpoint)

  const found = {
    endpoint: checkedEndpoint,
    region: checkRegion(region, side),
    addressing: resolveAddressing(side, options.addressing ?? profile.addressing ?? fallback.addressing),
  }
  const fips = profile.fips ?? flagOf(env.AWS_USE_FIPS_ENDPOINT) ?? fallback.fips
  const dualStack = profile.dualStack ?? flagOf(env.AWS_USE_DUALSTACK_ENDPOINT) ?? fallback.dualStack
  /** @type {Array<[path: string | undefined, from: string]>} */
  const usualBundles = [
    [own('CA_BUNDLE'), `${side === 'source' ? 'XFER_SOURCE' : 'XFER_DEST'}_CA_BUNDLE`],
    [profile.caBundle, `the profile "${named}"`],
    [env.AWS_CA_BUNDLE || undefined, 'AWS_CA_BUNDLE'],
    [fallback.caBundle, `the profile "${env.AWS_PROFILE || 'default'}"`],
  ]
  return {
    side,
    ...found,
    ...(fips && { fips }),
    ...(dualStack && { dualStack }),
    endpointFrom: endpointFrom ?? null,
    ca: await trustedCertificates([
      [options.caBundle, '--ca-bundle'],
      // Reading those of a whole system takes longer than the copy of a small object.
      ...(checkedEndpoint?.startsWith('http:') ? [] : usualBundles),
    ]),
    credentials:
      givenCredentials(side, options) ??
      (options.noSignRequest ? null : credentialsFor(side, { own, named, profiles, env })),
    requestPayer: options.requestPayer ?? false,
    ...(versionId !== undefined && { versionId: checkVersion(versionId) }),
    ...(customerKey && { customerKey }),
    keep: {
      profile: options.profile ?? profileInPlace,
      endpointUrl: checkedEndpoint,
      region: found.region,
      addressing: found.addressing,
      versionId,
      // That there are some, and nothing of them.
      ownCredentials: options.credentials === undefined ? undefined : true,
      sseC: customerKey ? true : undefined,
    },
  }
}

/** @param {Side} side @param {NodeJS.ProcessEnv} env */
function ownEnvironment(side, env) {
  const prefix = side === 'source' ? 'XFER_SOURCE_' : 'XFER_DEST_'
  /** @param {string} name an empty variable counts as not set */
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

/** A region must be a valid label of a host name, because it becomes one. @param {string} region @param {Side} side */
function checkRegion(region, side) {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(region)) return region
  throw new XferError('USAGE', {
    text: `The ${side}'s region "${region}" cannot be the name of a region.`,
    advice: 'Give it as us-east-1, or as the store names it.',
  })
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html @param {string} id */
function checkVersion(id) {
  if (/^[\x21-\x7e]{1,1024}$/.test(id)) return id
  throw new XferError('USAGE', {
    text: `--version-id "${id}" cannot be the id of a version.`,
    advice: 'Give it as the store lists it; null is that of an object from before its bucket had versions.',
  })
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

/** @typedef {import('../../../aws/profiles').Profile} Profile */

/**
 * The endpoint of a side, from the first place that has one.
 *
 * @param {'source' | 'destination'} side
 * @param {SideOptions} options
 * @param {object} where
 * @param {(name: string) => string | undefined} where.own reads the variables of this side
 * @param {NodeJS.ProcessEnv} where.env
 * @param {Profile} where.profile the one chosen for the side
 * @param {Profile} where.fallback the default profile
 * @returns {{ url?: string, from?: string }} from: what sets it, for messages; both absent: nothing does
 */
function findEndpoint(side, { endpointUrl, endpointKept }, { own, env, profile, fallback }) {
  const [option, variable] = side === 'source' ? ['--source', 'XFER_SOURCE'] : ['--dest', 'XFER_DEST']
  const flag = `${option}-endpoint-url`
  /** @type {Array<[url?: string, from?: string]>} */
  const places = [
    [endpointUrl, endpointKept ? `the job; ${flag} sets another one` : flag],
    [own('ENDPOINT_URL'), `${variable}_ENDPOINT_URL`],
  ]
  if (!ignoresConfigured(env, profile)) places.push([profile.endpointUrl, profile.endpointFrom])
  places.push(configuredEndpoint('S3', env, fallback))
  const [url, from] = places.find(([url]) => url !== undefined) ?? []
  return { url, from }
}

module.exports = { resolveSide }
