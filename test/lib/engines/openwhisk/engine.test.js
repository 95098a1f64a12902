'use strict'

/** What the engine makes of answers that no well-behaved platform gives: each by a server of this test's own. */

const { readFileSync } = require('node:fs')
const http = require('node:http')
const { join } = require('node:path')
const { parse } = require('yaml')
const { VERSION } = require('../../../../actions/copy-range')
const { systemClock } = require('../../../../lib/async')
const engines = require('../../../../lib/engines/openwhisk/engine')
const { AS_DEPLOYED, aheadOf, checkVersion, createOpenWhiskEngine, readLimits } = engines
const { fromPlatformError, smallerPage } = require('../../../../lib/engines/openwhisk/errors')
const { listen } = require('../../../support/listen')
const { keep } = require('../../../support/opened')

const ID = 'c0ffee00'.repeat(4)
const PATHS = {
  action: '/api/v1/namespaces/_/actions/xfer/copy-range',
  limits: '/api/v1/namespaces/_/limits',
  record: `/api/v1/namespaces/_/activations/${ID}`,
  list: '/api/v1/namespaces/_/activations',
  root: '/',
}
const ACTION = { name: 'copy-range', namespace: 'guest/xfer', limits: { timeout: 1000, memory: 256 }, annotations: [] }
const READ = { method: 'GET', url: 'http://store/', headers: {}, accepts: { statuses: [200] } }
const tasks = [{ partNumber: 1, bytes: 5, sums: ['crc32'], read: READ }]
const OUTCOMES = [{ partNumber: 1, bytes: 5, etag: '"e"', sums: { crc32: '00000007' } }]
const RECORD = { activationId: ID, response: { success: true, result: { version: VERSION, outcomes: OUTCOMES } } }

/**
 * A platform that answers each of the paths as it is told: a document, or a handler. What it is not told is a 404.
 *
 * @param {Record<string, any>} answers by the names of PATHS; `invoke` for a POST
 * @param {{ skewMs?: number }} [how]
 */
async function startPlatform(answers, { skewMs } = {}) {
  const seen = []
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { pathname, searchParams } = new URL(request.url, 'http://host')
    const name = request.method === 'POST' ? 'invoke' : Object.keys(PATHS).find(name => PATHS[name] === pathname)
    seen.push({ name, query: Object.fromEntries(searchParams), headers: request.headers, body })
    if (skewMs !== undefined) response.setHeader('date', new Date(Date.now() + skewMs).toUTCString())
    const answer = answers[name]
    if (typeof answer === 'function') return answer(response, body)
    const status = answer === undefined ? 404 : 200
    json(response, status, answer ?? { error: 'The requested resource does not exist.', code: 'abc' })
  })
  server.keepAliveTimeout = 70_000
  const { url: apihost, sockets } = await listen(server)
  return { apihost, auth: 'id:hunter2', seen, sockets, names: () => seen.map(({ name }) => name) }
}

