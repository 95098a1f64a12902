'use strict'

const { startSource } = require('../support/opened')
const { eventOf } = require('../support/events')
const { runXfer } = require('../support/run-xfer')
const { TOKEN, copyParameters, dial, runRequest } = require('../support/worker')
const { startWorkerProcess } = require('../support/worker-process')

let server
let source
beforeAll(async () => {
  ;({ server, source } = await startSource())
})
afterEach(() => server.faults.clear())

/** A worker whose invocation has begun to write, or waits for what it reads. @param {object} fault */
async function startBusy(fault, args = []) {
  const worker = await startWorkerProcess({ env: { XFER_TOKEN: TOKEN }, args })
  server.faults.add(fault)
  const begun = eventOf(server, 'begin', ({ operation }) => operation === fault.operation)
  const body = JSON.stringify(await copyParameters(server, source))
  const run = dial(Number(new URL(worker.url).port), runRequest(body))
  await begun
  return { worker, run }
}

const STALLED = { operation: 'GetObject', stall: 100 }

test.each([
  ['with its result', []],
  ['although GNU timeout sends it twice', ['SIGTERM']],
])('xfer serve ends after SIGTERM when what runs is done, %s', async (_, more) => {
  const { worker, run } = await startBusy({ operation: 'PutObject', delayMs: 500 })
  worker.child.kill('SIGTERM')
  await worker.entry(({ event }) => event === 'draining')
  for (const signal of more) worker.child.kill(signal)
  expect(await run.closed).toContain('"bytes":1000')
  expect(await worker.ended).toMatchObject({ status: 0, signal: null, stdout: '' })
})

test('xfer serve ends after SIGTERM at once, if another signal follows', async () => {
  const { worker, run } = await startBusy(STALLED)
  worker.child.kill('SIGTERM')
  await worker.entry(({ event }) => event === 'draining')
  worker.child.kill('SIGINT')
  expect(await run.closed).not.toContain('outcomes')
  const { status, stderr } = await worker.ended
  expect(status).toBe(0)
  expect(stderr).toContain('"ending":"cut"')
})

test('xfer serve ends after SIGTERM after --drain, whatever runs', async () => {
  const { worker, run } = await startBusy(STALLED, ['--drain', '0'])
  worker.child.kill('SIGTERM')
  expect(await run.closed).not.toContain('outcomes')
  expect(await worker.ended).toMatchObject({ status: 0 })
})

test('xfer serve without a token refuses to listen where others reach it', async () => {
  const { status, stdout, stderr } = await runXfer(['serve', '--host', '0.0.0.0'])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain('xfer: A worker without a token may only listen on this machine')
})
