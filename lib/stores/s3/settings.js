'use strict'

/**
 * Endpoint, region, credentials and other settings of one side's store. Each side is resolved separately, because other AWS
 * tools would apply one `AWS_ENDPOINT_URL_S3` to both sides.
 *
 * Precedence: option, `XFER_SOURCE_*`/`XFER_DEST_*`, the profile chosen for the side, the `AWS_*` environment, the default
 * profile. https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 *
 * A customer key (SSE-C) comes from the environment or from a file, never from an option, because process lists show options.
 */

const { createHash } = require('node:crypto')
const { readFile } = require('node:fs/promises')
const { isDate } = require('node:util').types
const { memoize, systemClock, untilAborted } = require('../../async')
const { chainedCredentials, configuredEndpoint, environmentCredentials, flagOf } = require('../../aws')
const { findRemote, ignoresConfigured, loadProfiles } = require('../../aws')
const { XferError, isError, kindOf, messageOf } = require('../../errors')
const { trustedCertificates } = require('../../http')
const { checkPrivate, endpointOf, firstEndpoint, usage } = require('../common')
const { termsOf } = require('./place')
const { checked, providing } = require('./sign')

/** @typedef {import('../../types').SideOptions} SideOptions */
/** @typedef {import('../../types').SideSettings} SideSettings */
/** @typedef {import('../../types').Credentials} Credentials */
/** @typedef {import('../../types').CredentialsProvider} CredentialsProvider */
/** @typedef {import('../../types').SideName} SideName */

/**
 * @param {SideName} side
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
  if (named !== undefined) profiles[named] ??= await findRemote(env, named, () => noSuchProfile(side, named))
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
  const advice = 'Give it as http://host:port or https://host.'
  const url = endpoint === undefined ? undefined : endpointOf(endpoint, side, { advice })
  const checkedEndpoint = url && url.origin + url.pathname.replace(/\/+$/, '')
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
    side,
    endpoint: checkedEndpoint,
    region,
    addressing,
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
      (options.noSignRequest || profile.unsigned ? null : credentialsFor(side, { own, named, profiles, env })),
    requestPayer: options.requestPayer ?? false,
    ...(versionId !== undefined && { versionId: checkVersion(versionId) }),
    ...(customerKey && { customerKey }),
    keep: {
      profile: options.profile ?? profileInPlace,
      endpointUrl: checkedEndpoint,
      region,
      addressing,
      versionId,
      // That there are some, and nothing of them.
      ownCredentials: options.credentials === undefined ? undefined : true,
      sseC: customerKey ? true : undefined,
    },
  }
}

/** @param {SideName} side @param {SideOptions} options @param {string | undefined} profileInPlace */
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

/** A region must be a valid label of a host name, because it becomes one. @param {string} region @param {SideName} side */
function checkRegion(region, side) {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(region)) return region
  const advice = 'Give it as us-east-1, or as the store names it.'
  throw usage(`The ${side}'s region "${region}" cannot be the name of a region.`, advice)
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html @param {string} id */
function checkVersion(id) {
  if (/^[\x21-\x7e]{1,1024}$/.test(id)) return id
  throw usage(
    `--version-id "${id}" cannot be the id of a version.`,
    'Give it as the store lists it; null is that of an object from before its bucket had versions.',
  )
}

/** @param {SideName} side @param {string} [value] @returns {'auto' | 'path' | 'virtual'} */
function resolveAddressing(side, value = 'auto') {
  if (value === 'auto' || value === 'path' || value === 'virtual') return value
  throw usage(`The ${side}'s addressing style "${value}" is unknown.`, 'Choose auto, path or virtual.')
}

const KEY_BYTES = 32
const HEADER = 'x-amz-server-side-encryption-customer-'

/**
 * Server-side encryption with a customer key. The store does not keep the key, so every request that reads or writes the object carries it.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerSideEncryptionCustomerKeys.html
 *
 * @param {SideName} side
 * @param {{ file?: string, text?: string, needed?: boolean }} given file: path of the file with the key; text: the key from the environment;
 *   needed: the job began with a key
 * @param {string | undefined} endpoint
 * @returns {Promise<(() => Record<string, string>) | undefined>} returns the headers; undefined without a key
 * @throws {XferError} USAGE; its text never contains the key
 */
