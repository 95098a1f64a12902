'use strict'

/** Profiles and credentials as every AWS tool finds them, and the hosts of AWS. */

const { existsSync } = require('node:fs')
const { readFile } = require('node:fs/promises')
const { devNull } = require('node:os')
const { memoizeShared } = require('../async')
const { homeOf, inHome } = require('../files')
const { readOptional } = require('../http')

/** @typedef {import('../types').Credentials} Credentials */

/**
 * The settings of a profile of the AWS configuration.
 *
 * @typedef {object} Profile
 * @property {string} [region]
 * @property {string} [endpointUrl] that of the service in its `services` section, else its own `endpoint_url`
 * @property {string} [endpointFrom] where that is, for messages
 * @property {string} [addressing] `addressing_style` of its `s3` settings
 * @property {string} [caBundle] a path
 * @property {boolean} [fips] `use_fips_endpoint`
 * @property {boolean} [dualStack] `use_dualstack_endpoint`
 * @property {boolean} [ignoreConfiguredEndpointUrls]
 * @property {string} [file] the path of the file that has it
 * @property {Credentials} [credentials] of another tool's profile
 * @property {boolean} [unsigned] of another tool's profile: it has no keys
 * @property {string} [through] of another tool's profile: that of AWS which has its keys
 * @property {string} [refused] of another tool's profile: a setting without which it would be somebody else's, and which is not read
 */

/** Paths of the two files, by the SDK's names of the options. @param {NodeJS.ProcessEnv} env */
function profileFiles(env) {
  // The SDK fails without a home folder, also where it reads nothing in it. This variable is its next choice, and no other program's here.
  if (homeOf(process.env) === undefined) process.env.USERPROFILE ??= devNull
  return {
    configFilepath: env.AWS_CONFIG_FILE || inHome(env, '.aws', 'config'),
    filepath: env.AWS_SHARED_CREDENTIALS_FILE || inHome(env, '.aws', 'credentials'),
  }
}

/**
 * Reads ~/.aws/config and ~/.aws/credentials, or the files that AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name.
 * https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} service its name in a `services` section, such as `s3`
 * @returns {Promise<Record<string, Profile>>} by name; has the profiles of both files
 * @throws {import('../types').XferError} USAGE if a file that a variable names cannot be read
 */
async function loadProfiles(env, service) {
  const files = profileFiles(env)
  // Most containers have none, and the reader takes longer to load than the rest of the settings to be found.
  if (!Object.values(files).some(path => existsSync(path)) && !env.AWS_CONFIG_FILE && !env.AWS_SHARED_CREDENTIALS_FILE)
    return {}
  const { loadSharedConfigFiles } = require('@smithy/shared-ini-file-loader')
  // The SDK treats an unreadable file as empty. If a variable names the file, report the error.
  for (const path of [env.AWS_CONFIG_FILE, env.AWS_SHARED_CREDENTIALS_FILE]) if (path) await readOptional(path)
  await readInAnyCase(files)
  const { configFile, credentialsFile } = await loadSharedConfigFiles({ ...files, ignoreCache: true })
  /** @type {Record<string, Profile>} */
  const profiles = Object.create(null)
  for (const name of new Set([...Object.keys(configFile), ...Object.keys(credentialsFile)])) {
    if (/^(services|sso-session)\./.test(name)) continue
    const entries = { ...credentialsFile[name], ...configFile[name] }
    const services = entries.services === undefined ? undefined : configFile[`services.${entries.services}`]
    const ofServices = services?.[`${service}.endpoint_url`]
    const inConfig = ofServices !== undefined || configFile[name]?.endpoint_url !== undefined
    profiles[name] = {
      region: entries.region,
      endpointUrl: ofServices ?? entries.endpoint_url,
      endpointFrom: `${ofServices === undefined ? '' : `the services "${entries.services}" of `}the profile "${name}" in ${inConfig ? files.configFilepath : files.filepath}`,
      file: configFile[name] ? files.configFilepath : files.filepath,
      addressing: entries['s3.addressing_style'],
      caBundle: entries.ca_bundle,
      fips: flagOf(entries.use_fips_endpoint),
      dualStack: flagOf(entries.use_dualstack_endpoint ?? entries['s3.use_dualstack_endpoint']),
      ignoreConfiguredEndpointUrls: isTrue(entries.ignore_configured_endpoint_urls),
    }
  }
  return profiles
}

