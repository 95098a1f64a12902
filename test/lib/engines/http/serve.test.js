'use strict'

const { once } = require('node:events')
const { VERSION } = require('../../../../actions/copy-range/failure')
const { startWorker } = require('../../../../lib/engines/http/serve')
const { eventOf } = require('../../../support/events')
const { listen } = require('../../../support/listen')
const { AUTHORITY } = require('../../../support/tls')
const { openWorker, startSource } = require('../../../support/opened')
const { HEADERS, TOKEN, copyParameters, dial, runRequest, startStalled } = require('../../../support/worker')

let server
let source
beforeAll(async () => {
  ;({ server, source } = await startSource())
})

afterEach(() => server.faults.clear())

/** @param {{ url: string }} worker */
const metricsOf = async ({ url }) => await (await fetch(`${url}/metrics`, { headers: HEADERS })).text()
/** Runs what it is given, or nothing. @param {{ url: string }} worker */
const post = ({ url }, body = `{"version":${VERSION},"tasks":[]}`) =>
  fetch(`${url}/v1/run`, { method: 'POST', headers: HEADERS, body })

/** @param {string} text an answer @returns {any} */
const resultOf = text =>
  JSON.parse(text.slice(text.indexOf('\r\n\r\n')).replace(/\r\n[\da-f]+\r\n|\r\n0\r\n\r\n$/g, ''))

test('a worker copies, and says what it copied in its log and its metrics', async () => {
  const worker = await openWorker()
  const answer = await post(worker, JSON.stringify(await copyParameters(server, source)))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await answer.json()).toMatchObject({ version: VERSION, outcomes: [{ partNumber: 1, bytes: 1000 }] })
  expect(worker.entries.at(-1)).toMatchObject({ event: 'invocation', ending: 'done', tasks: 1, bytes: 1000 })
  const metrics = await metricsOf(worker)
  expect(metrics).toContain('xfer_invocations_total{ending="done"} 1\n')
  expect(metrics).toContain('xfer_bytes_total 1000\n')
  expect(metrics).toMatch(/^xfer_busy_seconds_total [\d.e-]+$/m)
  for (const line of metrics.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ \S.*|[a-z_]+(\{[a-z]+="[\w.-]+"\})? [\d.e+-]+)$/)
  expect(metrics).not.toMatch(/bucket|127\.0\.0\.1/)
  expect(JSON.stringify(worker.entries)).not.toMatch(/Signature|bucket|127\.0\.0\.1:\d+\/|a-token/)
})

test('a worker answers at once, with blanks while the work goes on, and the result last', async () => {
  const worker = await openWorker({ heartbeatMs: 20 })
  const run = await startStalled(server, worker, source)
  // Four blanks, each a chunk of its own.
  await run.until(/\r\n\r\n(1\r\n \r\n){4}/)
  server.faults.clear()
  run.socket.destroy()
})

test('a caller that hangs up cancels the work, and its place is free', async () => {
  const worker = await openWorker({ places: 1 })
  const run = await startStalled(server, worker, source)
  // It is ready all the same: a balancer that watches this would drop all the workers of a busy copy.
  expect((await fetch(`${worker.url}/readyz`)).status).toBe(200)
  const full = await post(worker, '{}')
  expect([full.status, full.headers.get('retry-after'), (await full.json()).error.code]).toEqual([429, '1', 'BUSY'])
  const ended = eventOf(worker.log, 'invocation')
  run.socket.destroy()
  expect(await ended).toMatchObject({ ending: 'cancelled', failed: { CANCELLED: 1 } })
  expect(await metricsOf(worker)).toContain('xfer_task_failures_total{code="CANCELLED"} 1\n')
  expect((await post(worker)).status).toBe(200)
})

test('while it drains, what runs ends well, and nothing else begins', async () => {
  const worker = await openWorker()
  server.faults.add({ operation: 'PutObject', delayMs: 300 })
  const begun = eventOf(server, 'begin', ({ operation }) => operation === 'PutObject')
  const run = dial(worker.port, runRequest(JSON.stringify(await copyParameters(server, source))))
  await begun
  const drained = worker.drain()
  const refused = await post(worker, '{}')
  expect([refused.status, (await refused.json()).error.code]).toEqual([503, 'DRAINING'])
  const looks = ['readyz', 'healthz'].map(async path => (await fetch(`${worker.url}/${path}`)).status)
  expect(await Promise.all(looks)).toEqual([503, 200])
  await drained
  expect(resultOf(await run.until(/\r\n0\r\n\r\n$/))).toMatchObject({ outcomes: [{ bytes: 1000 }] })
})

const http = require('node:http')
const { runInvocation } = require('../../../../lib/engines/http/serve/answers')
const FILLER = 'x'.repeat(32 * 1024 ** 2)

