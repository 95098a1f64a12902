'use strict'

/** The two sides of a run, in stores of the sandbox, and the platform that all runs share. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { call } = require('../sandbox/store/support')
const { startPlatform } = require('../../sandbox/platform')
const { startStore } = require('../../sandbox/store')
const { disownFolder, ownChild, ownFolder } = require('../soak/leftovers')
const { sideEnv } = require('../support/run-xfer')
const { lookInside, write } = require('../support/ends/s3-objects')

/**
 * @typedef {object} End
 * @property {(key: string) => string} text what a command calls it
 * @property {(key: string, written: import('../support/ends/s3-objects').Written) => Promise<unknown>} write
 * @property {() => Promise<import('../support/ends/s3-objects').Look>} look
 * @property {(rule: import('./draw').Rule) => { readonly hits: number, remove(): void }} misbehave
 * @property {(listener: (operation: string) => void) => void} watch requests of the command, as they begin
 *
 * @typedef {object} World
 * @property {End} source
 * @property {End} destination
 * @property {string} folder
 * @property {Record<string, string>} env of the command
 * @property {() => Promise<void>} close
 */

const BUCKETS = { source: 'zoo-from', destination: 'zoo-to' }
const SECRET = 'zoo-secret-key'
const HARNESS = 'ZOOHARNESS'
const COMMAND = 'ZOOCOMMAND'
const accounts = [HARNESS, COMMAND].map(accessKeyId => ({ accessKeyId, secretAccessKey: SECRET }))

/**
 * @param {import('./draw').Script} script
 * @param {{ apihost: string, auth: string } | undefined} platform
 * @returns {Promise<World>}
 */
async function openWorld({ source, destination, oneStore }, platform) {
  const folder = ownFolder(await mkdtemp(join(tmpdir(), 'xfer-zoo-')))
  /** @type {import('../../sandbox/store/types').RunningStore[]} */
  const stores = []
  /** @param {Record<string, any>} options @param {string} name @param {string[]} buckets */
  async function start({ faults: _, ...options }, name, buckets) {
    const store = await startStore({ dir: join(folder, name), accounts, buckets, ...options })
    stores.push(store)
    return store
  }
  const to = await start(destination.options, 'destination', Object.values(BUCKETS))
  const from = oneStore ? to : await start(source.options, 'source', Object.values(BUCKETS))
  return {
    source: endOf(from, BUCKETS.source),
    destination: endOf(to, BUCKETS.destination),
    folder,
    env: environment(folder, { ...sideOf('SOURCE', from), ...sideOf('DEST', to) }, platform),
    async close() {
      await Promise.all(stores.map(store => store.close()))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      disownFolder(folder)
    },
  }
}

/** @param {import('../../sandbox/store/types').RunningStore} store @param {string} bucket @returns {End} */
function endOf(store, bucket) {
  return {
    text: key => `s3://${bucket}/${key}`,
    async write(key, written) {
      const { attributes = { headers: {}, user: {}, tags: [] } } = written
      // Within one store the source may refuse a tag as well.
      await write(store, bucket, key, written).catch(() =>
        write(store, bucket, key, { ...written, attributes: { ...attributes, tags: [] } }),
      )
      // What comes right with time is right by now.
      for (let time = 0; time < 3; time++) await call(store, { method: 'HEAD', path: `/${bucket}/${key}` })
    },
    look: () => lookInside(store, bucket),
    misbehave: rule => store.faults.add(rule),
    watch(listener) {
      store.on('begin', ({ operation, accessKeyId, bucket: named }) => {
        if (accessKeyId === COMMAND && named === bucket) listener(operation)
      })
    },
  }
}

/** @param {'SOURCE' | 'DEST'} side @param {{ endpoint: string }} store */
function sideOf(side, { endpoint }) {
  return sideEnv(side, { endpoint, accessKeyId: COMMAND, secretAccessKey: SECRET, region: 'us-east-1' })
}

/** @param {string} folder @param {Record<string, string>} sides @param {{ apihost: string, auth: string } | undefined} platform */
function environment(folder, sides, platform) {
  return {
    PATH: process.env.PATH ?? '',
    HOME: join(folder, 'home'),
    XDG_STATE_HOME: join(folder, 'state'),
    NODE_DISABLE_COMPILE_CACHE: '1',
    AWS_EC2_METADATA_DISABLED: 'true',
    ...sides,
    ...(platform && { APIHOST: platform.apihost, AUTH: platform.auth }),
  }
}

/**
 * A platform with the function of that xfer on it.
 *
 * @param {string} cli
 * @returns {Promise<{ apihost: string, auth: string, close: () => Promise<void> }>}
 */
async function openPlatform(cli) {
  const platform = await startPlatform({ containers: 3, limits: { perMinute: 100_000 } })
  const { apihost, auth } = platform
  const env = { PATH: process.env.PATH ?? '', HOME: join(tmpdir(), 'xfer-zoo-no-home'), APIHOST: apihost, AUTH: auth }
  const child = ownChild(spawn(process.execPath, [cli, 'deploy'], { env, stdio: ['ignore', 'ignore', 'inherit'] }))
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`xfer deploy ended with ${status}`)
  return {
    apihost,
    auth,
    async close() {
      // Nothing of the platform keeps this process alive meanwhile.
      const alive = setInterval(() => {}, 1000)
      await platform.close().finally(() => clearInterval(alive))
    },
  }
}

module.exports = { openPlatform, openWorld, environment }
