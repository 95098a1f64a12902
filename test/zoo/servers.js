'use strict'

/** Stores of other make: each server is started once, and each run has buckets of its own on a pair of them, behind relays that misbehave. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { PEERS } = require('../../sandbox/peers')
const { disownFolder, ownFolder } = require('../soak/leftovers')
const { startFaultyRelay } = require('../support/faulty-relay')
const { call } = require('../sandbox/store/support')
const { lookOutside, write } = require('./end')
const { environment } = require('./world')

/** @typedef {import('../../sandbox/peers').Peer & { name: string, port: number }} Server */

/**
 * @param {{ apihost: string, auth: string }} platform
 * @returns {Promise<Pick<import('./run').Zoo, 'open' | 'place' | 'server'> & { missing: string[], close: () => Promise<void> }>}
 */
async function openServers(platform) {
  /** @type {Server[]} */
  const servers = []
  const missing = []
  for (const [name, start] of Object.entries(PEERS)) {
    if (!start) {
      missing.push(name)
      continue
    }
    const peer = await start()
    servers.push({ ...peer, name, port: Number(new URL(peer.endpoint).port) })
  }
  if (servers.length === 0) throw new Error(`none of the servers is installed: ${missing.join(', ')}`)
  /** Every pair in turn. @param {number} run @returns {[Server, Server]} */
  const pairOf = run => [
    servers[Math.floor((run - 1) / servers.length) % servers.length],
    servers[(run - 1) % servers.length],
  ]
  return {
    missing,
    server: true,
    place: (run, { oneStore }) =>
      oneStore
        ? `within ${pairOf(run)[1].name}`
        : pairOf(run)
            .map(({ name }) => name)
            .join(' → '),
    async open(script, run) {
      const [source, destination] = pairOf(run)
      return await openPair(script, run, { source: script.oneStore ? destination : source, destination, platform })
    },
    close: async () => void (await Promise.all(servers.map(server => server.close()))),
  }
}

/**
 * @param {import('./draw').Script} script
 * @param {number} run
 * @param {{ source: Server, destination: Server, platform: { apihost: string, auth: string } }} at
 * @returns {Promise<import('./world').World>}
 */
async function openPair(script, run, { source, destination, platform }) {
  const folder = ownFolder(await mkdtemp(join(tmpdir(), 'xfer-zoo-')))
  const buckets = { source: `zoo-from-${run}`, destination: `zoo-to-${run}` }
  const to = await startFaultyRelay(destination.endpoint)
  const from = script.oneStore ? to : await startFaultyRelay(source.endpoint)
  await makeBucket(source, buckets.source)
  await makeBucket(destination, buckets.destination)
  return {
    source: endOf(source, from, buckets.source),
    destination: endOf(destination, to, buckets.destination),
    buckets,
    folder,
    env: environment(folder, from, to, platform, destination),
    async close() {
      await Promise.all([...new Set([from, to])].map(relay => relay.close()))
      await empty(source, buckets.source)
      await empty(destination, buckets.destination)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      disownFolder(folder)
    },
  }
}

/** @param {Server} server @param {string} bucket */
async function makeBucket(server, bucket) {
  const { status, text } = await call(server, { method: 'PUT', path: `/${bucket}` })
  if (status !== 200) throw new Error(`${server.name} makes no bucket: ${status} ${text}`)
}

/** What is left for the next runs would fill its memory. @param {Server} server @param {string} bucket */
async function empty(server, bucket) {
  const { objects, uploads } = await lookOutside(server, bucket)
  for (const { key, id } of uploads)
    await call(server, { method: 'DELETE', path: `/${bucket}/${key}`, query: { uploadId: id } })
  for (const key of objects.keys()) await call(server, { method: 'DELETE', path: `/${bucket}/${key}` })
  await call(server, { method: 'DELETE', path: `/${bucket}` })
}

/**
 * @param {Server} server
 * @param {Awaited<ReturnType<typeof startFaultyRelay>>} relay
 * @param {string} bucket
 * @returns {import('./world').End}
 */
function endOf(server, relay, bucket) {
  return {
    bucket,
    async write(key, written) {
      // What a server does not take is left out, in the end the object.
      const { attributes = { headers: {}, user: {}, tags: [] } } = written
      const ways = [written, { ...written, attributes: { ...attributes, tags: [] } }, { bytes: written.bytes }]
      for (const way of ways) {
        const done = await write(server, bucket, key, way).then(
          () => true,
          () => false,
        )
        if (done) return
      }
    },
    look: () => lookOutside(server, bucket),
    misbehave: rule => relay.faults.add(rule),
    watch(listener) {
      relay.on('begin', ({ operation, bucketName }) => {
        if (bucketName === bucket) listener(operation)
      })
    },
  }
}

module.exports = { openServers }