/** An invocation that is done, behind so many bytes that its caller has not read. @param {number} resultMs */
async function startUnread(resultMs) {
  const cut = new AbortController()
  const how = { access: {}, heartbeatMs: 10_000, timeoutMs: 300_000, cut: cut.signal, resultMs }
  const { server, port } = await listen(http.createServer())
  const caller = dial(port, 'GET / HTTP/1.1\r\nhost: w\r\n\r\n')
  caller.socket.pause()
  const [, response] = await once(server, 'request')
  response.socket.write(FILLER)
  const prepared = once(response, 'prefinish')
  const ended = runInvocation({ version: VERSION, tasks: [] }, response, how)
  return { caller, cut, ended, prepared }
}

test('a result for which the network has no room is waited for', async () => {
  const { caller, ended, prepared } = await startUnread(60_000)
  const settled = jest.fn()
  ended.then(settled)
  await prepared
  expect(settled).not.toHaveBeenCalled()
  caller.socket.resume()
  expect(await ended).toMatchObject({ ending: 'done' })
  expect(await caller.until(/0\r\n\r\n$/)).toContain('"outcomes":[]')
})

test.each([
  ['is given up after a while', 50, 'cancelled'],
  ['is cut when the worker ends', 60_000, 'cut'],
])('a result for which the network has no room %s', async (_, resultMs, ending) => {
  const { cut, ended, prepared } = await startUnread(resultMs)
  await prepared
  if (ending === 'cut') cut.abort()
  expect(await ended).toMatchObject({ ending })
})

test('a worker that is closed cuts what runs, without a result', async () => {
  const worker = await openWorker()
  const run = await startStalled(server, worker, source)
  await worker.close()
  expect(await run.closed).not.toContain('outcomes')
  expect(worker.entries.map(({ event, ending }) => ending ?? event)).toEqual(['listening', 'cut', 'ended'])
})

test('a worker that is closed waits for no body, and begins nothing with one that arrives meanwhile', async () => {
  const worker = await openWorker({}, { limits: { requestTimeout: 0 } })
  const headers = [`authorization: Bearer ${TOKEN}`, 'expect: 100-continue']
  const text = runRequest(JSON.stringify(await copyParameters(server, source)), headers)
  const [head, body] = text.split('\r\n\r\n')
  const [late, whole] = [0, 1].map(() => dial(worker.port, `${head}\r\n\r\n`))
  for (const run of [late, whole]) await run.until(/100 Continue/)
  late.send(body.slice(0, -1))
  whole.send(body)
  await worker.close()
  for (const run of [late, whole]) expect(await run.closed).not.toContain('200 OK')
  expect(worker.entries.map(({ event }) => event)).not.toContain('invocation')
})

test('an invocation in which the worker itself fails gives its place back', async () => {
  const worker = await openWorker({ places: 1 })
  const failed = eventOf(worker.log, 'failed')
  worker.log.once('invocation', () => {
    throw new TypeError('a defect')
  })
  await (await post(worker)).text()
  expect(await failed).toEqual({ event: 'failed', error: 'TypeError' })
  expect((await post(worker)).status).toBe(200)
})

test('a worker that was suspended ends what its callers have given up', async () => {
  let nowMs = Date.now()
  const worker = await openWorker({ heartbeatMs: 50 }, { now: () => nowMs })
  const run = await startStalled(server, worker, source)
  const ended = eventOf(worker.log, 'invocation')
  nowMs += 60_000
  expect(await ended).toMatchObject({ ending: 'suspended' })
  expect(await run.closed).not.toContain('outcomes')
})

const OPEN = ['0.0.0.0', '::', '::ffff:0:0', '192.0.2.1']
const start = (options, env = {}) =>
  startWorker({ port: 0, places: 1, heartbeatMs: 10_000, timeoutMs: 300_000, ...options }, { env, log: () => {} })
test.each([
  ...OPEN.map(host => [`without a token, on ${host}`, { host }, {}, /without a token/]),
  ['with a short token where others reach it', {}, { XFER_TOKEN: 'a'.repeat(15) }, /with a short token/],
  ['with a token that no header can carry', {}, { XFER_TOKEN: 'a b' }, /XFER_TOKEN holds no token/],
  ['with a certificate alone', { tlsCert: AUTHORITY }, {}, /a certificate and its key/],
  ['with a key that is none', { tlsCert: AUTHORITY, tlsKey: AUTHORITY }, {}, /no certificate and its key/],
  ['on a port that is none', { port: undefined }, { PORT: 'http' }, /PORT is not the number of a port/],
  ['on an address of another machine', { host: '192.0.2.1' }, { XFER_TOKEN: 'a'.repeat(16) }, /cannot listen/],
])('a worker does not start %s', async (_, options, env, message) => {
  await expect(start(options, env)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) })
})
