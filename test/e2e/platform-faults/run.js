'use strict'

/** Runs rows of platform-faults.test.js: a platform and a bucket each, the real program, some at a time. */

const openwhisk = require('openwhisk')
const { startStore } = require('../../../sandbox/store')
const { openRoute } = require('../../support/copies')
const { startFaultyWorker } = require('../../support/faulty-worker')
const { startDeployed } = require('../../support/platform')
const { eventsOf } = require('../../support/run-xfer')
const { bytesOf, get, put, sha256, uploadsOf } = require('../../support/s3')

const MiB = 1024 ** 2
const PART_BYTES = 5 * MiB
const BYTES = 4 * PART_BYTES + 12_345
const PARTS = 5
const ACTION = 'xfer/copy-range'
/** Longer than any row may take, but of one that says so. */
const BOUND_MS = 45_000
const AT_ONCE = 4
const XFER_TOKEN = 'a-token-of-the-tests'
/** What is left of the platform's minute when a command starts whose quota is partly spent. */
const LEFT_OF_MINUTE_MS = 12_000

/**
 * What a platform's faults come to: a table of copies, each with the fault that it meets and what must become of it: the copy
 * is right, or it stops with this code and this sentence.
 *
 * Every copy is of five parts, one an invocation unless it says otherwise.
 *
 * @typedef {object} Row
 * @property {string} it the fault
 * @property {object[]} [faults] of the platform, once the action is deployed: `Fault` of sandbox/platform or
 *   test/support/faulty-worker.js
 * @property {import('../../sandbox/platform/types').PlatformOptions & { deployment?: object }} [platform] its options
 * @property {{ count?: number }} [workers] the platform is so many workers, default 1
 * @property {number} [spent] invocations of this minute that somebody else has used up; a few seconds of it are left
 * @property {{ timeout?: number, memory?: number }} [limits] of the action, in place of its own
 * @property {number} exit
 * @property {string} [code] of the error that it stops with
 * @property {RegExp} [says] its sentence
 * @property {string} [advises] in its hint
 * @property {string[]} [met] the codes of all that was retried and throttled on the way
 * @property {number} [again] parts that were written more than once; undefined: as it comes
 * @property {number} [retries] attempts that it cost; undefined: as it comes
 * @property {number} [throttles] refusals at the least
 * @property {number} [boundMs] it may take so long
 */

/**
 * @typedef {object} Result
 * @property {{ status: number, stdout: string, stderr: string }} run
 * @property {Record<string, string>} env in which it ran
 * @property {any} last the event it ended with
 * @property {string[]} met codes of what was retried and throttled, each once
 * @property {number} retries of parts
 * @property {number} throttles
 * @property {number} written parts that the destination took
 * @property {any[]} uploads that are left at the destination
 * @property {string | undefined} sum SHA-256 of what is at the destination
 */

/** A platform's clock that stands shortly before the end of a minute. */
function clockBeforeMinute() {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    set() {
      aheadMs = 60_000 - LEFT_OF_MINUTE_MS - (Date.now() % 60_000)
    },
  }
}

/** @param {Row} row */
async function startFor({ platform: { limits, ...options } = {}, limits: own, spent }) {
  const clock = clockBeforeMinute()
  const all = {
    limits: { perMinute: 100_000, ...limits },
    containers: 1,
    ...(spent !== undefined && { clock: clock.now }),
    ...options,
  }
  const platform = await startDeployed(all)
  const client = openwhisk({ apihost: platform.apihost, api_key: platform.auth })
  if (own) {
    // The code stays as it was deployed.
    const { exec } = await client.actions.get({ name: ACTION })
    await client.actions.update({ name: ACTION, limits: own, action: exec.code })
  }
  clock.set()
  for (let i = 0; i < (spent ?? 0); i++) await client.actions.invoke({ name: 'somebody-elses' }).catch(() => {})
  return platform
}

