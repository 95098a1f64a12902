'use strict'

const { randomBytes } = require('node:crypto')
const { bytesOf } = require('../common/content')
const { withDefaults } = require('../common/server')
const { runStore } = require('../common/store')
const { addContainer, isContainerName } = require('./entries')
const { protocolOf } = require('./server')

/**
 * A local Azure Blob service, to try, test and measure with: signatures, conditions, checksums, blocks and errors as Azure
 * has them, and faults on request. https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api
 *
 * @param {import('./types').AzureOptions} [options] see types.d.ts for what each means
 * @returns {Promise<import('./types').RunningAzureStore>}
 * @throws {TypeError} for an option that doesn't exist
 */
async function startAzureStore({ containers = [], faults = [], tls, ...given } = {}) {
  const defaults = {
    port: 0,
    account: 'xfersandbox',
    key: randomBytes(64).toString('base64'),
    principals: [],
    hierarchical: false,
    resolvesPaths: true,
    versioning: false,
    pageSize: 5000,
    clockSkewMs: 0,
    seed: 1,
    serverName: 'Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0',
  }
  /** @type {import('./types').Settings} */
  const settings = withDefaults('an Azure store', defaults, given)
  return runStore({
    name: 'azure',
    options: { tls, faults },
    settings,
    openCatalog: () => catalogOf(new Map()),
    protocolOf,
    fill(/** @type {import('./types').State} */ state) {
      Object.assign(state, { secure: tls !== undefined, tokens: new Map() })
      for (const name of containers) {
        if (!isContainerName(name)) throw new TypeError(`"${name}" is no name of a container`)
        addContainer(state, name)
      }
    },
    describe: (state, authority) => ({
      endpoint: `${authority}/${settings.account}`,
      account: settings.account,
      key: settings.key,
      authority,
      look: (/** @type {string} */ name) => look(state, name),
    }),
  })
}

/** What the account holds, in memory. @param {Map<string, import('./types').Container>} containers */
function catalogOf(containers) {
  return {
    containers,
    /** All bytes that blobs and blocks refer to. */
    *segments() {
      for (const { entries } of containers.values()) {
        for (const { current, versions, uncommitted } of entries.values()) {
          for (const { segments } of [...(current ? [current] : []), ...versions, ...uncommitted.values()])
            yield* segments
        }
      }
    },
    close() {},
  }
}

/**
 * @param {import('./types').State} state
 * @param {string} name of a container
 * @returns {ReturnType<import('./types').RunningAzureStore['look']>}
 */
async function look({ catalog, blobs }, name) {
  const { entries } = /** @type {import('./types').Container} */ (catalog.containers.get(name))
  const all = [...entries.values()]
  const kept = all.flatMap(({ name: key, current }) => (current ? [{ key, ...current }] : []))
  return {
    objects: await Promise.all(
      kept.map(async ({ segments, blocks, ...blob }) => ({
        ...blob,
        bytes: await bytesOf(blobs, segments),
        blocks: blocks.map(({ id }) => id),
      })),
    ),
    uploads: all.flatMap(({ name: key, uncommitted }) =>
      uncommitted.size > 0 ? [{ key, blocks: [...uncommitted.keys()] }] : [],
    ),
  }
}

/** @typedef {ReturnType<typeof catalogOf>} Catalog */

module.exports = { startAzureStore }
