'use strict'

const { bytesOf } = require('../common/content')
const { runStore } = require('../common/store')
const { phaseOf, syntheticCrc32 } = require('../common/synthetic')
const { checkBucketName } = require('./buckets')
const { openCatalog } = require('./catalog')
const { settingsOf } = require('./options')
const { protocolOf } = require('./server')

/** @typedef {import('./types').State} State */

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
      ...{ endpoint, accessKeyId, secretAccessKey, region: settings.region },
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

module.exports = { startStore }
