'use strict'

/** @typedef {import('./types').State} State */

const { randomBytes } = require('node:crypto')
const { bytesOf } = require('../common/content')
const { runStore } = require('../common/store')
const { phaseOf, syntheticCrc32 } = require('../common/synthetic')
const { checkBucketName } = require('./buckets')
const { openCatalog } = require('./catalog')
const { protocolOf } = require('./server')
const { withDefaults } = require('../common/server')

/**
 * A local S3 server, to try, test and measure with: signatures, conditions, checksums and errors as in S3, data on disk,
 * and faults on request. https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html
 *
 * @param {import('./types').StoreOptions} [options]
 * @returns {Promise<import('./types').RunningStore>}
 */
async function startStore(options = {}) {
  const settings = settingsOf(options)
  const [{ accessKeyId, secretAccessKey }] = settings.accounts
  return runStore({
    name: 'store',
    options,
    settings,
    openCatalog,
    protocolOf,
    fill(/** @type {State} */ state) {
      Object.assign(state, { completed: new Map(), unsettled: new Set() })
      for (const bucket of options.buckets ?? []) {
        if (typeof bucket === 'string') createBucket(state, bucket)
        else createBucket(state, bucket.name, bucket)
      }
      for (const [name, bytes] of Object.entries(options.synthetic ?? {})) {
        const [bucket, ...key] = name.split('/')
        createBucket(state, bucket)
        state.catalog.putObject(bucket, syntheticObject(name, key.join('/'), bytes, state.now()))
      }
    },
    describe: (state, endpoint) => ({
      endpoint,
      accessKeyId,
      secretAccessKey,
      region: settings.region,
      createBucket: (/** @type {Parameters<typeof createBucket>[1]} */ name) => createBucket(state, name),
      addAccount: (/** @type {import('./types').Account} */ account) => void settings.accounts.push(account),
      look: (/** @type {string} */ name) => look(state, name),
    }),
  })
}

/** @param {State} state @param {string} name @param {import('./types').BucketOptions} [options] */
function createBucket({ catalog, options: { region: own }, now }, name, options = {}) {
  const { region = own, publicRead = false, discard = false, versions = false } = options
  checkBucketName(name)
  if (!catalog.buckets.has(name)) catalog.addBucket(name, { region, publicRead, discard, versions }, now())
}

/**
 * @param {State} state
 * @param {string} name of a bucket
 * @returns {ReturnType<import('./types').RunningStore['look']>}
 */
async function look({ catalog, blobs }, name) {
  const { objects, uploads } = /** @type {import('./types').Bucket} */ (catalog.buckets.get(name))
  const kept = [...objects.values()].map(async ({ key, etag, segments, content, user, tags, storageClass }) => {
    return { key, etag, bytes: await bytesOf(blobs, segments), content, user, tags, storageClass }
  })
  return {
    objects: await Promise.all(kept),
    uploads: [...uploads.values()].map(({ id, key, parts }) => ({ id, key, parts: parts.size })),
  }
}

/**
 * @param {string} name `bucket/key`
 * @param {string} key
 * @param {number} size
 * @param {number} modifiedMs
 * @returns {import('./types').StoredObject}
 */
function syntheticObject(name, key, size, modifiedMs) {
  const phase = phaseOf(name)
  return {
    key,
    size,
    etag: `${phaseOf(`${name} ${size}`).toString(16).padStart(32, '0')}-1`,
    modifiedMs,
    segments: [{ size, phase }],
    checksum: { algorithm: 'CRC32', value: syntheticCrc32(phase, size), type: 'FULL_OBJECT' },
    content: { 'content-type': 'binary/octet-stream' },
    user: {},
    tags: [],
  }
}

const DEFAULTS = {
  port: 0,
  region: 'us-east-1',
  seed: 1,
  clockSkewMs: 0,
  pageSize: 1000,
  minPartBytes: 5 * 1024 * 1024,
  mode: 'amazon',
  encryption: '',
  storageClass: '',

  // --- checksums and ETags
  checksums: true,
  trailerStatus: 501,
  checksumCheck: true,
  checksumEcho: 'sent',
  defaultChecksum: '',
  requirePartChecksums: false,
  digestCode: 'BadDigest',
  md5Etags: true,
  plainEtags: false,
  uploadEtag: 'of-parts',
  etags: true,
  times: true,
  completionHash: true,

  // --- writes and deletions
  conditions: true,
  ifMatch: 'value',
  framing: 'removed',
  keepsPuts: true,
  headAfterPut: 'right',
  rememberCompletions: true,
  abortDeletes: false,
  deletions: 'answered',

  // --- attributes, names and lists
  tagging: 'kept',
  contentEncoding: 'cleaned',
  droppedHeaders: [],
  foldNames: 'none',
  partNumberHead: 'answered',
  lists: 'right',
  hidesBelow: false,
  listEtags: true,
  listKeys: 'asked',
  repeats: 'nothing',
}

/**
 * The options with every default filled in; see settings.d.ts for what each means.
 *
 * @param {import('./types').StoreOptions} options
 * @returns {import('./types').Settings}
 * @throws {TypeError} for an option that doesn't exist
 */
function settingsOf({ buckets, faults, synthetic, tls, dir, ...given }) {
  const isGoogle = given.mode === 'google'
  const defaults = {
    ...DEFAULTS,
    accounts: [randomAccount(isGoogle)],
    serverName: isGoogle ? 'UploadServer' : 'xfer-sandbox',
  }
  const settings = withDefaults('a store', defaults, given)
  return { ...settings, accounts: [...settings.accounts] }
}

/** @param {boolean} isGoogle @returns {import('./types').Account} of the shape that AWS's or Google's have */
function randomAccount(isGoogle) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const [prefix, length] = isGoogle ? ['GOOG1E', 55] : ['AKIA', 16]
  const accessKeyId = prefix + Array.from(randomBytes(length), byte => letters[byte % 32]).join('')
  return { accessKeyId, secretAccessKey: randomBytes(30).toString('base64') }
}

module.exports = { startStore }