/** @param {Row} row @param {{ count?: number }} workers */
async function startWorkersFor({ faults }, { count = 1 }) {
  // A worker that says nothing for two and a half seconds is lost.
  const how = { env: { XFER_TOKEN }, args: ['--heartbeat', '1s'] }
  const started = Array.from({ length: count }, (_, i) => startFaultyWorker({ ...how, faults: i === 0 ? faults : [] }))
  const workers = await Promise.all(started)
  return {
    env: { XFER_WORKERS: workers.map(({ url }) => url).join(), XFER_TOKEN },
    close: () => Promise.all(workers.map(worker => worker.close())),
  }
}

/** @param {Row} row @returns {Promise<{ engine: string, platform?: any, env: Record<string, string>, close: () => Promise<unknown> }>} */
async function startEngineFor(row) {
  if (row.workers) return { engine: 'http', ...(await startWorkersFor(row, row.workers)) }
  const platform = await startFor(row)
  platform.faults.add(...(row.faults ?? []))
  return { engine: 'openwhisk', platform, env: {}, close: () => platform.close() }
}

/**
 * @param {Row} row
 * @param {{ server: any, bucket: string }} place
 * @returns {Promise<Result>}
 */
async function runRow(row, { server, bucket }) {
  const { engine, platform, env, close } = await startEngineFor(row)
  const route = await openRoute({ source: server, buckets: { from: 'source', to: bucket }, engine, platform })
  let written = 0
  const count = ({ operation, bucket: where, status }) => {
    if (operation === 'UploadPart' && where === bucket && status === 200) written++
  }
  server.on('request', count)
  try {
    const run = route.start('object', 'copy', [], { env })
    const timer = setTimeout(() => run.child.kill('SIGKILL'), row.boundMs ?? BOUND_MS)
    const ended = await run.ended
    clearTimeout(timer)
    if (ended.status === null) throw new Error(`it did not end: ${ended.stdout.slice(-2_000)}${ended.stderr}`)
    const events = eventsOf(ended)
    const setbacks = events.filter(({ type }) => type === 'retry' || type === 'throttle')
    return {
      run: ended,
      env: { ...route.env, ...env },
      last: events.at(-1),
      met: [...new Set(setbacks.map(({ code }) => code))].sort(),
      retries: setbacks.filter(({ type, partNumber }) => type === 'retry' && partNumber !== undefined).length,
      throttles: setbacks.filter(({ type }) => type === 'throttle').length,
      written,
      uploads: await uploadsOf(route.to, 'copy'),
      sum: await get(route.to, 'copy').then(sha256, () => undefined),
    }
  } finally {
    server.off('request', count)
    route.close()
    await close()
  }
}

/**
 * @template T, R
 * @param {T[]} items
 * @param {number} atOnce at most so many are under way
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R>[]} in the items' order
 */
function inTurn(items, atOnce, work) {
  const results = items.map(() => {
    let settle
    const promise = new Promise((resolve, reject) => {
      settle = { resolve, reject }
    })
    return { promise, ...settle }
  })
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const mine = next++
      await work(items[mine]).then(results[mine].resolve, results[mine].reject)
    }
  }
  for (let i = 0; i < atOnce; i++) worker()
  return results.map(({ promise }) => promise)
}

/**
 * @param {Row[]} rows
 * @returns {Promise<{ sum: string, results: Promise<Result>[], close: () => Promise<void> }>} sum: SHA-256 of the source; results: in the rows' order
 */
async function runRows(rows) {
  const server = await startStore()
  const route = await openRoute({ source: server })
  const bytes = bytesOf(BYTES)
  await put(route.from, 'object', bytes)
  route.close()
  // The long ones wait most of their time, so they begin first.
  const order = rows.map((_, i) => i).sort((one, other) => (rows[other].boundMs ?? 0) - (rows[one].boundMs ?? 0))
  const run = inTurn(order, AT_ONCE, i => runRow(rows[i], { server, bucket: `row-${i}` }))
  const results = rows.map((_, i) => run[order.indexOf(i)])
  for (const result of results) result.catch(() => {})
  return {
    sum: sha256(bytes),
    results,
    async close() {
      await Promise.allSettled(results)
      await server.close()
    },
  }
}

module.exports = { runRows, PARTS }
