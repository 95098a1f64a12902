'use strict'

/** Copies that end between their completion and their proof: who goes on proves them, and does not take them for proved. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { journalHolds } = require('../support/journals')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB)
const UNKNOWN = { serverName: 'Oddity/1.0' }

let servers
let route
let state
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'xfer-test-proofs-'))
})
afterEach(async () => {
  route?.close()
  await Promise.all(servers.map(server => server.close()))
  rmSync(state, { recursive: true })
})

/** @param {object} to options of the destination @param {object} [from] of the source; one store when absent */
async function open(to, from) {
  const destination = await startStore(to)
  const source = from ? await startStore(from) : destination
  servers = [...new Set([source, destination])]
  route = await openRoute({ source, destination })
  await put(route.from, 'big', BODY)
  return destination
}

/** @param {string[]} flags */
const start = (...flags) =>
  startXfer(['copy', 's3://source/big', 's3://target/big', '--json', '--engine', 'local', '--chunk', '5', ...flags], {
    env: { ...route.env, XDG_STATE_HOME: state },
  })
const endOf = async ({ ended }) => expectEvents(await ended, { env: route.env })

test("somebody else's object that stands where an answer was lost is not taken for the copy by the next run", async () => {
  const destination = await open({ ...UNKNOWN, checksums: false }, {})
  destination.faults.add({ operation: 'CompleteMultipartUpload', delayMs: 300, status: 500 })
  const asked = eventOf(destination, 'begin', event => event.operation === 'CompleteMultipartUpload')
  const theirs = bytesOf(BODY.length, 'theirs')
  const started = start('--retries', '0')
  await asked
  await put(route.to, 'big', theirs)
  const first = await endOf(started)
  expect({ status: first.status, code: first.last.code }).toEqual({ status: 1, code: 'OUTCOME_UNKNOWN' })
  destination.faults.clear()
  const second = await endOf(start())
  expect({ status: second.status, message: second.last.message }).toEqual({ status: 0, message: undefined })
  expect((await get(route.to, 'big')).equals(BODY)).toBe(true)
})

test('what the store has contradicted is read back by the next run as well', async () => {
  const destination = await open({ ...UNKNOWN, checksums: false, headAfterPut: 'wrong-size' }, {})
  destination.faults.add({ operation: 'GetObject', stall: true })
  const completed = eventOf(destination, 'begin', event => event.operation === 'CompleteMultipartUpload')
  const started = start()
  await completed
  await journalHolds(state, 'completed')
  started.child.kill('SIGKILL')
  await started.ended
  destination.faults.clear()
  const { status, last } = await endOf(start())
  expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
  expect(last.proof).toContain('read-back')
})

test('parts that the store copied by itself prove nothing of those that an engine adds', async () => {
  const server = await open({ ...UNKNOWN, checksumCheck: false })
  const held = server.faults.add({ operation: 'UploadPartCopy', partNumber: 2, delayMs: 60_000 })
  const begun = eventOf(server, 'begin', event => event.operation === 'UploadPartCopy' && event.partNumber === 2)
  const started = start('--concurrency', '1', '--route', 'auto')
  await begun
  await journalHolds(state, 'part')
  started.child.kill('SIGKILL')
  await started.ended
  held.remove()
  server.faults.add({ operation: 'UploadPart', partNumber: 3, flipByteAt: 100, nth: 1, leastBytes: 100 })
  const { status, last } = await endOf(start('--route', 'engine'))
  expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
  expect((await get(route.to, 'big')).equals(BODY)).toBe(true)
})
