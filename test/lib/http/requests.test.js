'use strict'

/** A request settles, whatever the other end does, and leaves nothing behind. */

const { once } = require('node:events')
const net = require('node:net')
const { closing, listen } = require('../../support/listen')
const { agent: createAgent, ask, exchange, send } = require('../../../lib/http')

/** A server of bytes. @param {(socket: net.Socket) => void} talk */
const serve = talk => listen(net.createServer(talk))

/** A server that answers the first request of each connection with a head that begins so. */
const answering = text => serve(socket => socket.once('data', () => socket.write(`HTTP/1.1 ${text}`)))

function agentOf(url, how = {}) {
  const agent = createAgent(url, how)
  closing(() => agent.destroy())
  return agent
}

/** @param {string} url @param {object} [how] */
function sent(url, { proxy, ...how } = {}) {
  const agent = agentOf(url, { proxy: proxy && (() => proxy) })
  return send({ method: 'GET', url, headers: {} }, { agent, limitMs: 60_000, ...how })
}

const textOf = async response => Buffer.concat(await response.toArray()).toString()

test('an answer that changes the protocol is a connection that was cut', async () => {
  const { url } = await answering('101 Other\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
  await expect(sent(url)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('a head of more than 16 KiB is read', async () => {
  const value = 'x'.repeat(40_000)
  const { url } = await answering(`200 OK\r\nx-amz-meta-a: ${value}\r\nContent-Length: 0\r\n\r\n`)
  expect((await sent(url)).headers['x-amz-meta-a']).toBe(value)
})

test('an answer without a length is read to its end', async () => {
  const { url } = await serve(socket => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it')))
  const response = await sent(url)
  // The connection is closed before anybody reads.
  await once(response.socket, 'close')
  expect(await textOf(response)).toBe('all of it')
})

test('an answer that came whole is read, although its connection was reset', async () => {
  let reset
  const { url } = await serve(socket => {
    reset = () => socket.resetAndDestroy()
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nall of it'))
  })
  const response = await sent(url)
  while (!response.complete) await new Promise(setImmediate)
  const closed = once(response.socket, 'close').catch(error => error)
  reset()
  await closed
  expect(await textOf(response)).toBe('all of it')
})

test('while a proxy says nothing, the limit of a connection ends the request, and an abort does', async () => {
  const { url: proxy, server } = await serve(() => {})
  await expect(sent('https://store.invalid', { proxy, connectMs: 1 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  const abort = new AbortController()
  const connected = once(server, 'connection')
  const ended = sent('https://store.invalid', { proxy, signal: abort.signal }).catch(({ code }) => code)
  await connected
  abort.abort()
  expect(await ended).toBe('ABORT_ERR')
})

test('an abort ends an answer that has begun, and a request that has not is not sent', async () => {
  const { url } = await answering('200 OK\r\n\r\nhalf')
  const abort = new AbortController()
  const response = await sent(url, { signal: abort.signal })
  response.on('data', () => abort.abort())
  await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ABORT_ERR' })
  await expect(sent(url, { signal: abort.signal })).rejects.toMatchObject({ code: 'ABORT_ERR' })
})

test('a request of which nobody reads the body ends at its limit, and is known to have been sent', async () => {
  const { url } = await serve(socket => socket.pause())
  const body = Buffer.alloc(64 * 1024 ** 2)
  const headers = { 'content-length': String(body.length) }
  const how = { agent: agentOf(url), limitMs: 200, silenceMs: 60_000, most: 1 }
  const lost = { code: 'ETIMEDOUT', sent: true }
  await expect(exchange({ method: 'POST', url, headers, body }, how)).rejects.toMatchObject(lost)
  await expect(exchange({ method: 'GET', url: 'http://127.0.0.1:1' }, how)).rejects.toMatchObject({ sent: false })
})

test('a whole answer of which no byte comes any more ends soon after its limit', async () => {
  const { url } = await answering('200 OK\r\ncontent-length: 9\r\n\r\nhalf')
  const limits = { limitMs: 60_000, silenceMs: 400, answerMs: Number.POSITIVE_INFINITY }
  const how = { agent: agentOf(url), ...limits, most: 100, late: true }
  await expect(exchange({ method: 'GET', url }, how)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})

test('a peer that is silent, at once or after the beginning of its answer, ends a request over its own connection at the limit', async () => {
  const { url, sockets } = await serve(socket => socket.resume())
  await expect(ask({ method: 'GET', url }, { limitMs: 100 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close')
  const half = await answering('200 OK\r\n\r\nhalf')
  expect(await ask({ method: 'GET', url: half.url }, { limitMs: 1_000 })).toMatchObject({ body: 'half' })
})
