'use strict'

/** How the engine finds the results of calls on platforms that keep fewer records, and list fewer in a page, than upstream. */

const { once } = require('node:events')
const http = require('node:http')
const { VERSION } = require('../../../../actions/copy-range')
const { systemClock } = require('../../../../lib/async')
const { createOpenWhiskEngine } = require('../../../../lib/engines/openwhisk/engine')
const { smallerPage, fromPlatformError } = require('../../../../lib/engines/openwhisk/errors')
const { until } = require('../../../sandbox/platform/target')
const { startDeployed } = require('../../../support/platform')

const closers = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** @param {http.RequestListener} listener @returns {Promise<string>} its origin */
async function serve(listener) {
  const server = http.createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${server.address().port}`
}

/** @param {{ apihost: string, auth: string }} platform @param {object} [options] */
function engineOf({ apihost, auth }, options) {
  const engine = createOpenWhiskEngine({ apihost, auth, namespace: '_', from: 'a test', insecure: false }, options)
  closers.push(() => engine.close())
  return engine
}

const [BODY, ETAG] = ['hello', '"e"']

/** The sandbox's platform, and a task that reads from a store. */
async function start(options) {
  const platform = await startDeployed(options)
  closers.push(() => platform.close())
  const url = await serve((_, response) => {
    response.setHeader('etag', ETAG)
    response.end(BODY)
  })
  const accepts = { statuses: [200], etag: { header: 'etag', required: true } }
  const read = { method: 'GET', url: `${url}/`, headers: {}, accepts }
  const expect = { etag: ETAG, totalBytes: BODY.length }
  return { platform, task: { partNumber: 1, bytes: BODY.length, sums: [], read, expect } }
}

describe('a platform that keeps records of failures only', () => {
  test('keeps those of the calls that follow one which got a 202', async () => {
    // No call is answered so soon.
    const { platform, task } = await start({ onlyFailureRecords: true, limits: { blockingMs: 1 } })
    const asked = platform.faults.add({ on: 'activations' })
    const engine = engineOf(platform)
    const stop = new AbortController()
    const first = engine.run([task], { signal: stop.signal }).catch(error => error)
    await until(() => asked.hits > 0)
    expect(await engine.run([task])).toMatchObject([{ partNumber: 1, bytes: BODY.length }])
    // The first one still waits for a record that never comes.
    stop.abort()
    expect(await first).toBeInstanceOf(Error)
  })

  const GB = 1e9
  /** A platform that answers each call at once, and shows which carried the header. */
  async function startPlain(now = Date.now) {
    const carried = []
    const apihost = await serve(async (request, response) => {
      const { tasks } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      carried.push(request.headers['x-ow-extra-logging'])
      const outcomes = tasks.map(({ partNumber, bytes }) => ({ partNumber, bytes, etag: ETAG, sums: {} }))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ response: { success: true, result: { version: VERSION, outcomes } } }))
    })
    const engine = engineOf({ apihost, auth: 'id:key' }, { clock: { ...systemClock, now } })
    const read = { method: 'GET', url: 'http://store/', headers: {}, accepts: { statuses: [200] } }
    const run = (sizes, how) =>
      engine.run(
        sizes.map((bytes, i) => ({ partNumber: i + 1, bytes, sums: [], read })),
        how,
      )
    return { run, carried }
  }

  test('is told to keep those of calls with more bytes than it waits for', async () => {
    const { run, carried } = await startPlain()
    await run([GB])
    await run([GB, GB])
    await run([GB], { bytesPerSecond: 10e6 })
    await run([GB], { bytesPerSecond: 100e6 })
    expect(carried).toEqual([undefined, 'on', 'on', undefined])
  })

  test('is told so thirty times a minute', async () => {
    let now = 0
    const { run, carried } = await startPlain(() => now)
    for (let i = 0; i < 40; i++) await run([2 * GB])
    now = 59_999
    await run([2 * GB])
    now = 60_000
    for (let i = 0; i < 40; i++) await run([2 * GB])
    expect(carried.map(Boolean)).toEqual([30, 11, 30, 10].flatMap((n, i) => Array(n).fill(i % 2 === 0)))
  })
})

describe('a list that is refused for its number of records', () => {
  test('is read with as many as the platform allows', async () => {
    const CALLS = 24
    const { platform, task } = await start({ limits: { listed: 10 }, faults: [{ accepted: true }] })
    const asked = platform.faults.add({ on: 'activations' })
    const engine = engineOf(platform)
    await Promise.all(Array.from({ length: CALLS }, () => engine.run([task])))
    expect(asked.hits).toBeLessThan(CALLS)
  })

  const refused = (error, status = 400) =>
    fromPlatformError({ head: { status, headers: {} }, body: { error } }, { where: 'a platform', action: 'xfer' })
  test.each([
    ["The query parameter 'limit' was malformed:\nThe value '200' is not in the range of 0 to 50 for activations.", 50],
    ['limit must be at most 40', 40],
    ['Bad request.', 100],
    [{ message: 'no' }, 100],
  ])('%j: a page of %i', (error, expected) => {
    expect(smallerPage(refused(error), 200)).toBe(expected)
  })

  test('is given up where only tiny pages are left, or where something else is wrong', () => {
    expect(smallerPage(refused('Bad request.'), 12)).toBeUndefined()
    expect(smallerPage(refused('The value must be below 50.', 500), 200)).toBeUndefined()
  })
})
