'use strict'

/** Runs the copies of the matrix: the real program, a bucket each, and a platform each where it is the one that fails. */

const { mkdtemp, readdir, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const openwhisk = require('openwhisk')
const { startStore } = require('../../../sandbox/store')
const { inTurn } = require('../../cli/bad-input/run')
const { openRoute } = require('../../support/copies')
const { eventOf } = require('../../support/events')
const { startDeployed } = require('../../support/platform')
const { eventsOf, runXfer } = require('../../support/run-xfer')
const { bytesOf, get, put, sha256, uploadsOf } = require('../../support/s3')
const { PARTS } = require('./cells')

/** @typedef {import('../fault-matrix').Cell} Cell */

const MiB = 1024 ** 2
const BYTES = { multipart: (PARTS - 1) * 5 * MiB + MiB + 1234, put: MiB }
/** Longer than any copy may take, but of a row that says so. */
const BOUND_MS = 60_000
const AT_ONCE = 3
const SLOW_AT_ONCE = 20
const ACTION = 'xfer/copy-range'

/**
 * @typedef {object} Result
 * @property {Cell} cell
 * @property {{ status: number | null, stdout: string, stderr: string }} run status null: it did not end in time
 * @property {Record<string, string>} env in which it ran
 * @property {any} last the event that it ended with
 * @property {{ status: number, stderr: string }} [aborted] of a copy that names a job to go on with: how `xfer abort` of it ended
 * @property {number} hits how often the fault struck
 * @property {boolean | undefined} right whether what is at the destination is what the source had; undefined: there is nothing
 * @property {any[]} uploads that are left at the destination
 * @property {string[]} left files of jobs
 * @property {number} elapsedMs
 */

/** @param {Cell} cell */
async function startPlatformOf({ row }) {
  const platform = await startDeployed({ containers: 1 })
  if (row.actionTimeoutMs !== undefined) {
    const client = openwhisk({ apihost: platform.apihost, api_key: platform.auth })
    const { exec } = await client.actions.get({ name: ACTION })
    await client.actions.update({ name: ACTION, action: exec.code, limits: { timeout: row.actionTimeoutMs } })
  }
  return platform
}

/**
 * @param {Cell} cell
 * @param {{ server: any, platform: any, bucket: string, flags: string[] }} place platform: one without faults
 * @returns {Promise<Result>}
 */
async function runCell(cell, { server, platform: healthy, bucket, flags }) {
  const { row, engine, route } = cell
  const failing = row.of === 'platform' ? await startPlatformOf(cell) : undefined
  const platform = engine === 'openwhisk' ? (failing ?? healthy) : undefined
  const state = await mkdtemp(join(tmpdir(), 'xfer-faults-'))
  const copy = await openRoute({ source: server, platform, buckets: { from: bucket, to: bucket } })
  /** @type {{ readonly hits: number, remove(): void }[]} */
  const struck = []
  try {
    const body = bytesOf(BYTES[route])
    await put(copy.from, 'source', body, { checksum: !row.unsummed })
    if (failing) failing.faults.add(...cell.rules)
    else struck.push(...cell.rules.map(rule => server.faults.add({ bucket, ...rule })))
    const replaced = row.replaced ? replaceSource(server, copy.from, { bucket, route }) : undefined
    const startedMs = Date.now()
    const all = [
      '--parts-per-invocation',
      '1',
      '--on-failure',
      'abort',
      ...(row.replaced ? ['--concurrency', '1'] : []),
      ...flags,
    ]
    const env = { XDG_STATE_HOME: state }
    const { child, ended } = copy.start('source', 'copy', [...all, ...(row.flags ?? [])], { env })
    const timer = setTimeout(() => child.kill('SIGKILL'), row.boundMs ?? BOUND_MS)
    const run = await ended
    clearTimeout(timer)
    await replaced?.done()
    const elapsedMs = Date.now() - startedMs
    const hits = failing ? failing.faults.hits() : struck.reduce((sum, each) => sum + each.hits, 0)
    for (const each of struck) each.remove()
    failing?.faults.clear()
    const last = eventsOf(run).at(-1)
    // What could not be cleared away while the store failed is the job's to clear away.
    const aborted = last?.job && (await runXfer(['abort', last.job], { env: { ...copy.env, ...env } }))
    return {
      cell,
      run,
      env: { ...copy.env, ...env },
      last,
      aborted,
      hits,
      elapsedMs,
      right: await get(copy.to, 'copy').then(
        found => sha256(found) === sha256(body),
        error => {
          if (error.code !== 'NO_SUCH_KEY') throw error
          return undefined
        },
      ),
      uploads: await uploadsOf(copy.to, 'copy'),
      left: await readdir(state, { recursive: true, withFileTypes: true }).then(entries =>
        entries.filter(entry => entry.isFile()).map(({ name }) => name),
      ),
    }
  } finally {
    for (const each of struck) each.remove()
    copy.close()
    await failing?.close()
    await rm(state, { recursive: true, force: true })
  }
}

/**
 * Puts another object in the source's place: between its first part and its second, or while its only read waits.
 *
 * @param {any} server
 * @param {any} from
 * @param {{ bucket: string, route: Cell['route'] }} copy
 */
function replaceSource(server, from, { bucket, route }) {
  const operation = route === 'put' ? 'GetObject' : 'UploadPart'
  const slow = server.faults.add({ bucket, operation, nth: 1, delayMs: 2_000 })
  const waiting = eventOf(server, 'begin', event => event.bucket === bucket && event.operation === operation)
  const done = waiting.then(() => put(from, 'source', bytesOf(6 * MiB, 'another')))
  return {
    async done() {
      await done
      slow.remove()
    },
  }
}

/**
 * @param {Cell[]} cells
 * @param {{ flags?: string[] }} [options] flags: of every command
 * @returns {Promise<{ results: Promise<Result>[], close: () => Promise<void> }>} results in the cells' order
 */
async function runCells(cells, { flags = [] } = {}) {
  const server = await startStore()
  const platform = await startDeployed({ containers: 2 }).catch(async error => {
    await server.close()
    throw error
  })
  const bucketOf = new Map(cells.map((cell, i) => [cell, `cell-${i}`]))
  const run = cell => runCell(cell, { server, platform, bucket: bucketOf.get(cell), flags })
  // The slow ones wait most of their time, and need not wait for each other.
  const slow = cells.filter(({ row }) => row.slow)
  const quick = cells.filter(({ row }) => !row.slow)
  const started = [...inTurn(slow, SLOW_AT_ONCE, run), ...inTurn(quick, AT_ONCE, run)]
  const results = cells.map(cell => started[[...slow, ...quick].indexOf(cell)])
  for (const result of results) result.catch(() => {})
  return {
    results,
    async close() {
      await Promise.allSettled(results)
      await Promise.all([server.close(), platform.close()])
    },
  }
}

module.exports = { runCells }
