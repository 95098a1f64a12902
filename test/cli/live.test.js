'use strict'

/** `--live`: who may see the page and stop the copy, what viewers get, and how it ends. */

const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { openLive } = require('../../cli/report/live')
const { startGate, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { listen } = require('../support/listen')
const { newStateHome } = require('../support/journals')
const { copyEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { MiB, bytesOf, get, put } = require('../support/s3')

const BODY = bytesOf(22 * MiB)

let server
let gate
let route
let env
beforeAll(async () => {
  server = await startStore()
  gate = await startGate(server)
  route = await openRoute({ source: server })
  await put(route.from, 'big', BODY)
})
beforeEach(() => {
  env = { ...copyEnv(server, { ...server, endpoint: gate.endpoint }), XDG_STATE_HOME: newStateHome() }
})

/** The address of its page. @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} */
const liveOf = child =>
  new Promise(resolve => {
    let text = ''
    child.stderr.on('data', more => {
      text += more
      const [, found] = /^Live: (\S+)\n/m.exec(text) ?? []
      if (found) resolve(found)
    })
  })

/** A copy whose third part waits until it may go on. */
async function startHeld() {
  const held = gate.hold(({ method, url }) => method === 'PUT' && /[?&]partNumber=3&/.test(`${url}&`))
  const args = ['--engine', 'local', '--chunk', '5', '--concurrency', '1']
  const { child, ended } = startXfer(['copy', '--live', 's3://source/big', 's3://target/big', ...args], { env })
  const url = await liveOf(child)
  return { ended, child, url, origin: new URL(url).origin, goOn: await held }
}

/** @param {string} url @param {http.RequestOptions} [how] @returns {Promise<http.IncomingMessage>} its head */
async function ask(url, how = {}) {
  const [response] = await once(http.request(url, { agent: false, ...how }).end(), 'response')
  return response
}

/** @param {Parameters<typeof ask>} args @returns {Promise<number>} */
async function statusOf(...args) {
  const response = await ask(...args)
  response.resume()
  return response.statusCode
}

/** What a viewer gets. @param {string} url */
async function view(url) {
  const response = await ask(`${url}events`)
  let text = ''
  response.setEncoding('utf8').on('data', more => {
    text += more
  })
  response.on('error', () => {})
  const frames = () => text.split('\n\n').slice(0, -1)
  return {
    frames,
    closed: once(response, 'close'),
    /** @param {(frames: string[]) => boolean} fits */
    async until(fits) {
      while (!fits(frames())) await once(response, 'data')
    },
  }
}

const snapshotOf = frame => JSON.parse(/^data: (.*)$/.exec(frame)[1])

/** @param {{ frames: () => string[] }} viewer */
function expectEnd({ frames }) {
  expect(frames().at(-1)).toMatch(/^event: end\n/)
  expect(snapshotOf(frames().at(-2))).toMatchObject({ running: false })
}

test('only who has the address and asks this machine sees the page', async () => {
  const { url, origin, ended, child, goOn } = await startHeld()
  const page = await ask(url)
  const policy = { 'content-security-policy': expect.stringContaining("frame-ancestors 'none'") }
  const shy = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' }
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', ...policy, ...shy })
  expect(page.statusCode).toBe(200)
  page.resume()
  const wrong = url.replace(/.\/$/, digit => (digit === '0/' ? '1/' : '0/'))
  for (const other of [wrong, `${wrong}events`, `${origin}/`, `${origin}//`, `${origin}/events`, `${url}other`])
    expect([other, await statusOf(other)]).toEqual([other, 404])
  for (const host of ['example.org', `example.org:${new URL(url).port}`, '127.0.0.1.example.org'])
    expect([host, await statusOf(url, { headers: { host } })]).toEqual([host, 403])
  // As through a tunnel.
  expect(await statusOf(url, { headers: { host: 'localhost:9' } })).toBe(200)
  child.kill()
  goOn()
  expect((await ended).status).toBe(130)
})

test('no other page stops the copy; the button does, as Ctrl-C, and what was copied is kept', async () => {
  const { url, origin, ended, goOn } = await startHeld()
  const stop = (headers, method = 'POST') => statusOf(`${url}stop`, { method, headers })
  const others = ['null', 'https://example.org', origin.replace(/\d+$/, '1')].map(origin => ({ origin }))
  const sites = ['cross-site', 'same-site'].map(site => ({ origin, 'sec-fetch-site': site }))
  for (const headers of [{}, ...others, ...sites]) expect([headers, await stop(headers)]).toEqual([headers, 403])
  expect(await stop({ origin }, 'GET')).toBe(403)
  const viewer = await view(url)
  await viewer.until(frames => frames.length > 0)
  expect(snapshotOf(viewer.frames()[0])).toMatchObject({ running: true })
  expect(await stop({ origin, 'sec-fetch-site': 'same-origin' })).toBe(202)
  goOn()
  const { status, stderr } = await ended
  expect([status, stderr]).toEqual([130, expect.stringMatching(/xfer: stopping; waiting up to 5 s/)])
  await viewer.closed
  expectEnd(viewer)

  const resumed = await startXfer(['resume', '--live'], { env }).ended
  expect([resumed.status, resumed.stderr]).toEqual([0, expect.stringMatching(/^Live: /m)])
  expect(BODY.equals(await get(route.to, 'big'))).toBe(true)
})

test('who opens the page late gets all so far at once, and all viewers the same', async () => {
  const { url, ended, goOn } = await startHeld()
  const first = await view(url)
  await first.until(frames => frames.length >= 1)
  const late = await view(url)
  await late.until(frames => frames.length >= 1)
  const { running, bars } = snapshotOf(late.frames()[0])
  const over = bars.rows.filter(({ kind }) => kind !== 'open').map(({ name }) => name)
  expect([running, over]).toEqual([true, ['part 1', 'part 2']])
  await Promise.all([first, late].map(viewer => viewer.until(frames => frames.length >= 3)))
  expect(first.frames()).toEqual(expect.arrayContaining(late.frames().slice(1, 2)))
  goOn()
  expect((await ended).status).toBe(0)
  await Promise.all([first.closed, late.closed])
  for (const viewer of [first, late]) expectEnd(viewer)
})

test('who attaches to a job sees it on a page, whose button ends only the watching', async () => {
  const { ended, goOn } = await startHeld()
  const [{ id }] = eventsOf(await startXfer(['jobs', '--json'], { env }).ended)
  const watching = startXfer(['attach', id, '--live', '--json'], { env })
  const url = await liveOf(watching.child)
  const page = await ask(url)
  expect(Buffer.concat(await page.toArray()).toString()).toContain('>Stop watching<')
  const viewer = await view(url)
  await viewer.until(frames => frames.length > 0 && snapshotOf(frames.at(-1)).share > 0)
  expect(snapshotOf(viewer.frames().at(-1))).toMatchObject({ running: true, words: { source: 's3://source/big' } })

  const other = startXfer(['attach', id, '--live'], { env })
  const otherUrl = await liveOf(other.child)
  expect(await statusOf(`${otherUrl}stop`, { method: 'POST', headers: { origin: new URL(otherUrl).origin } })).toBe(202)
  expect((await other.ended).status).toBe(130)

  goOn()
  expect((await ended).status).toBe(0)
  const watched = await watching.ended
  await viewer.closed
  expect(snapshotOf(viewer.frames().at(-2))).toMatchObject({ running: false, words: { headline: { title: 'Done' } } })
  const states = eventsOf(watched).map(({ state }) => state)
  // Each look is printed once.
  expect([watched.status, states.indexOf('done')]).toEqual([0, states.length - 1])
})

test('a port that is taken is told before anything is copied', async () => {
  const { port } = await listen(net.createServer())
  const args = ['copy', '--live', String(port), 's3://source/big', 's3://target/taken', '--engine', 'local']
  const stderr = expect.stringContaining(`on port ${port} (EADDRINUSE)`)
  expect(await startXfer(args, { env }).ended).toMatchObject({ status: 2, stderr })
})

test('a viewer that does not read is dropped, and the others go on', async () => {
  const live = await openLive(0, () => {}, { everyMs: 5 })
  const message = 'm'.repeat(1000)
  const failure = { type: 'failure', time: new Date().toISOString(), code: 'X', message, hint: message }
  for (let at = 0; at < 100; at++) live.onEvent({ ...failure, name: `${at}` })
  const { host, pathname } = new URL(live.url)
  const asleep = net.connect(Number(new URL(live.url).port), '127.0.0.1')
  asleep.write(`GET ${pathname}events HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  await once(asleep, 'readable')
  const awake = await ask(`${live.url}events`)
  // More than the buffers of the system take.
  let bytes = 0
  for await (const piece of awake.iterator({ destroyOnReturn: false })) {
    bytes += piece.length
    if (bytes > 32 * MiB) break
  }
  asleep.on('error', () => {}).resume()
  await once(asleep, 'close')
  expect(asleep.bytesRead).toBeLessThan(bytes)
  awake.resume()
  await Promise.all([once(awake, 'end'), live.close()])
})
