'use strict'

const { EventEmitter } = require('node:events')
const path = require('node:path')
const { openBlobs } = require('../common/blobs')
const { closeServer, listen, withFolder } = require('../common/server')
const { checkBucketName } = require('./buckets')
const { openCatalog } = require('./catalog')
const { createFaults } = require('./faults')
const { withDefaults } = require('./options')
const { createServer } = require('./server')
const { phaseOf, syntheticCrc32 } = require('../common/synthetic')

/**
 * A local S3 server, to try, test and measure with: signatures, conditions, checksums and errors as in S3, data on disk,
 * and faults on request. https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html
 *
 * @param {import('./types').StoreOptions} [options]
 * @returns {Promise<import('./types').RunningStore>}
 */
async function startStore(options = {}) {
  return withFolder(options.dir, 'xfer-store-', (dir, removeDir) => openStore(options, dir, removeDir))
}

/**
 * @param {import('./types').StoreOptions} options
 * @param {string} dir
 * @param {() => Promise<void>} removeDir
 * @returns {Promise<import('./types').RunningStore>}
 */
async function openStore(options, dir, removeDir) {
  const settings = withDefaults(options, dir)
  const blobs = openBlobs(path.join(dir, 'blobs'))
  const catalog = openCatalog(dir, blobs)
  try {
    await blobs.sweep()
    return await serveStore(options, { settings, blobs, catalog, removeDir })
  } catch (error) {
    catalog.close()
    throw error
  }
}

/**
 * @param {import('./types').StoreOptions} options
 * @param {{ settings: import('./types').Settings, blobs: import('../common/blobs').Blobs,
 *   catalog: import('./catalog').Catalog, removeDir: () => Promise<void> }} parts
 * @returns {Promise<import('./types').RunningStore>}
 */
async function serveStore(options, { settings, blobs, catalog, removeDir }) {
  const events = new EventEmitter()
  const now = () => Date.now() + settings.clockSkewMs
  /** @type {import('./types').State} */
  const state = {
    options: settings,
    catalog,
    blobs,
    faults: createFaults(settings.seed),
    events,
    now,
    completed: new Map(),
    unsettled: new Set(),
  }

  /** @type {import('./types').RunningStore['createBucket']} */
  function createBucket(
    name,
    { region = settings.region, publicRead = false, discard = false, versions = false } = {},
  ) {
    checkBucketName(name)
    if (!catalog.buckets.has(name)) catalog.addBucket(name, { region, publicRead, discard, versions }, now())
  }

  for (const bucket of options.buckets ?? []) {
    if (typeof bucket === 'string') createBucket(bucket)
    else createBucket(bucket.name, bucket)
  }
  for (const [name, bytes] of Object.entries(options.synthetic ?? {})) {
    const [bucket, key] = [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)]
    createBucket(bucket)
    catalog.putObject(bucket, syntheticObject(name, key, bytes, now()))
  }
  for (const rule of options.faults ?? []) state.faults.add(rule)

  /** @type {Record<string, number>} */
  const requests = {}
  // Counted at the start, so that a client with an answer finds its request counted.
  events.on('begin', ({ operation }) => {
    requests[operation] = (requests[operation] ?? 0) + 1
  })
  const server = createServer(state, options.tls)
  const { port, origin } = await listen(server, settings)
  const { accessKeyId, secretAccessKey } = settings.accounts[0]

  return {
    endpoint: origin,
    port,
    accessKeyId,
    secretAccessKey,
    region: settings.region,
    dir: settings.dir,
    faults: state.faults,
    requests,
    on: (event, listener) => void events.on(event, listener),
    off: (event, listener) => void events.off(event, listener),
    createBucket,
    stepClock(ms) {
      settings.clockSkewMs += ms
    },
    addAccount: account => void settings.accounts.push(account),
    look: name => look(catalog, blobs, name),
    async close() {
      await closeServer(server)
      catalog.close()
      await removeDir()
    },
  }
}

/**
 * @param {import('./catalog').Catalog} catalog
 * @param {import('../common/blobs').Blobs} blobs
 * @param {string} name of a bucket
 * @returns {ReturnType<import('./types').RunningStore['look']>}
 */
async function look(catalog, blobs, name) {
  const { objects, uploads } = /** @type {import('./types').Bucket} */ (catalog.buckets.get(name))
  const kept = [...objects.values()].map(async ({ key, etag, segments, content, user, tags, storageClass }) => {
    const pieces = await Promise.all(segments.map(segment => blobs.read(segment)))
    return { key, etag, bytes: Buffer.concat(pieces), content, user, tags, storageClass }
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
