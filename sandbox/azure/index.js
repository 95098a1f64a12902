'use strict'

const { EventEmitter } = require('node:events')
const path = require('node:path')
const { openBlobs } = require('../common/blobs')
const { closeServer, listen, withFolder } = require('../common/server')
const { openCatalog } = require('./catalog')
const { isContainerName } = require('./containers')
const { newEtag } = require('./entries')
const { createFaults } = require('./faults')
const { withDefaults } = require('./options')
const { createServer } = require('./server')

/**
 * A local Azure Blob service, to try, test and measure with: signatures, conditions, checksums, blocks and errors as Azure
 * has them, data on disk, and faults on request. https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api
 *
 * @param {import('./types').AzureOptions} [options]
 * @returns {Promise<import('./types').RunningAzureStore>}
 */
async function startAzureStore(options = {}) {
  return withFolder(options.dir, 'xfer-azure-', (dir, removeDir) => openStore(options, dir, removeDir))
}

/**
 * @param {import('./types').AzureOptions} options
 * @param {string} dir
 * @param {() => Promise<void>} removeDir
 * @returns {Promise<import('./types').RunningAzureStore>}
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
 * @param {import('./types').AzureOptions} options
 * @param {{ settings: import('./types').Settings, blobs: import('../common/blobs').Blobs,
 *   catalog: import('./catalog').Catalog, removeDir: () => Promise<void> }} parts
 * @returns {Promise<import('./types').RunningAzureStore>}
 */
async function serveStore(options, { settings, blobs, catalog, removeDir }) {
  const events = new EventEmitter()
  /** @type {import('./types').State} */
  const state = {
    options: settings,
    catalog,
    blobs,
    faults: createFaults(settings.seed),
    events,
    now: () => Date.now() + settings.clockSkewMs,
    secure: options.tls !== undefined,
    tokens: new Map(),
  }

  /** @type {import('./types').RunningAzureStore['createContainer']} */
  function createContainer(name, { access, discard = false } = {}) {
    if (!isContainerName(name)) throw new TypeError(`"${name}" is no name of a container`)
    if (catalog.containers.has(name)) return
    catalog.putContainer({ name, access, discard, etag: newEtag(), modifiedMs: state.now(), metadata: [] })
  }

  for (const container of options.containers ?? []) {
    if (typeof container === 'string') createContainer(container)
    else createContainer(container.name, container)
  }
  for (const rule of options.faults ?? []) state.faults.add(rule)

  /** @type {Record<string, number>} */
  const requests = {}
  // Counted at the start, so that a client with an answer finds its request counted.
  events.on('begin', ({ operation }) => {
    requests[operation] = (requests[operation] ?? 0) + 1
  })
  const server = createServer(state, options.tls)
  const { port, origin: authority } = await listen(server, settings)

  return {
    endpoint: `${authority}/${settings.account}`,
    port,
    account: settings.account,
    key: settings.key,
    authority,
    dir: settings.dir,
    faults: state.faults,
    requests,
    on: (event, listener) => void events.on(event, listener),
    off: (event, listener) => void events.off(event, listener),
    createContainer,
    stepClock(ms) {
      settings.clockSkewMs += ms
    },
    look: name => look(state, name),
    async close() {
      await closeServer(server)
      catalog.close()
      await removeDir()
    },
  }
}

/**
 * @param {import('./types').State} state
 * @param {string} name of a container
 * @returns {ReturnType<import('./types').RunningAzureStore['look']>}
 */
async function look(state, name) {
  const { entries } = /** @type {import('./types').Container} */ (state.catalog.containers.get(name))
  const all = [...entries.values()]
  const kept = all.flatMap(({ name: key, current }) => (current ? [keptBlob(state, key, current)] : []))
  const begun = all.filter(({ uncommitted }) => uncommitted.size > 0)
  return {
    objects: await Promise.all(kept),
    uploads: begun.map(({ name: key, uncommitted }) => ({ key, blocks: [...uncommitted.keys()] })),
  }
}

/**
 * @param {import('./types').State} state
 * @param {string} key
 * @param {import('./types').StoredBlob} blob
 * @returns {Promise<import('./types').KeptBlob>}
 */
async function keptBlob(state, key, { type, etag, segments, blocks, content, metadata, tags, tier }) {
  const pieces = await Promise.all(segments.map(segment => state.blobs.read(segment)))
  const ids = blocks.map(({ id }) => id)
  return { key, type, etag, bytes: Buffer.concat(pieces), blocks: ids, content, metadata, tags, tier }
}

module.exports = { startAzureStore }
