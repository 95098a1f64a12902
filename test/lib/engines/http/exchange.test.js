'use strict'

/** One request and its answer, on real sockets. The clock of the deadlines is the test's. */

const { once } = require('node:events')
const http = require('node:http')
const { exchange } = require('../../../../lib/engines/http/exchange')

const MiB = 1024 ** 2
const BODY = Buffer.alloc(64 * MiB)
const LIMITS = { connectMs: 10_000, headMs: 25_000, silenceMs: 25_000 }

const agent = new http.Agent()
const open = []
afterEach(async () => {
  jest.useRealTimers()
  agent.destroy()
  for (const close of open.splice(0)) await close()
})

/** @param {http.RequestListener} [onRequest] */
async function startServer(onRequest = () => {}) {
  const server = http.createServer({ requestTimeout: 0 }, onRequest)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return { server, url: `http://127.0.0.1:${server.address().port}/v1/run` }
}

/** @param {string} url @param {object} [how] */
function post(url, how) {
  const headers = { 'content-length': String(BODY.length) }
  return exchange({ method: 'POST', url, headers, body: BODY }, { agent, limits: LIMITS, ...how })
}

/** Resolves when the server has read so many bytes, and reads no more. @param {http.IncomingMessage} request @param {number} most */
function readSome(request, most) {
  return new Promise(resolve => {
    let bytes = 0
    const onData = piece => {
      bytes += piece.length
      if (bytes < most) return
      request.off('data', onData).pause()
      resolve()
    }
    request.on('data', onData).resume()
  })
}

test('a signal that is aborted already sends nothing', async () => {
  const { server, url } = await startServer((_, response) => response.end())
  const connected = jest.fn()
  server.on('connection', connected)
  await expect(post(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  // Of the two only this one comes to the server.
  await fetch(url)
  expect(connected).toHaveBeenCalledTimes(1)
})

test('a body may take longer than the answer to it, as long as it moves', async () => {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date', 'setInterval'],
  })
  const { server, url } = await startServer()
  const answered = post(url)
  const [request, response] = await once(server, 'request')
  for (let i = 0; i < 3; i++) {
    jest.advanceTimersByTime(LIMITS.headMs - 1)
    // More than the buffers of both sides hold.
    await readSome(request, 16 * MiB)
  }
  request.resume()
  await once(request, 'end')
  response.end('{}')
  expect(await answered).toMatchObject({ status: 200, text: '{}' })
})

test('a body that does not move ends', async () => {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date', 'setInterval'],
  })
  const { server, url } = await startServer()
  const answered = expect(post(url)).rejects.toMatchObject({ code: 'ETIMEDOUT', sent: true })
  await once(server, 'request')
  jest.advanceTimersByTime(LIMITS.headMs)
  await answered
})