function json(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** @param {{ apihost: string, auth: string }} platform @param {object} [options] */
function engineOf({ apihost, auth }, options) {
  return keep(createOpenWhiskEngine({ apihost, auth, namespace: '_', from: 'a test', insecure: false }, options))
}

/** An engine at such a platform. @param {Record<string, any>} answers @param {object} [options] */
const engineAt = async (answers, options) => engineOf(await startPlatform(answers), options)

/** The uncertain loss of a request. */
const LOST = { code: 'PLATFORM_UNREACHABLE', retryable: true, uncertain: true }

test.each([
  ['has none', undefined],
  ['answers with a page', response => response.end('<html></html>')],
  ['sends elsewhere', response => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
])('the limits are none that is known where the namespace %s', async (_, limits) => {
  const none = Number.POSITIVE_INFINITY
  const engine = await engineAt({ action: ACTION, limits })
  expect(await engine.limits()).toMatchObject({ concurrent: none, perMinute: none, timeoutMs: 1000 })
})

describe('an answer that does not come whole', () => {
  const named = { 'x-openwhisk-activation-id': ID }
  const text = JSON.stringify(RECORD)
  const half = text.slice(0, 60)
  const typed = { ...named, 'content-type': 'application/json' }
  const begun = (response, headers) => response.writeHead(200, { ...headers, 'content-length': text.length })

  it.each([
    ['half its text', response => response.writeHead(200, typed).end(half)],
    ['an end in the middle', response => begun(response, typed).write(half, () => response.destroy())],
    ['silence in the middle', response => begun(response, named).write(half)],
    ['its activation alone', response => json(response, 202, { activationId: ID })],
  ])('but %s is made up for by the record', async (_, invoke) => {
    const platform = await startPlatform({ invoke, record: RECORD })
    expect(await engineOf(platform, { silenceMs: 1_000 }).run(tasks)).toEqual(OUTCOMES)
    expect(platform.names()).toEqual(['invoke', 'record'])
  })

  it.each([
    ['half its text', response => json(response, 200, half), 'ACTIVATION_FAILED'],
    ['nothing', response => response.destroy(), 'PLATFORM_UNREACHABLE'],
    ['a refusal', response => json(response, 500, { error: 'Broken.' }), 'PLATFORM_ERROR'],
  ])('but %s, without the activation’s id, leaves it open what became of it', async (_, invoke, code) => {
    const engine = await engineAt({ invoke })
    const error = await engine.run(tasks).catch(thrown => thrown)
    expect(error).toMatchObject({ code, retryable: true, uncertain: true, exitCode: 5 })
    expect(`${error.message} ${error.hint} ${JSON.stringify(error)}`).not.toContain('hunter2')
  })
})

test('an answer that never ends is cut off before it fills the memory', async () => {
  let sent = 0
  const piece = Buffer.alloc(2 ** 20, ' ')
  function action(response) {
    sent += piece.length
    if (!response.headersSent) response.setHeader('content-type', 'application/json')
    if (!response.destroyed) response.write(piece, () => setImmediate(action, response))
  }
  await expect((await engineAt({ action })).limits()).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE' })
  // As fast as this machine can: of what is on its way when it is looked at, some more.
  expect(sent).toBeLessThan(2 * 2 ** 30)
})

test.each([
  ['a question', { silenceMs: 1_000 }, engine => engine.limits(), { code: LOST.code }],
  ['an invocation, whose outcome is then unknown', { answerLimitMs: 100 }, engine => engine.run(tasks), LOST],
])('%s that is never answered has an end', async (_, options, ask, expected) => {
  const engine = await engineAt({ action: () => {}, invoke: () => {} }, options)
  const message = expect.stringContaining('no answer in time')
  await expect(ask(engine)).rejects.toMatchObject({ ...expected, message })
})

const timed = (annotations, times = { start: 1_000, end: 4_000 }) => ({ ...RECORD, ...times, annotations })
const WAITED = [{ key: 'waitTime', value: 2_500 }]
const TOLD = { startMs: 1_000, waitedMs: 2_500, ranMs: 3_000, isNew: false }

test.each([
  ['of an answer', { invoke: timed(WAITED) }, [TOLD]],
  ['of a record', { invoke: { activationId: ID }, record: timed(WAITED) }, [TOLD]],
  ['for a new container', { invoke: timed([...WAITED, { key: 'initTime', value: 400 }]) }, [{ ...TOLD, isNew: true }]],
  ['not told', { invoke: timed([{ key: 'kind', value: 'nodejs:20' }]) }, []],
  ['told as no number', { invoke: timed([{ key: 'waitTime', value: 'long' }]) }, []],
  ['without its end', { invoke: timed(WAITED, { start: 1_000 }) }, []],
])('how long an activation waited: %s', async (_, answers, expected) => {
  const onQueued = jest.fn()
  await (await engineAt(answers)).run(tasks, { onQueued })
  expect(onQueued.mock.calls.flat()).toEqual(expected)
})

test('answers that come late of many are looked for in the list, by name, by the clock of the platform, in pages that it allows', async () => {
  const ids = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(32))
  let invoked = 0
  const invoke = response => json(response, 202, { activationId: ids[invoked++] })
  const list = response =>
    new URL(response.req.url, 'http://host').searchParams.get('limit') === '200'
      ? json(response, 400, { error: 'limit must be at most 40' })
      : json(
          response,
          200,
          Array.from(ids, activationId => ({ ...RECORD, activationId })),
        )
  const platform = await startPlatform({ action: ACTION, limits: {}, invoke, list }, { skewMs: 600_000 })
  const engine = engineOf(platform)
  const { skewMs } = await engine.limits()
  const startedMs = Date.now()
  expect(await Promise.all(ids.map(() => engine.run(tasks)))).toEqual(ids.map(() => OUTCOMES))
  const asked = platform.seen.filter(({ name }) => name === 'list')
  const query = { name: 'xfer/copy-range', docs: 'true', skip: '0' }
  expect(asked.map(one => one.query)).toMatchObject(['200', '40'].map(limit => ({ ...query, limit })))
  const since = Number(asked[0].query.since) - skewMs
  expect(since).toBeLessThanOrEqual(startedMs)
  expect(since).toBeGreaterThan(startedMs - 60_000)
})

test('connections that died while idle leave the outcome of their request unknown', async () => {
  let invoked = 0
  // As a server does whose idle time-out and the request cross each other.
  const invoke = response => (invoked++ === 0 ? json(response, 200, RECORD) : response.socket.destroy())
  const engine = await engineAt({ invoke })
  await engine.run(tasks)
  await expect(engine.run(tasks)).rejects.toMatchObject(LOST)
  expect(invoked).toBe(2)
})

const MiB = 1024 ** 2
const deployed = { name: 'copy-range', limits: { timeout: 300_000, memory: 512 } }

test('the limits that a dry run assumes of an action that is not deployed are those of the manifest', () => {
  const { packages } = parse(readFileSync(join(__dirname, '..', '..', '..', '..', 'manifest.yaml'), 'utf8'))
  const { timeout, memorySize } = packages.xfer.actions['copy-range'].limits
  expect(AS_DEPLOYED.limits).toEqual({ timeout, memory: memorySize })
})

test.each([
  ['nothing', undefined],
  ['words for numbers', { concurrentInvocations: 'many', invocationsPerMinute: -1, maxPayloadSize: 'large' }],
])('the limits of a platform that answers with %s are none but the usual ones', (_, answer) => {
  expect(readLimits({ deployed: { name: 'copy-range' }, namespace: answer, root: answer }, 0)).toEqual({
    ...{ concurrent: Number.POSITIVE_INFINITY, perMinute: Number.POSITIVE_INFINITY, skewMs: 0 },
    ...{ timeoutMs: 60_000, answerMs: 60_000, invocationMs: 50, memoryBytes: 256 * MiB, payloadBytes: MiB },
  })
})

test('the limits inside a function leave some calls to that', () => {
  const namespace = { concurrentInvocations: 30, invocationsPerMinute: 60 }
  expect(readLimits({ deployed, namespace }, 0, 4)).toMatchObject({ concurrent: 26, perMinute: 56 })
  const least = { concurrentInvocations: 1, invocationsPerMinute: 3 }
  expect(readLimits({ deployed, namespace: least }, 0, 4)).toMatchObject({ concurrent: 1, perMinute: 1 })
})

test.each(Object.entries({ '5MB': 5 * MiB, '0 B': MiB }))('a payload is limited to %p', (told, payloadBytes) => {
  const namespace = { maxPayloadSize: told }
  expect(readLimits({ deployed, namespace }, 0)).toMatchObject({ payloadBytes })
})

test.each([
  ['no annotations', {}],
  ['strange ones', { annotations: [null, 7] }],
])('the version beside an action that has %s is let pass', (_, action) => {
  expect(() => checkVersion(action, { action: 'xfer/copy-range', where: 'https://ow.example' })).not.toThrow()
})

const NOW = Date.UTC(2025, 5, 1, 12, 0, 10, 300)

/** An answer of a platform whose clock is before ours, with whole seconds, as a `Date` has them. */
const answer = (skewMs, atMs) => ({
  headers: { date: new Date(atMs + skewMs).toUTCString() },
  sentMs: atMs - 20,
  receivedMs: atMs + 20,
})

// No more than whole seconds leave in doubt is none; else it is found to half a second and the way.
test.each([
  [0, 0, 0],
  [450, 0, 0],
  [-450, 0, 0],
  [2_000, 2_000, 520],
  [-61_700, -61_700, 520],
])('of the clock of the platform %i ms ahead are found as %i ms, give or take %i', (skewMs, expected, most) => {
  for (let ms = 0; ms < 1000; ms += 50) {
    expect(Math.abs(aheadOf(answer(skewMs, NOW + ms)) - expected)).toBeLessThanOrEqual(most)
  }
})

const carriedBy = ({ seen }) =>
  seen.filter(({ name }) => name === 'invoke').map(({ headers }) => headers['x-ow-extra-logging'])

test('a platform that keeps records of failures only keeps those of the calls that follow one which got a 202', async () => {
  let invoked = 0
  const invoke = response => json(response, 200, invoked++ === 0 ? { activationId: ID } : RECORD)
  // The first one still waits for its record.
  const record = response => engine.run(tasks).then(() => json(response, 200, RECORD))
  const platform = await startPlatform({ invoke, record })
  const engine = engineOf(platform)
  await engine.run(tasks)
  expect(carriedBy(platform)).toEqual([undefined, 'on'])
})

const GB = 1e9
/** A platform that answers each call at once; carried: the header of each. */
async function startPlain(now = Date.now) {
  const platform = await startPlatform({
    invoke(response, body) {
      const told = { etag: '"e"', sums: {} }
      const outcomes = JSON.parse(body).tasks.map(({ partNumber, bytes }) => ({ partNumber, bytes, ...told }))
      json(response, 200, { response: { success: true, result: { version: VERSION, outcomes } } })
    },
  })
  const engine = engineOf(platform, { clock: { ...systemClock, now } })
  const taskOf = (bytes, i) => ({ partNumber: i + 1, bytes, sums: [], read: READ })
  const run = (sizes, how) => engine.run(sizes.map(taskOf), how)
  return { run, carried: () => carriedBy(platform) }
}

test('a platform that keeps records of failures only is told to keep those of calls with more bytes than it waits for', async () => {
  const { run, carried } = await startPlain()
  await run([GB])
  await run([GB, GB])
  await run([GB], { bytesPerSecond: 10e6 })
  await run([GB], { bytesPerSecond: 100e6 })
  expect(carried()).toEqual([undefined, 'on', 'on', undefined])
})

test('a platform that keeps records of failures only is told so thirty times a minute', async () => {
  let now = 0
  const { run, carried } = await startPlain(() => now)
  for (let i = 0; i < 40; i++) await run([2 * GB])
  now = 59_999
  await run([2 * GB])
  now = 60_000
  for (let i = 0; i < 40; i++) await run([2 * GB])
  expect(carried().map(Boolean)).toEqual([30, 11, 30, 10].flatMap((n, i) => Array(n).fill(i % 2 === 0)))
})

describe('a list that is refused for its number of records', () => {
  const refused = (error, status = 400) =>
    fromPlatformError({ head: { status, headers: {} }, body: { error } }, { where: 'a platform', action: 'xfer' })
  test.each([
    ["The query parameter 'limit' was malformed:\nThe value '200' is not in the range of 0 to 50 for activations.", 50],
    ['limit must be at most 40', 40],
    ['Bad request.', 100],
    [{ message: 'no' }, 100],
  ])('%j: a page of %i', (error, expected) => expect(smallerPage(refused(error), 200)).toBe(expected))

  test('is given up where only tiny pages are left, or where something else is wrong', () => {
    expect(smallerPage(refused('Bad request.'), 12)).toBeUndefined()
    expect(smallerPage(refused('The value must be below 50.', 500), 200)).toBeUndefined()
  })
})
