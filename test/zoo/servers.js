'use strict'

/** Kinds of stores, each started once: each run has containers of its own on a pair of them, behind relays that misbehave. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { disownFolder, ownFolder } = require('../soak/leftovers')
const { openEnd, pairOf, startKinds } = require('../support/ends')
const { environment } = require('./world')

/** @typedef {import('../support/ends').Started} Started */

/**
 * @param {{ apihost: string, auth: string }} platform
 * @param {import('../support/ends').Kind[]} kinds that can be started
 * @returns {Promise<Pick<import('./run').Zoo, 'open' | 'place' | 'refine' | 'server'> & { close: () => Promise<void> }>}
 */
async function openServers(platform, kinds) {
  if (kinds.length === 0) throw new Error('none of the servers is installed')
  const servers = await startKinds(kinds)
  return {
    server: true,
    place: (run, { oneStore }) =>
      oneStore
        ? `within ${pairOf(servers, run).destination.name}`
        : `${pairOf(servers, run).source.name} → ${pairOf(servers, run).destination.name}`,
    refine(run, script) {
      const { source, destination } = pairOf(servers, run)
      const md5Parts = (script.oneStore ? destination : source).md5OfParts !== false
      const isLocal = source.local || destination.local
      // What was there already counts as copied by a command that began in the same second.
      const before = script.kill ? script.before.filter(({ same }) => !same) : script.before
      // A folder of a file system keeps no headers, and versitygw says nothing of it.
      const objects = script.objects.map(one =>
        destination.files && one.name.endsWith('/') ? { ...one, attributes: { headers: {}, user: {}, tags: [] } } : one,
      )
      const engine = isLocal ? /** @type {const} */ ('local') : script.engine
      return {
        ...script,
        engine,
        objects,
        before,
        source: { ...script.source, options: { md5Parts } },
        destination: {
          ...script.destination,
          options: { ...script.destination.options, plainFiles: destination.local ?? false },
        },
      }
    },
    async open(script, run) {
      const { source, destination } = pairOf(servers, run)
      const { oneStore } = script
      return await openPair([oneStore ? destination : source, destination], { run, platform, oneStore })
    },
    close: async () => void (await Promise.all(servers.map(server => server.stop()))),
  }
}

/**
 * @param {[Started, Started]} servers
 * @param {{ run: number, platform: { apihost: string, auth: string }, oneStore: boolean }} how
 * @returns {Promise<import('./world').World>}
 */
async function openPair([from, to], { run, platform, oneStore }) {
  const folder = ownFolder(await mkdtemp(join(tmpdir(), 'xfer-zoo-')))
  const destination = await openEnd(to, `zoo-to-${run}`)
  const source = await openEnd(from, `zoo-from-${run}`, oneStore ? destination : undefined)
  return {
    source,
    destination,
    folder,
    env: environment(folder, { ...source.env('SOURCE'), ...destination.env('DEST') }, platform),
    async close() {
      await source.close()
      await destination.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      disownFolder(folder)
    },
  }
}

module.exports = { openServers }
