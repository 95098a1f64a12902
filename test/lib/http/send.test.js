'use strict'

/** A request settles, whatever the other end does, and leaves nothing behind. */

const { once } = require('node:events')
const net = require('node:net')
const { agent: createAgent, send } = require('../../../lib/http')

const closings = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

/** A server of bytes. @param {(socket: net.Socket) => void} talk */
async function listen(talk) {
  const sockets = new Set()
  const server = net.createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    talk(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${server.address().port}`, server }
}

/** @param {string} url @param {object} [how] */
function ask(url, { proxy, ...how } = {}) {
  const agent = createAgent(url, { proxy: proxy && (() => proxy) })
  closings.push(() => agent.destroy())
  return send({ method: 'GET', url, headers: {} }, { agent, limitMs: 60_000, ...how })
}

test('an answer that changes the protocol is a connection that was cut', async () => {
  const { url } = await listen(socket =>
    socket.once('data', () => socket.write('HTTP/1.1 101 Other\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')),
  )
  await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('an answer without a length is read to its end', async () => {
  const { url } = await listen(socket => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it')))
  const response = await ask(url)
  // The connection is closed before anybody reads.
  await once(response.socket, 'close')
  const read = []
  for await (const chunk of response) read.push(chunk)
  expect(Buffer.concat(read).toString()).toBe('all of it')
})

describe('while a proxy says nothing', () => {
  test('the limit of a connection ends the request', async () => {
    const { url: proxy } = await listen(() => {})
    await expect(ask('https://store.invalid', { proxy, connectMs: 1 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  })

  test('an abort ends it at once', async () => {
    const { url: proxy, server } = await listen(() => {})
    const abort = new AbortController()
    const answer = ask('https://store.invalid', { proxy, signal: abort.signal })
    const ended = expect(answer).rejects.toMatchObject({ code: 'ABORT_ERR' })
    await once(server, 'connection')
    abort.abort()
    await ended
  }, 5_000)
})

test('an answer that came whole is read, although its connection was reset', async () => {
  let reset
  const { url } = await listen(socket => {
    reset = () => socket.resetAndDestroy()
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nall of it'))
  })
  const response = await ask(url)
  while (!response.complete) await new Promise(setImmediate)
  const closed = once(response.socket, 'close').catch(error => error)
  reset()
  await closed
  const read = []
  for await (const chunk of response) read.push(chunk)
  expect(Buffer.concat(read).toString()).toBe('all of it')
})

test('an abort ends an answer that has begun', async () => {
  const { url } = await listen(socket => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nhalf')))
  const abort = new AbortController()
  const response = await ask(url, { signal: abort.signal })
  const read = async () => {
    for await (const _ of response) abort.abort()
  }
  await expect(read()).rejects.toMatchObject({ code: 'ABORT_ERR' })
})

test('a request that was aborted before it began is not sent', async () => {
  const { url } = await listen(() => {})
  await expect(ask(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORT_ERR' })
})