async function readCustomerKey(side, { file, text, needed = false }, endpoint) {
  const variable = `XFER_${side === 'source' ? 'SOURCE' : 'DEST'}_SSE_C_KEY`
  const option = `--${side === 'source' ? 'source' : 'dest'}-sse-c-key-file`
  if (file === undefined && text === undefined) {
    if (!needed) return undefined
    throw usage(
      `The copy was begun with a customer's own key (SSE-C) for the ${side}, which is written down nowhere.`,
      `Give it once more, by ${variable} or ${option}.`,
    )
  }
  const key = file === undefined ? fromBase64(text ?? '') : await fromFile(file, option)
  if (key?.length !== KEY_BYTES) {
    const where = file === undefined ? variable : `The file that ${option} names`
    throw usage(`${where} holds no key of ${KEY_BYTES} bytes.`, 'Make one with openssl rand -base64 32.')
  }
  const secret = "A customer's own key (SSE-C)"
  checkPrivate(endpoint, side, { secret, advice: 'Give the endpoint as https://host.' })
  const headers = {
    [`${HEADER}algorithm`]: 'AES256',
    [`${HEADER}key`]: key.toString('base64'),
    [`${HEADER}key-md5`]: createHash('md5').update(key).digest('base64'),
  }
  // A function: those are never printed, journalled or sent.
  return () => ({ ...headers })
}

/** @param {string} path @param {string} option @returns {Promise<Buffer | undefined>} the 32 bytes, raw or decoded from base64 */
async function fromFile(path, option) {
  const content = await readFile(path).catch(cause => {
    const text = `The file "${path}", named by ${option}, cannot be read (${cause.code}).`
    throw usage(text, 'Check its name and its permissions.')
  })
  return content.length === KEY_BYTES ? content : fromBase64(content.toString('latin1').trim())
}

/** @param {string} text */
function fromBase64(text) {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/**
 * @typedef {object} Sources
 * @property {(name: string) => string | undefined} own `XFER_SOURCE_*` or `XFER_DEST_*`
 * @property {string | undefined} named the profile chosen for this side
 * @property {Record<string, import('../../aws/profiles').Profile>} profiles the configured profiles, by name
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * @param {SideName} side
 * @param {Sources} sources
 * @returns {CredentialsProvider}
 * @throws {XferError} USAGE if only one half of a pair is set
 */
function credentialsFor(side, sources) {
  const { own, named, profiles, env } = sources
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
    return providing(credentials, side)
  }
  const { credentials, through } = named === undefined ? { credentials: environmentCredentials(env) } : profiles[named]
  if (credentials) return providing(credentials, side)
  return fromSdk(side, through ?? named ?? (env.AWS_PROFILE || 'default'), sources)
}

/** @param {SideName} side @param {string} profile @param {Sources} sources @returns {CredentialsProvider} */
function fromSdk(side, profile, { profiles, env }) {
  const kept = chainedCredentials(profile, env)
  let had = false
  /** @type {Credentials | undefined} */
  let sound

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
    if (credentials !== sound) sound = checked(credentials, side)
    return sound
  }
  return Object.assign(get, { renew: async (/** @type {Credentials} */ refused) => kept.renew(refused).catch(failed) })
}

/** @param {SideName} side @param {string} profile @param {unknown} [cause] */
function noSuchProfile(side, profile, cause) {
  const text = `The ${side} names the profile "${profile}", and no such profile is configured.`
  const advice = 'Check the name: xfer profiles lists what there is, in the files of AWS, rclone and mc.'
  return new XferError('BAD_CREDENTIALS', { side, profile, text, advice }, cause === undefined ? {} : { cause })
}

/** How long a provider may take: it may have to ask several services, one after the other. */
const LIMIT_MS = 60_000

/**
 * Credentials that the library's caller gives: an object, or a function as the AWS SDK's providers are.
 * https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide/setting-credentials-node.html
 *
 * @param {SideName} side
 * @param {SideOptions} options
 * @returns {CredentialsProvider | undefined} undefined if none are given
 * @throws {XferError} USAGE, BAD_CREDENTIALS, CREDENTIALS_EXPIRED
 */
function givenCredentials(side, { credentials: given, noSignRequest, ownCredentials }) {
  if (given === undefined) {
    if (!ownCredentials || noSignRequest) return undefined
    const text = `The job was begun by a program with credentials of its own for the ${side}, which are written down nowhere.`
    const option = side === 'source' ? '--source-profile' : '--dest-profile'
    throw usage(text, `Give them again: in the library as ${side}.credentials, or name a profile with ${option}.`)
  }
  if (noSignRequest) throw usage(`The ${side} has both credentials and noSignRequest.`, 'Give one of them only.')
  return typeof given === 'function' ? fromProvider(side, given) : fromObject(side, given)
}

