'use strict'

const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { ask } = require('../../../lib/http')

const servers = []
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }
})

/** @param {net.Server} server */
async function listen(server) {
  const sockets = new Set()
  server.on('connection', socket => sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push({ server, sockets })
  return { url: `http://127.0.0.1:${server.address().port}`, sockets }
}
const serve = handle => listen(http.createServer(handle))
const limitMs = 60_000

test('the path and the headers go as they stand', async () => {
  const { url } = await serve((request, response) =>
    response.end(`${request.method} ${request.url} ${request.headers.a}`),
  )
  const answer = await ask({ method: 'GET', url: `${url}/a/./b/../c%2F?x=%20`, headers: { a: 'b' } }, { limitMs })
  expect(answer).toMatchObject({
    status: 200,
    body: 'GET /a/./b/../c%2F?x=%20 b',
    headers: { date: expect.any(String) },
  })
  expect(answer.receivedMs).toBeGreaterThanOrEqual(answer.sentMs)
})

test('a body that breaks off is told as far as it came', async () => {
  const { url } = await serve((request, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('beginning', () => request.socket.destroy())
  })
  expect(await ask({ method: 'GET', url }, { limitMs })).toMatchObject({ status: 200, body: 'beginning' })
})

test.each([
  ['nothing listens', 'http://127.0.0.1:1', 'ECONNREFUSED'],
  ['the host is not known', 'http://nowhere.invalid', /ENOTFOUND|EAI_AGAIN/],
])('where %s that is told by its code', async (_, url, code) => {
  await expect(ask({ method: 'GET', url }, { limitMs })).rejects.toMatchObject({ code: expect.stringMatching(code) })
})

test('a silent peer times out, and no connection is left open', async () => {
  const { url, sockets } = await listen(net.createServer(socket => socket.resume()))
  await expect(ask({ method: 'GET', url }, { limitMs: 100 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close')
})

test('it can be aborted', async () => {
  const controller = new AbortController()
  const { url } = await serve(() => controller.abort())
  const { signal } = controller
  await expect(ask({ method: 'GET', url }, { limitMs, signal })).rejects.toMatchObject({ name: 'AbortError' })
})
