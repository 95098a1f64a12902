'use strict'

/**
 * Settings of one side's store. They are those of S3, read from an environment in which Google's names stand for S3's; AWS_* and
 * the default profile are of Amazon's keys, and do not count here.
 *
 * HMAC keys, by precedence: the profile named for the side, XFER_SOURCE_GS_* or XFER_DEST_GS_*, GS_ACCESS_KEY_ID and
 * GS_SECRET_ACCESS_KEY (as boto has them), the file of gsutil and boto (BOTO_CONFIG, ~/.boto).
 */

const { XferError } = require('../../errors')
const { inHome } = require('../../files')
const { readOptional } = require('../../http')
const { termsOfSide, usage } = require('../common')
const s3 = require('../s3').base
const { google } = require('./dialect')

/** https://cloud.google.com/storage/docs/buckets#naming */
const BUCKET = /^(?=.{3,222}$)[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/

/** @typedef {import('../../types').SideName} SideName */

/** https://cloud.google.com/storage/docs/request-endpoints */
const ENDPOINT = 'https://storage.googleapis.com'
/** Variables of S3 that mean the same here: where profiles and certificates are. */
const SHARED = [
  ...['HOME', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CA_BUNDLE'],
  ...['XDG_CONFIG_HOME', 'RCLONE_CONFIG', 'MC_CONFIG_DIR'],
]
/** Variables of this side, which may have `GS_` before their names. */
const OF_SIDE = ['ENDPOINT_URL', 'CA_BUNDLE', 'SSE_C_KEY']
/** A name that no profile has. */
const NO_PROFILE = '(none)'

/**
 * @param {SideName} side
 * @param {import('../../types').SideOptions} options
 * @param {string | undefined} profileInPlace from `gs://profile@bucket/key`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import('../../types').SideSettings>}
 * @throws {XferError} USAGE, BAD_CREDENTIALS
 */
async function resolveSide(side, options, profileInPlace, env) {
  const prefix = side === 'source' ? 'XFER_SOURCE_' : 'XFER_DEST_'
  const named = options.profile !== undefined || profileInPlace !== undefined
  const key = named ? {} : await findKey(prefix, env)
  const settings = await s3
    .settings()
    .resolveSide(side, { ...options, region: options.region ?? 'auto' }, profileInPlace, {
      ...Object.fromEntries(SHARED.map(name => [name, env[name]])),
      AWS_PROFILE: NO_PROFILE,
      ...Object.fromEntries(OF_SIDE.map(name => [prefix + name, env[`${prefix}GS_${name}`] || env[prefix + name]])),
      ...key,
    })
  const given = options.credentials !== undefined || options.noSignRequest === true
  const found = given || named || Object.keys(key).length > 0
  const missing = async () => {
    throw new XferError('NO_CREDENTIALS', { side, terms: termsOf(side) })
  }
  const userProject = env[`${prefix}GS_USER_PROJECT`] || undefined
  return {
    ...settings,
    endpoint: settings.endpoint ?? ENDPOINT,
    ...(!found && { credentials: missing }),
    ...(userProject !== undefined && { userProject }),
    keep: { ...settings.keep, region: undefined, addressing: options.addressing },
  }
}

/**
 * @param {string} prefix
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Record<string, string | undefined>>} the key in the names of S3; empty without one
 */
async function findKey(prefix, env) {
  const [id, secret] = ['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY']
  for (const names of [`${prefix}GS_`, 'GS_']) {
    const pair = [env[names + id] || undefined, env[names + secret] || undefined]
    if (pair.every(value => value !== undefined)) return { [prefix + id]: pair[0], [prefix + secret]: pair[1] }
    if (pair.some(value => value !== undefined)) {
      throw usage(`Only one of ${names}${id} and ${names}${secret} is set.`, 'Set both, or neither.')
    }
  }
  const boto = await readBoto(env.BOTO_CONFIG || inHome(env, '.boto'))
  return boto ? { [prefix + id]: boto.id, [prefix + secret]: boto.secret } : {}
}

/**
 * The HMAC key in the file of gsutil and boto. https://cloud.google.com/storage/docs/boto-gsutil
 *
 * @param {string} path
 * @returns {Promise<{ id: string, secret: string } | undefined>}
 */
async function readBoto(path) {
  const text = await readOptional(path)
  const settingOf = (/** @type {string} */ name) =>
    new RegExp(`^[ \\t]*${name}[ \\t]*[=:][ \\t]*(\\S+)`, 'm').exec(text)?.[1]
  const [id, secret] = [settingOf('gs_access_key_id'), settingOf('gs_secret_access_key')]
  return id !== undefined && secret !== undefined ? { id, secret } : undefined
}

/**
 * Google's words in sentences about any store (`StoreTerms` of the contract).
 *
 * @param {'source' | 'destination'} side
 * @param {string | null} [endpointFrom] as in lib/stores/s3/place.js
 * @param {{ unsigned?: boolean }} [how] unsigned: requests are not signed, because the options say so
 * @returns {import('../contract').StoreTerms}
 */
function termsOf(side, endpointFrom, { unsigned = false } = {}) {
  const variable = side === 'source' ? 'XFER_SOURCE' : 'XFER_DEST'
  const ways = `Set ${variable}_GS_ACCESS_KEY_ID and ${variable}_GS_SECRET_ACCESS_KEY to an HMAC key, or GS_ACCESS_KEY_ID and GS_SECRET_ACCESS_KEY for both sides`
  const checks = 'XFER_SOURCE_GS_*, XFER_DEST_GS_* and the profiles'
  const common = termsOfSide(side, endpointFrom, { ways, checks, unsigned })
  return {
    container: 'bucket',
    ...common,
    address: common.endpointInUse,
    credentials: 'the access id, the secret of the HMAC key',
    storageClass: 'STANDARD',
    storageClasses: ['STANDARD', 'NEARLINE', 'COLDLINE', 'ARCHIVE'],
  }
}

/** As in S3. @type {import('../contract').Places['parse']} */
function parse(text, how) {
  return s3.place().parse(text, how, { scheme: 'gs', bucketName: BUCKET, names: google.names })
}

/** https://cloud.google.com/storage/docs/objects#naming @param {string} key @returns {string | undefined} */
function keyFault(key) {
  if (/[\r\n]/.test(key)) return 'has a line break, which Google Cloud Storage refuses'
  if (key === '.' || key === '..') return `is "${key}", which Google Cloud Storage refuses`
  return s3.place().keyFault(key)
}

module.exports = {
  parse,
  parseAccount: (/** @type {string} */ text) => s3.place().parseAccount(text, 'gs'),
  keyFault,
  identify: s3.place().identify,
  resolveSide,
  termsOf,
}
