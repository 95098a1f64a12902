'use strict'

/**
 * Endpoint, region, credentials and other settings of one side's store. Each side is resolved separately, because other AWS
 * tools would apply one `AWS_ENDPOINT_URL_S3` to both sides.
 *
 * Precedence: option, `XFER_SOURCE_*`/`XFER_DEST_*`, the profile chosen for the side, the `AWS_*` environment, the default
 * profile. https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */

const { configuredEndpoint, flagOf, loadProfiles, ignoresConfigured } = require('../../../aws')
const { trustedCertificates } = require('../../../http')
const { endpointOf, firstEndpoint, usage } = require('../../common')
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
  const variable = side === 'source' ? 'XFER_SOURCE' : 'XFER_DEST'
  /** @param {string} name an empty variable counts as not set */
  const own = name => env[`${variable}_${name}`] || undefined
  const named = namedProfile(side, options, profileInPlace) ?? own('PROFILE')
  const profiles = await loadProfiles(env, 's3')
  if (named !== undefined && !profiles[named]) throw noSuchProfile(side, named)
  const profile = named === undefined ? {} : profiles[named]
  const fallback = profiles[env.AWS_PROFILE || 'default'] ?? {}

  const [endpoint, endpointFrom = null] = firstEndpoint(side, options, [
    [own('ENDPOINT_URL'), `${variable}_ENDPOINT_URL`],
    ignoresConfigured(env, profile) ? [] : [profile.endpointUrl, profile.endpointFrom],
    configuredEndpoint('S3', env, fallback),
  ])
  const usualRegion = env.AWS_REGION || env.AWS_DEFAULT_REGION || fallback.region || 'us-east-1'
  const region = checkRegion(options.region ?? own('REGION') ?? profile.region ?? usualRegion, side)
  const addressing = resolveAddressing(side, options.addressing ?? profile.addressing ?? fallback.addressing)

  const checkedEndpoint = endpoint === undefined ? undefined : checkEndpoint(endpoint, side)
  const { versionId, sseCKeyFile: file, sseC: needed } = options
  const customerKey = await readCustomerKey(side, { file, text: own('SSE_C_KEY'), needed }, checkedEndpoint)

  const fips = profile.fips ?? flagOf(env.AWS_USE_FIPS_ENDPOINT) ?? fallback.fips
  const dualStack = profile.dualStack ?? flagOf(env.AWS_USE_DUALSTACK_ENDPOINT) ?? fallback.dualStack
  /** @type {Array<[path: string | undefined, from: string]>} */
  const usualBundles = [
    [own('CA_BUNDLE'), `${variable}_CA_BUNDLE`],
    [profile.caBundle, `the profile "${named}"`],
    [env.AWS_CA_BUNDLE || undefined, 'AWS_CA_BUNDLE'],
    [fallback.caBundle, `the profile "${env.AWS_PROFILE || 'default'}"`],
  ]
  return {
    ...{ side, endpoint: checkedEndpoint, region, addressing },
    ...(fips && { fips }),
    ...(dualStack && { dualStack }),
    endpointFrom,
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
      ...{ region, addressing, versionId },
      // That there are some, and nothing of them.
      ownCredentials: options.credentials === undefined ? undefined : true,
      sseC: customerKey ? true : undefined,
    },
  }
}

/** @param {Side} side @param {SideOptions} options @param {string | undefined} profileInPlace */
function namedProfile(side, options, profileInPlace) {
  const { profile } = options
  if (profile !== undefined && profileInPlace !== undefined && profile !== profileInPlace) {
    throw usage(
      `The ${side} names two profiles, "${profileInPlace}" in its location and "${profile}" by option.`,
      'Name the profile in one place only.',
    )
  }
  return profile ?? profileInPlace
}

/** @param {string} text @param {Side} side @returns {string} an origin with a path, without a closing slash */
function checkEndpoint(text, side) {
  const { origin, pathname } = endpointOf(text, side, { advice: 'Give it as http://host:port or https://host.' })
  return origin + pathname.replace(/\/+$/, '')
}

/** A region must be a valid label of a host name, because it becomes one. @param {string} region @param {Side} side */
function checkRegion(region, side) {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(region)) return region
  throw usage(
    `The ${side}'s region "${region}" cannot be the name of a region.`,
    'Give it as us-east-1, or as the store names it.',
  )
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html @param {string} id */
function checkVersion(id) {
  if (/^[\x21-\x7e]{1,1024}$/.test(id)) return id
  throw usage(
    `--version-id "${id}" cannot be the id of a version.`,
    'Give it as the store lists it; null is that of an object from before its bucket had versions.',
  )
}

/** @param {Side} side @param {string | undefined} value @returns {'auto' | 'path' | 'virtual'} */
function resolveAddressing(side, value) {
  if (value === undefined) return 'auto'
  if (value === 'auto' || value === 'path' || value === 'virtual') return value
  throw usage(`The ${side}'s addressing style "${value}" is unknown.`, 'Choose auto, path or virtual.')
}

module.exports = { resolveSide }
