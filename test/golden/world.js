'use strict'

/** The places and the engine of one golden scenario: fresh servers, objects with known bytes and times, every request counted. */

const { createHash } = require('node:crypto')
const { mkdtempSync, rmSync } = require('node:fs')
const { utimes } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startAzureStore } = require('../../sandbox/azure')
const { startStore } = require('../../sandbox/store')
const { azureServer } = require('../support/ends/azure')
const { fileServer } = require('../support/ends/file')
const { googleServer, s3Server } = require('../support/ends/s3')
const { startFunction } = require('../support/lambda')
const { startDeployed } = require('../support/platform')
const { openWorker } = require('../support/worker')

/** The source's objects are older than those of the destination, and those than the commands. */
const AGES_MS = { SOURCE: 600_000, DEST: 300_000 }

/**
 * @typedef {'s3' | 'azure' | 'google' | 'file'} Kind
 * @typedef {{ bytes?: number, text?: string | Buffer, kind?: any, attributes?: any }} Filled bytes: how many, drawn from the key
 * @typedef {Record<string, Filled>} Tree by key
 */

/** @param {(options: object) => Promise<any>} start of the sandbox @param {(store: any) => any} serverOf */
function placeOf(start, serverOf) {
  return async (
    /** @type {object} */ options,
    /** @type {number} */ ageMs,
    /** @type {(event: any) => void} */ count,
  ) => {
    const store = await start({ clockSkewMs: -ageMs, ...options })
    store.on('begin', count)
    return { ...serverOf(store), faults: store.faults, present: () => store.stepClock(ageMs) }
  }
}

/** @type {Record<Kind, (options: object, ageMs: number, count: (event: any) => void) => Promise<any>>} */
const PLACES = {
  s3: placeOf(startStore, s3Server),
  google: placeOf(options => startStore({ mode: 'google', ...options }), googleServer),
  azure: placeOf(startAzureStore, azureServer),
  async file(_, ageMs) {
    const server = fileServer()
    const seconds = Math.floor((Date.now() - ageMs) / 1_000)
    return {
      ...server,
      async write(container, key, written) {
        const taken = await server.write(container, key, written)
        await utimes(server.text(container, key), seconds, seconds)
        return taken
      },
      present() {},
    }
  },
}

const ENGINES = {
  async local() {
    return { flags: ['--engine', 'local'], env: {}, close: async () => {} }
  },
  async openwhisk() {
    const platform = await startDeployed({ limits: { concurrent: 8 } })
    return {
      flags: ['--engine', 'openwhisk'],
      faults: platform.faults,
      env: { APIHOST: platform.apihost, AUTH: platform.auth },
      close: () => platform.close(),
    }
  },
  async lambda() {
    const service = await startFunction()
    const { HOME: _, ...env } = service.env
    return { flags: ['--engine', 'lambda'], env, faults: service.faults, close: () => service.close() }
  },
  async http() {
    const worker = await openWorker()
    const env = { XFER_WORKERS: worker.url, XFER_TOKEN: 'a-token-of-the-tests' }
    return { flags: ['--engine', 'http'], env, close: () => worker.close() }
  },
}

/** @param {string} key @param {number} count @returns {Buffer} the same ones each time */
function bytesFor(key, count) {
  const seed = createHash('sha256').update(key).digest()
  const bytes = Buffer.alloc(count)
  for (let at = 0; at < count; at += 32) seed.copy(bytes, at)
  return bytes
}

/** @param {string} key @param {Filled} filled */
const contentOf = (key, { bytes = 0, text }) => (text === undefined ? bytesFor(key, bytes) : Buffer.from(text))

/**
 * @param {object} scenario
 * @param {Kind} [scenario.from]
 * @param {Kind | 'same'} [scenario.to]
 * @param {keyof ENGINES} [scenario.engine]
 * @param {Tree} [scenario.source]
 * @param {Tree} [scenario.destination]
 * @param {object} [scenario.fromOptions] of the server
 * @param {object} [scenario.toOptions]
 * @param {object[]} [scenario.sourceFaults]
 * @param {object[]} [scenario.destinationFaults]
 */
async function openWorld({ from = 's3', to = 's3', engine = 'local', source = {}, destination = {}, ...options }) {
  /** @type {Record<'source' | 'destination', Map<string, number>>} */
  const asked = { source: new Map(), destination: new Map() }
  const counter = (/** @type {keyof asked} */ side) => (/** @type {any} */ event) => {
    const { operation, key, partNumber, bucket, container } = event
    const part = partNumber === undefined ? '' : ` part ${partNumber}`
    const line = `${operation} ${key ?? bucket ?? container ?? ''}${part}`.trimEnd()
    asked[side].set(line, (asked[side].get(line) ?? 0) + 1)
  }
  const state = mkdtempSync(join(tmpdir(), 'xfer-golden-'))
  const first = await PLACES[from](options.fromOptions ?? {}, AGES_MS.SOURCE, counter('source'))
  const second = to === 'same' ? first : await PLACES[to](options.toOptions ?? {}, AGES_MS.DEST, counter('destination'))
  const mover = await ENGINES[engine]()
  await first.create('from')
  await second.create('into')
  for (const [key, filled] of Object.entries(source))
    await first.write('from', key, { ...filled, bytes: contentOf(key, filled) })
  for (const [key, filled] of Object.entries(destination))
    await second.write('into', key, { ...filled, bytes: contentOf(key, filled) })
  first.present()
  if (second !== first) second.present()
  for (const rule of options.sourceFaults ?? []) first.faults.add(rule)
  for (const rule of options.destinationFaults ?? []) second.faults.add(rule)
  asked.source.clear()
  asked.destination.clear()

  return {
    asked,
    first,
    second,
    names: { from: first.text('from', ''), into: second.text('into', '') },
    flags: mover.flags,
    env: {
      ...mover.env,
      ...first.env('SOURCE', first.endpoint),
      ...second.env('DEST', second.endpoint),
      XDG_STATE_HOME: state,
    },
    heal() {
      for (const { faults } of [first, second]) faults?.clear()
    },
    async look() {
      return { source: await first.look('from'), destination: await second.look('into') }
    },
    async close() {
      await Promise.all([first.stop(), second !== first && second.stop(), mover.close()])
      rmSync(state, { recursive: true, force: true })
    },
  }
}

module.exports = { ENGINES, openWorld, bytesFor }
