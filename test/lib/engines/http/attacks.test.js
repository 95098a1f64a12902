'use strict'

/** What strangers, mistakes and slow callers may try with a worker: each is answered or cut, and the worker goes on. */

const { VERSION } = require('../../../../actions/copy-range/failure')
const { eventOf } = require('../../../support/events')
const { openWorker, startSource } = require('../../../support/opened')
const { HEADERS, TOKEN, dial, runRequest, startStalled } = require('../../../support/worker')

const AUTHORIZED = `authorization: Bearer ${TOKEN}`

let server
let source
beforeAll(async () => {
  ;({ server, source } = await startSource())
})

const open = (options = {}, bounds = {}) => openWorker(options, { lingerMs: 50, ...bounds })
afterEach(() => server.faults.clear())

/** @param {{ url: string }} worker @param {string} body */
const post = ({ url }, body) => fetch(`${url}/v1/run`, { method: 'POST', headers: HEADERS, body })

/** The first line of each answer. @param {string} text */
const statusesOf = text => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => Number(match[1]))

const MiB = 1024 ** 2

/** The head of an invocation. @param {...string} headers */
const headOf = (...headers) => ['POST /v1/run HTTP/1.1', 'host: w', ...headers, '\r\n'].join('\r\n')
const JSON_TYPE = 'content-type: application/json'

/** The worker still answers, and no place is taken. */
async function expectWell(worker) {
  const about = await fetch(`${worker.url}/v1/worker`, { headers: HEADERS })
  expect(await about.json()).toMatchObject({ running: 0 })
  const run = await post(worker, `{"version":${VERSION},"tasks":[]}`)
  expect(await run.json()).toMatchObject({ outcomes: [] })
}

