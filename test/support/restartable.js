'use strict'

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { startPlatform } = require('../../sandbox/platform')
const { startStore } = require('../../sandbox/store')
const { deploy } = require('../../lib')

/**
 * A server that can be taken down, and brought back at the same port with all that it had.
 *
 * @template {{ port: number, close(): Promise<void> }} Server
 * @param {(port: number, dir: string) => Promise<Server>} start
 */
async function restartable(start) {
  const dir = await mkdtemp(join(tmpdir(), 'xfer-restartable-'))
  let server = await start(0, dir)
  const { port } = server
  return {
    /** The one that runs, or ran last. @returns {Server} */
    server: () => server,
    down: () => server.close(),
    async up() {
      server = await start(port, dir)
    },
    /** @param {number} ms */
    async outage(ms) {
      await server.close()
      await delay(ms)
      server = await start(port, dir)
    },
    async close() {
      await server.close()
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** @param {import('../../sandbox/store/types').StoreOptions} [options] */
async function restartableStore(options = {}) {
  const accounts = [{ accessKeyId: 'AKIDRESTARTABLE', secretAccessKey: 'restartable-secret' }]
  return await restartable((port, dir) => startStore({ accounts, ...options, port, dir }))
}

/** With the action on it. @param {import('../../sandbox/platform/types').PlatformOptions} [options] */
async function restartablePlatform() {
  let auth
  const platform = await restartable(async (port, dir) => {
    const kept = { port, file: join(dir, 'entities.json'), ...(auth && { auth }) }
    const started = await startPlatform({ containers: 2, limits: { perMinute: 100_000 }, ...kept })
    auth = started.auth
    return started
  })
  const { apihost } = platform.server()
  await deploy({ env: { HOME: join(tmpdir(), 'xfer-test-no-home'), APIHOST: apihost, AUTH: auth } })
  return platform
}

module.exports = { restartableStore, restartablePlatform }