/** @param {SideName} side @param {any} given */
function fromObject(side, given) {
  const fault = faultOf(given)
  if (fault) throw usage(`The ${side}'s credentials ${fault.are ?? `are ${fault.kind}`}.`, fault.advice)
  const credentials = checked(copyOf(given), side)
  if (isOver(credentials)) {
    throw new XferError('CREDENTIALS_EXPIRED', { side, advice: 'Give others, or a function that returns them.' })
  }
  return async () => credentials
}

/** What a provider of credentials is for. */
const RETURNS = 'It has to return { accessKeyId, secretAccessKey, sessionToken, expiration }, or a promise of it.'

/**
 * @param {SideName} side
 * @param {import('../../types').StoreCredentialsProvider} provider
 * @param {{ limitMs?: number, clock?: import('../../types').Clock }} [how]
 * @returns {CredentialsProvider} rejects with BAD_CREDENTIALS
 */
function fromProvider(side, provider, { limitMs = LIMIT_MS, clock = systemClock } = {}) {
  /** @param {string} reason @param {{ advice?: string, cause?: unknown }} [more] */
  const failed = (reason, { advice = RETURNS, cause } = {}) =>
    new XferError(
      'BAD_CREDENTIALS',
      { side, text: `The function that was given as the ${side}'s credentials ${reason}.`, advice },
      { cause },
    )

  let close = () => {}
  const get = memoize(async () => {
    const limit = new AbortController()
    const advice = 'Find out what it waits for.'
    close = () => limit.abort(failed(`did not answer within ${limitMs / 1000} seconds`, { advice }))
    const timer = clock.setTimeout(close, limitMs)
    // Asked of a provider that keeps its answers, as the SDK's do: `memoize` keeps them here.
    const asked = (async () => provider({ forceRefresh: true }))().finally(() => clock.clearTimeout(timer))
    const given = await untilAborted(asked, limit.signal).catch(cause => {
      clock.clearTimeout(timer)
      if (limit.signal.aborted) throw cause
      const says = isError(cause) ? `: ${messageOf(cause).replace(/\.$/, '')}` : ''
      throw failed(`failed${says}`, { cause, advice: 'Correct what it says.' })
    })
    const fault = faultOf(given)
    if (fault) throw failed(`returned ${fault.kind ?? `credentials that ${fault.are}`}`, fault)
    const credentials = checked(copyOf(given), side)
    if (isOver(credentials)) {
      const advice = "Have it return new ones, and check this machine's clock."
      throw failed(`returned credentials that expired at ${credentials.expiration?.toISOString()}`, { advice })
    }
    return credentials
  })
  return Object.assign(get, { close: () => close() })
}

/** kind: what they are instead of an object. @typedef {{ kind?: string, are?: string, advice: string }} Fault */

const SHAPE = 'Give { accessKeyId, secretAccessKey, sessionToken, expiration }, or a function that returns it.'

/** @param {any} given @returns {Fault | undefined} it has never anything of the values */
function faultOf(given) {
  if (typeof given !== 'object' || given === null) return { kind: kindOf(given), advice: SHAPE }
  for (const name of ['accessKeyId', 'secretAccessKey']) {
    const value = given[name]
    if (typeof value === 'string' && value !== '') continue
    const like = Object.keys(given).find(other => other !== name && other.toLowerCase() === name.toLowerCase())
    const are = value === undefined || value === '' ? `have no ${name}` : `have ${kindOf(value)} as ${name}`
    return { are, advice: like ? `They have ${like}: name it ${name}.` : SHAPE }
  }
  const { sessionToken, expiration } = given
  if (isGiven(sessionToken) && typeof sessionToken !== 'string')
    return { are: `have ${kindOf(sessionToken)} as sessionToken`, advice: SHAPE }
  if (isGiven(expiration) && !(isDate(expiration) && Number.isFinite(expiration.getTime()))) {
    const advice = 'Give a Date, such as new Date(text).'
    return { are: `have ${isDate(expiration) ? 'an invalid Date' : kindOf(expiration)} as expiration`, advice }
  }
  return undefined
}

/** @param {unknown} value */
const isGiven = value => value !== undefined && value !== null

/**
 * A copy, because the caller may change its object. Equal credentials have to stay the same object, and other ones must not: signing keys are cached by its identity.
 *
 * @param {any} given
 * @returns {Credentials}
 */
function copyOf({ accessKeyId, secretAccessKey, sessionToken, expiration }) {
  const made = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  return Object.freeze(isGiven(expiration) ? { ...made, expiration: new Date(Number(expiration)) } : made)
}

/** @param {Credentials} credentials */
const isOver = ({ expiration }) => expiration !== undefined && expiration.getTime() <= Date.now()

module.exports = { fromProvider, givenCredentials, readCustomerKey, resolveSide }
