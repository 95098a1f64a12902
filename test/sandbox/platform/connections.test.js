'use strict'

/** Connections, time limits and the clock of the platform's HTTP server. */

const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { startPlatform } = require('../../../sandbox/platform')
const { stubContainer } = require('./stub-container')
const { client, rawCall } = require('./target')

/** @type {Awaited<ReturnType<typeof startPlatform>>} */
let platform
afterEach(() => platform.close())

test('an idle connection is kept, for as long as the setting says and without a word of it', async () => {
  platform = await startPlatform({ keepAliveMs: 150 })
  const agent = new http.Agent({ keepAlive: true })
  const ask = async () => {
    const request = http.get(`${platform.apihost}/api/v1`, { agent })
    const [response] = await once(request, 'response')
    response.resume()
    await once(response, 'end')
    return { response, socket: request.socket }
  }
  const first = await ask()
  expect(first.response.headers).not.toHaveProperty('keep-alive')
  const second = await ask()
  expect(second.socket).toBe(first.socket)
  await once(first.socket, 'close')
  agent.destroy()
})

test('a connection that the client wants closed is closed', async () => {
  platform = await startPlatform()
  const socket = net.connect(platform.port, '127.0.0.1')
  socket.write('GET /api/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const chunks = []
  for await (const chunk of socket) chunks.push(chunk)
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('a request that outlives the limit is answered 503 in plain text, and what it asked for is done', async () => {
  /** @type {(value?: unknown) => void} */
  let release = () => {}
  const held = new Promise(resolve => {
    release = resolve
  })
  const containerFactory = () => stubContainer(path => (path === '/run' ? held : undefined))
  platform = await startPlatform({ requestMs: 100, containerFactory })
  await client(platform).actions.update({ name: 'slow', action: 'const main = () => ({})' })
  const path = '/api/v1/namespaces/_/actions/slow?blocking=true'
  const { status, headers, raw } = await rawCall(platform, 'POST', path, { json: {} })
  expect([status, headers['content-type']]).toEqual([503, 'text/plain; charset=UTF-8'])
  expect(raw).toMatch(/^The server was not able to produce a timely response to your request\./)
  const over = once(platform.activations, 'activation')
  release()
  expect((await over)[0].response.statusCode).toBe(0)
})

test('the clock may be ahead: its minutes begin earlier, and the header Date says so', async () => {
  const aheadMs = 1_800_000
  platform = await startPlatform({ clockSkewMs: aheadMs })
  const before = Date.now()
  const { headers } = await rawCall(platform, 'GET', '/api/v1')
  const told = Date.parse(headers.date)
  expect(told).toBeGreaterThan(before + aheadMs - 1_000)
  expect(told).toBeLessThanOrEqual(Date.now() + aheadMs)
})

test('a body that is larger than any may be is refused once it has been sent, not by a reset', async () => {
  platform = await startPlatform({ limits: { bodyBytes: 1_000 } })
  const text = JSON.stringify({ x: 'x'.repeat(32 * 1024 ** 2) })
  const { status, body } = await rawCall(platform, 'PUT', '/api/v1/namespaces/_/actions/large', { text })
  expect([status, body.error]).toEqual([413, `Request larger than allowed: ${text.length} > 1000 bytes.`])
})