test.each(['/metrics', '/v1/worker'])('without a token %s is answered to names of this machine alone', async path => {
  const worker = await open({}, { env: {} })
  const ask = host => dial(worker.port, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`).closed
  const evil = ['evil.example', `evil.example:${worker.port}`, '192.0.2.1', 'localhost.evil.example', '', '%']
  for (const host of evil) expect([host, statusesOf(await ask(host))]).toEqual([host, [403]])
  const good = ['localhost', `127.0.0.1:${worker.port}`, '[::1]:1']
  for (const host of good) expect([host, statusesOf(await ask(host))]).toEqual([host, [200]])
})

const WRONG = ['', 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN]
test.each([
  ['GET', '/v1/worker'],
  ['GET', '/metrics'],
  ['POST', '/v1/run'],
])('without the token %s %s is refused', async (method, path) => {
  const worker = await open()
  for (const authorization of WRONG) {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
    const answer = await fetch(worker.url + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
    expect([authorization, answer.status]).toEqual([authorization, 401])
    expect(await answer.text()).not.toContain(TOKEN)
  }
  await expectWell(worker)
})

test('without the token a body starts nothing, and the connection ends', async () => {
  const worker = await open()
  const waits = headOf('expect: 100-continue', 'content-length: 50')
  for (const text of [`${headOf(JSON_TYPE, 'content-length: 5000000')}{`, waits])
    expect(statusesOf(await dial(worker.port, text).closed)).toEqual([401])
})

test.each([
  ['another path', 'GET', '/v1/run/../../etc/passwd', {}, 404],
  ['a page in a browser', 'POST', '/v1/run', { origin: 'http://127.0.0.1' }, 403],
  ['another type', 'POST', '/v1/run', { 'content-type': 'text/plain' }, 415],
])('a request of %s is refused', async (_, method, path, headers, status) => {
  const worker = await open()
  const body = method === 'POST' ? { body: '{}' } : {}
  const answer = await fetch(worker.url + path, { method, headers: { ...HEADERS, ...headers }, ...body })
  expect([answer.status, (await answer.json()).error.message]).toEqual([status, expect.any(String)])
  await expectWell(worker)
})

const NONE = { error: { code: 'BAD_TASK' } }
test.each([
  ['nested deep', '['.repeat(1_000_000), 400],
  ['of very many tasks', `{"version":${VERSION},"tasks":[1${',1'.repeat(10_000)}]}`, 413],
  ['of nothing', 'null', 200, { error: expect.stringMatching(/\.$/) }],
  ['of tasks that are none', `{"version":${VERSION},"tasks":[null,7,{}]}`, 200, { outcomes: Array(3).fill(NONE) }],
])('a body %s is refused', async (_, body, status, said = {}) => {
  const worker = await open()
  const answer = await post(worker, body)
  expect([answer.status, await answer.json()]).toMatchObject([status, said])
  await expectWell(worker)
})

test('a body that is announced as too large is refused unread, and one that turns out to be', async () => {
  const worker = await open()
  const announced = dial(worker.port, headOf(JSON_TYPE, AUTHORIZED, `content-length: 6000001`))
  expect(statusesOf(await announced.closed)).toEqual([413])
  const chunked = dial(worker.port, headOf(JSON_TYPE, AUTHORIZED, 'transfer-encoding: chunked'))
  const mega = 'x'.repeat(1_000_000)
  for (let i = 0; i < 7; i++) chunked.send(`f4240\r\n${mega}\r\n`)
  expect(statusesOf(await chunked.until(/\r\n\r\n/))).toEqual([413])
  chunked.socket.destroy()
  await expectWell(worker)
})

const head = length => headOf(JSON_TYPE, `content-length: ${length}`)

test('the rest of a request that was refused is read, so that the caller gets the answer', async () => {
  const worker = await open({}, { lingerMs: 60_000 })
  // More than the buffers of both sides hold: it is only taken if the worker reads it.
  const run = dial(worker.port, head(5 * MiB))
  expect(await new Promise(resolve => run.socket.write(Buffer.alloc(5 * MiB), resolve))).toBeFalsy()
  const text = await run.closed
  expect([statusesOf(text), JSON.parse(text.split('\r\n\r\n')[1]).error.code]).toEqual([[401], 'TOKEN_REFUSED'])
  expect(run.socket.errored).toBeNull()
})

test.each([
  ['too slow', 20, 100],
  ['too large', 60_000, 50 * MiB],
])('the rest of a request that was refused is cut if it is %s', async (_, lingerMs, length) => {
  const worker = await open({}, { lingerMs })
  const run = dial(worker.port, head(length))
  expect(statusesOf(await run.until(/\r\n\r\n/))).toEqual([401])
  if (length > MiB) run.socket.write(Buffer.alloc(9_000_000))
  await run.closed
  await expectWell(worker)
})

const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 }

test.each([
  ['and says nothing', ''],
  ['with its head', 'POST /v1/run HTTP/1.1\r\nhost:'],
  ['with its body', `${runRequest('{"version":2}', [AUTHORIZED]).slice(0, -5)}`],
])('a caller that is slow %s is cut, and keeps no place', async (_, text) => {
  const worker = await open({ places: 1 }, { limits })
  const slow = dial(worker.port, text)
  expect(statusesOf(await slow.closed).filter(status => status !== 408 && status !== 400)).toEqual([])
  // On a busy machine the test itself is a slow caller, too.
  for (let tries = 1; ; tries++) {
    const error = await expectWell(worker).catch(cause => cause)
    if (!error) break
    if (!(error instanceof TypeError) || tries === 100) throw error
  }
})

test('connections that are idle are bounded, and keep no caller out', async () => {
  const most = 40
  const worker = await open({}, { mostConnections: most })
  const all = Array.from({ length: 400 }, () => dial(worker.port))
  let cut = 0
  await new Promise(resolve => {
    for (const { closed } of all) closed.then(() => ++cut >= all.length - most && resolve(undefined))
  })
  await expectWell(worker)
  const metrics = await (await fetch(`${worker.url}/metrics`, { headers: HEADERS })).text()
  expect(Number(/xfer_connections (\d+)/.exec(metrics)[1])).toBeLessThanOrEqual(most)
  for (const { socket } of all) socket.destroy()
})

test('connections of an invocation are not cut for idle ones', async () => {
  const worker = await open({}, { mostConnections: 2 })
  const run = await startStalled(server, worker, source)
  const others = Array.from({ length: 10 }, () => dial(worker.port))
  await Promise.all(others.slice(0, 9).map(({ closed }) => closed))
  const ended = eventOf(worker.log, 'invocation')
  run.socket.destroy()
  expect(await ended).toMatchObject({ ending: 'cancelled' })
  others[9].socket.destroy()
})

test('connections on which a second request follows before the answer are cut, and the work is cancelled', async () => {
  const worker = await open()
  const ended = eventOf(worker.log, 'invocation')
  const run = await startStalled(server, worker, source)
  run.send(runRequest('{}'))
  expect(await run.closed).not.toContain('outcomes')
  expect(await ended).toMatchObject({ ending: 'cancelled' })
  await expectWell(worker)
})

const run = async (worker, parameters) =>
  (await post(worker, JSON.stringify({ version: VERSION, ...parameters }))).json()

test.each([
  ['addresses of metadata', {}, () => 'http://169.254.169.254/', { metadata: true, hosts: ['*'] }],
  ['hosts that the worker does not allow', { allowHosts: ['*.example.org'] }, ({ url }) => url, { hosts: ['*'] }],
])('whatever the caller says, %s are refused', async (_, options, urlOf, access) => {
  const worker = await open(options)
  const { probes } = await run(worker, { probe: [{ url: urlOf(worker) }], access })
  expect(probes[0].error).toMatchObject({ code: 'ADDRESS_REFUSED' })
})

test('whatever the caller says, files of the machine are no stores', async () => {
  const worker = await open()
  const request = { method: 'GET', url: 'file:///etc/passwd', headers: {}, accepts: 'rule' }
  const task = { partNumber: 1, bytes: 1, sums: [], read: request, expect: { etag: 'x', totalBytes: 1 } }
  const { outcomes, error } = await run(worker, { tasks: [task], accepts: { rule: { statuses: [200] } } })
  expect(error ?? outcomes[0].error.code).toMatch(/BAD_TASK|accepts/)
})
