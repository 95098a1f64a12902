'use strict'

/** Copies through three workers, each a process of its own, of which some end or stop while they work. */

const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, get, put, sha256 } = require('../support/s3')
const { startWorkerProcess } = require('../support/worker-process')

const XFER_TOKEN = 'a-token-of-the-tests'
const MiB = 1024 ** 2
const BODY = bytesOf(60 * MiB + 77)
jest.setTimeout(120_000)

let store
let route
let workers
beforeAll(async () => {
  store = await startStore()
  route = await openRoute({ source: store })
  await put(route.from, 'big', BODY)
})
beforeEach(async () => {
  // A worker that says nothing for two and a half seconds is lost.
  const args = ['--heartbeat', '1s', '--places', '2']
  workers = await Promise.all(Array.from({ length: 3 }, () => startWorkerProcess({ env: { XFER_TOKEN }, args })))
})
afterEach(async () => {
  store.faults.clear()
  await Promise.all(workers.map(worker => worker.close()))
})
afterAll(async () => {
  route?.close()
  await store?.close()
})

/** @param {string} target @param {string[]} [flags] */
function start(target, flags = []) {
  const named = workers.flatMap(({ url }) => ['--worker', url])
  const args = ['copy', 's3://source/big', `s3://target/${target}`, '--json', '--engine', 'http']
  return startXfer([...args, '--chunk', '5', ...named, ...flags], { env: { ...route.env, XFER_TOKEN } })
}

/** @param {ReturnType<typeof start>} run @param {string} target */
async function expectCopied({ ended }, target) {
  const checked = expectEvents(await ended, { env: { ...route.env, XFER_TOKEN } })
  expect(checked.last).toMatchObject({ type: 'done' })
  expect(sha256(await get(route.to, target))).toBe(sha256(BODY))
  return checked
}

/** That many parts have begun to be written. @param {number} count */
function begun(count) {
  let seen = 0
  return eventOf(store, 'begin', ({ operation }) => operation === 'UploadPart' && ++seen === count)
}

test('a copy ends well though one worker is killed and one is stopped', async () => {
  // Slow enough that each of them is at work.
  store.faults.add({ operation: 'UploadPart', delayMs: 300 })
  const working = begun(6)
  const run = start('broken')
  await working
  workers[0].child.kill('SIGKILL')
  workers[1].child.kill('SIGSTOP')
  const { events, plan } = await expectCopied(run, 'broken')
  expect(plan).toMatchObject({ engine: 'http', where: '3 workers', runsOn: 'platform' })
  expect(plan.limits).toEqual({ concurrent: 6, timeoutMs: 300_000, payloadBytes: 6_000_000 })
  const codes = new Set(events.filter(({ type }) => type === 'retry').map(({ code }) => code))
  expect([...codes].filter(code => !/^(WORKER_|NO_WORKER)/.test(code))).toEqual([])
  expect(codes).toContain('WORKER_LOST')
})

test('the work of a command that is killed ends', async () => {
  store.faults.add({ operation: 'GetObject', stall: 100 })
  const working = eventOf(store, 'begin', ({ operation }) => operation === 'GetObject')
  const run = start('killed')
  await working
  run.child.kill('SIGKILL')
  await workers[0].entry(({ ending }) => ending === 'cancelled')
  expect(await run.ended).toMatchObject({ signal: 'SIGKILL' })
})
