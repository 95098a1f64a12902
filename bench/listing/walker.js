'use strict'

/** One comparison of two lists, in a separate process, because its memory is measured. Prints its results as JSON. */

const { once } = require('node:events')
const { spawn } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { tidying } = require('../../cli/tidy')
const { walk } = require('../../lib/listing')
const { openStore, withRetry } = require('../../lib/stores')
const { createPages, MISSING } = require('./store')

const PREFIX = 'some/prefix/'

/** @typedef {import('../../lib/types').ListObjects} ListObjects */

/**
 * @typedef {object} How
 * @property {string} shape
 * @property {number} count
 * @property {number} lists
 * @property {number} latencyMs
 * @property {boolean} http
 */

/** @param {How} how @param {import('./store').Side} side @returns {import('../../lib/types').ListedPlace['store']} */
function madeUp({ shape, count, latencyMs }, side) {
  const pageOf = createPages({ shape, count, side })
  return {
    facts: { side, protocol: 'listing', bucket: side, endpoint: 'memory' },
    async list(list) {
      await (latencyMs > 0 ? delay(latencyMs) : turn())
      return pageOf(list)
    },
  }
}

/** @param {How} how */
async function overHttp({ shape, count }) {
  const child = spawn(process.execPath, [join(__dirname, 'server.js'), shape, String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' }
  const open = (/** @type {import('./store').Side} */ side) => {
    const settings = {
      ...{ side, region: 'us-east-1', addressing: 'path', requestPayer: false },
      endpoint: `http://127.0.0.1:${Number(port)}`,
      credentials: async () => credentials,
    }
    const store = openStore({ scheme: 's3', container: side, key: '' }, /** @type {any} */ (settings))
    return withRetry(store, { retries: 3 })
  }
  return { source: open('source'), destination: open('destination'), close: () => child.stdin.end() }
}

/** @param {How} how */
async function measure(how) {
  const { count, lists, http } = how
  const stores = http
    ? await overHttp(how)
    : { source: madeUp(how, 'source'), destination: madeUp(how, 'destination'), close() {} }
  let requests = 0
  /** @param {import('../../lib/types').ListedPlace['store']} store */
  const counted = ({ facts, list }) => ({
    facts,
    /** @type {ListObjects} */
    list(...asked) {
      requests++
      return /** @type {ListObjects} */ (list)(...asked)
    },
  })
  const found = { both: 0, source: 0, destination: 0 }
  let ranges = 1
  // The program limits its memory from its first event on.
  tidying(() => {})({ type: 'plan' })
  const begin = performance.now()
  const cpu = process.cpuUsage()
  const options = {
    source: { store: counted(stores.source), prefix: PREFIX },
    destination: { store: counted(stores.destination), prefix: PREFIX },
    lists,
  }
  for await (const step of walk(options)) {
    if (step.type === 'split') ranges++
    if (step.type !== 'pairs') continue
    for (const { source, destination } of step.pairs) {
      found[source ? (destination ? 'both' : 'source') : 'destination']++
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - begin) / 1000
  stores.close()
  const lacking = (/** @type {number} */ rest) => Math.floor((count - 1 - rest) / 1000) + 1
  const expected = { source: lacking(MISSING.destination), destination: lacking(MISSING.source) }
  const right =
    found.source === expected.source &&
    found.destination === expected.destination &&
    found.both === count - expected.source - expected.destination
  const [, peak] = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return {
    right,
    found,
    requests,
    ranges,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    peakMB: (Number(peak) * 1024) / 1e6,
  }
}

measure(JSON.parse(process.argv[2])).then(result => process.stdout.write(`${JSON.stringify(result)}\n`))
