'use strict'

const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { openBlobs } = require('./blobs')
const { createFaults } = require('./faults')
const { serve } = require('./serve')
const { closeServer, createStoreServer, listen } = require('./server')

/**
 * Runs a store of any kind, in the folder that is given, or in one of its own, which ends with it.
 *
 * @template {import('./types').State} S
 * @template {object} M
 * @param {object} kind
 * @param {string} kind.name of its own folder
 * @param {{ dir?: string, tls?: { key: string, cert: string }, faults?: import('./types').FaultRule[] }} kind.options as given
 * @param {S['options']} kind.settings
 * @param {(folder: string) => S['catalog']} kind.openCatalog
 * @param {(state: S) => import('./serve').Protocol<any>} kind.protocolOf
 * @param {(state: S, origin: string) => M} kind.describe what a running store has beside what all have
 * @param {(state: S) => void} kind.fill creates what the options name
 */
async function runStore({ name, options, settings, openCatalog, protocolOf, describe, fill }) {
  const dir = options.dir ?? (await fs.promises.mkdtemp(path.join(os.tmpdir(), `xfer-${name}-`)))
  const removeDir = () => fs.promises.rm(dir, { recursive: true, force: true, maxRetries: 5 })
  const blobs = openBlobs(path.join(dir, 'blobs'))
  const catalog = openCatalog(dir)
  async function leave() {
    catalog.close()
    if (options.dir === undefined) await removeDir()
  }
  const events = new EventEmitter()
  const now = () => Date.now() + settings.clockSkewMs
  const state = /** @type {S} */ ({
    options: settings,
    catalog,
    blobs,
    faults: createFaults(settings.seed),
    events,
    now,
  })
  /** @type {Record<string, number>} */
  const requests = {}
  // Counted at the start, so that a client with an answer finds its request counted.
  events.on('begin', ({ operation }) => {
    requests[operation] = (requests[operation] ?? 0) + 1
  })
  const protocol = protocolOf(state)
  let atWork = 0
  const server = createStoreServer(async (req, res) => {
    atWork += 1
    await serve(req, res, protocol)
    atWork -= 1
    if (atWork === 0 && blobs.needsSweep()) await blobs.sweep(catalog.segments())
  }, options)
  try {
    await blobs.sweep(catalog.segments())
    fill(state)
    for (const rule of options.faults ?? []) state.faults.add(rule)
    const { port, origin } = await listen(server, settings)
    return {
      ...describe(state, origin),
      port,
      dir,
      faults: state.faults,
      requests,
      on: events.on.bind(events),
      off: events.off.bind(events),
      /** @param {number} ms */
      stepClock(ms) {
        settings.clockSkewMs += ms
      },
      async close() {
        await closeServer(server)
        await leave()
      },
    }
  } catch (error) {
    await leave()
    throw error
  }
}

module.exports = { runStore }