/** The name of a setting, which begins a line. Settings in a setting are indented; the AWS CLI takes their names as they are. */
const SETTING = /^[^\s[#;=][^=\r\n]*(?==)/gm
/** Files that the SDK was given. @type {Set<string>} */
const lowered = new Set()

/**
 * Gives the SDK the files with the names of settings in lower case. The AWS CLI reads them so (`optionxform` of Python's
 * configparser), and the SDK knows no others.
 *
 * @param {ReturnType<typeof profileFiles>} files
 */
async function readInAnyCase(files) {
  const { externalDataInterceptor } = require('@smithy/shared-ini-file-loader')
  for (const path of Object.values(files)) {
    const text = await readFile(path, 'utf8').catch(() => '')
    const plain = text.replace(SETTING, name => name.toLowerCase())
    if (plain !== text) {
      lowered.add(path)
      externalDataInterceptor.interceptFile(path, plain)
    } else if (lowered.delete(path)) delete externalDataInterceptor.getFileRecord()[path]
  }
}

/** @param {string | undefined} text */
function isTrue(text) {
  return text?.toLowerCase() === 'true'
}

/** @param {string | undefined} text @returns {boolean | undefined} undefined: not set */
function flagOf(text) {
  return text ? isTrue(text) : undefined
}

/** Whether endpoints of the profile, or of the environment, do not count. @param {NodeJS.ProcessEnv} env @param {Profile} profile */
function ignoresConfigured(env, profile) {
  return isTrue(env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS) || profile.ignoreConfiguredEndpointUrls === true
}

/**
 * The DNS suffixes of AWS's partitions, by the beginning of their regions' names; `aws` for all others.
 * https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html
 *
 * @type {Array<[beginning: string, suffix: string]>}
 */
const SUFFIXES = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
  ['', 'amazonaws.com'],
]
/** Of endpoints with IPv6. */
const DUAL_STACK = ['api.aws', 'api.amazonwebservices.com.cn', 'api.amazonwebservices.eu']

/** What the hosts of a region end with, without a dot before. @param {string} region */
function dnsSuffix(region) {
  const [, suffix] = SUFFIXES.find(([beginning]) => region.startsWith(beginning)) ?? SUFFIXES[SUFFIXES.length - 1]
  return suffix
}

/** Whether a host is one of AWS. @param {string} host */
function isAws(host) {
  return [...SUFFIXES.map(([, suffix]) => suffix), ...DUAL_STACK].some(suffix =>
    `.${host.toLowerCase()}`.endsWith(`.${suffix}`),
  )
}

/**
 * The endpoint of a service from the environment, or else the default profile.
 *
 * @param {string} service as in the variable AWS_ENDPOINT_URL_<SERVICE>
 * @param {NodeJS.ProcessEnv} env
 * @param {Profile} profile of `loadProfiles`, for that service
 * @returns {[url?: string, from?: string]} from: what sets it, for messages; empty: none is configured, or they are to be ignored
 */
function configuredEndpoint(service, env, profile) {
  if (ignoresConfigured(env, profile)) return []
  const variable = [`AWS_ENDPOINT_URL_${service}`, 'AWS_ENDPOINT_URL'].find(name => env[name])
  return variable === undefined ? [profile.endpointUrl, profile.endpointFrom] : [env[variable], variable]
}

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

/** What the chain reads of the environment: https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html */
const CHAIN = [
  ...['HOME', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE'],
  ...['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', 'AWS_CONTAINER_CREDENTIALS_FULL_URI'],
]

/**
 * The SDK's own providers (profile, SSO, process, web identity, container, instance), loaded on the first call. Their
 * caches, of answers and of files, are off: lib/async/memoize.js caches here, and asks again before the credentials expire and when
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
  const key = JSON.stringify([profile, ...CHAIN.map(name => env[name])])
  return memoizeShared(env, key, async () => {
    if (!provider) {
      // The SDK must not print warnings on the user's terminal. This package loads other clients, for STS and SSO.
      process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
      const { defaultProvider } = require('@aws-sdk/credential-provider-node')
      const options = { profile, ...profileFiles(env), ignoreCache: true, logger: silent }
      const chain = /** @type {(how: object) => Promise<Credentials>} */ (defaultProvider(options))
      provider = async () => {
        await readInAnyCase(profileFiles(env))
        return await chain({ forceRefresh: true })
      }
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

module.exports = {
  flagOf,
  ignoresConfigured,
  loadProfiles,
  configuredEndpoint,
  dnsSuffix,
  isAws,
  chainedCredentials,
  environmentCredentials,
  oddCredential,
}
