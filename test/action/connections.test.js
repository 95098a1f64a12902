'use strict'

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const net = require('node:net')
const tls = require('node:tls')
const { main } = require('../../actions/copy-range')
const { MAX_IDLE_MS } = require('../../actions/copy-range/net')
const { S3, STORED, closed, crc32Of, makeTask, someBytes } = require('./stores')
const { answering, httpStore, listen, partSink, rangeSource, rawStore } = require('./stores')
const { accessRules } = require('../../actions/copy-range/address-guard')
const { SocketCall, routeTo } = require('../../actions/copy-range/transport')
const { AUTHORITY, SERVER } = require('../support/tls')

afterEach(() => jest.restoreAllMocks())

const data = someBytes(1000)
const run = tasks => main({ ...S3, tasks })
/** One after the other: within an invocation the next begins while the one before is being acknowledged. */
async function runInTurn(tasks) {
  const results = []
  for (const task of tasks) results.push(await run([task]))
  return { outcomes: results.flatMap(({ outcomes }) => outcomes) }
}
const PART = 'HTTP/1.1 200 OK\r\nETag: "source-etag"\r\nContent-Length: 4\r\n\r\ndata'

test('connections are used again, by the next task and by the next invocation', async () => {
  const [source, sink] = [await rangeSource(data), await partSink()]
  const tasks = [1, 2].map(partNumber => makeTask(source, sink, { bytes: 1000, partNumber }))
  await run(tasks)
  await run(tasks)
  // The second write may begin before the first is acknowledged.
  expect([source.connections, sink.connections <= 2]).toEqual([1, true])
})

test('connections that were idle for long by the wall clock are not trusted', async () => {
  const [source, sink] = [await rangeSource(data), await partSink()]
  await run([makeTask(source, sink, { bytes: 1000 })])
  const now = Date.now() + MAX_IDLE_MS + 1
  jest.spyOn(Date, 'now').mockImplementation(() => now)
  await run([makeTask(source, sink, { bytes: 1000 })])
  expect([source.connections, sink.connections]).toEqual([2, 2])
})

test('connections for reading that died while idle are replaced, unnoticed', async () => {
  const source = await rawStore((socket, { connection }) => {
    if (connection === 1 && socket.used) socket.destroy()
    else socket.write(PART)
    socket.used = true
  })
  const sink = await partSink()
  const { outcomes } = await runInTurn([1, 2].map(() => makeTask(source, sink, { bytes: 4 })))
  expect(outcomes).toMatchObject([{ bytes: 4 }, { bytes: 4 }])
  expect([source.connections, sink.writes.length]).toEqual([2, 2])
})

test('connections for writing that died while idle are replaced, and the read is made again', async () => {
  const long = someBytes(32 * 2 ** 20)
  const source = await rangeSource(long)
  const sink = await rawStore((socket, { head, rest, connection }) => {
    if (connection === 1 && socket.used) return socket.resetAndDestroy()
    socket.used = true
    socket.bodyOnly = true
    let left = Number(/content-length: (\d+)/.exec(head)?.[1]) - rest.length
    const onBody = chunk => {
      left -= chunk.length
      if (left > 0) return
      socket.off('data', onBody)
      socket.bodyOnly = false
      socket.write(STORED)
    }
    socket.on('data', onBody)
  })
  const { outcomes } = await runInTurn([1, 2].map(() => makeTask(source, sink, { bytes: long.length })))
  expect(outcomes).toMatchObject([{ sums: { crc32: crc32Of(long) } }, { sums: { crc32: crc32Of(long) } }])
  expect([sink.connections, source.requests.length]).toEqual([2, 3])
})

test('connections for writing that die once all was sent are not replaced: the store may have it', async () => {
  const source = await rangeSource(Buffer.from('data'))
  let writes = 0
  const sink = await httpStore((request, response) => {
    const isSecond = ++writes === 2
    request.resume().on('end', () => {
      if (isSecond) request.socket.destroy()
      else response.writeHead(200, { etag: '"part-etag"' }).end()
    })
  })
  const { outcomes } = await runInTurn([1, 2].map(() => makeTask(source, sink, { bytes: 4 })))
  expect(outcomes).toMatchObject([{ bytes: 4 }, { error: { code: 'CONNECTION_CUT', side: 'write' } }])
  expect([writes, sink.connections]).toEqual([2, 1])
})

test('connections that are new and die are not tried again', async () => {
  const [source, sink] = [await rawStore(socket => socket.destroy()), await partSink()]
  const { outcomes } = await run([makeTask(source, sink, { bytes: 4 })])
  expect(outcomes).toMatchObject([{ error: { code: 'CONNECTION_CUT', side: 'read' } }])
  expect(source.connections).toBe(1)
})

/** A destination whose answers wait until they are let go. */
async function slowSink() {
  /** @type {Array<() => void>} */
  const answers = []
  const store = await httpStore((request, response) => {
    request.resume().on('end', () => {
      answers.push(() => response.writeHead(200, { etag: '"part-etag"' }).end())
      store.server.emit('whole')
    })
  })
  return Object.assign(store, { answers })
}

test('tasks of one invocation are read while the one before is being acknowledged, and no further ahead', async () => {
  const data = someBytes(1000)
  const [source, sink] = [await rangeSource(data), await slowSink()]
  const tasks = [1, 2, 3].map(partNumber => makeTask(source, sink, { bytes: 1000, partNumber }))
  const running = main({ ...S3, tasks })
  // Two are written and not acknowledged: the third is not even read.
  while (sink.answers.length < 2) await once(sink.server, 'whole')
  expect(source.requests).toHaveLength(2)
  sink.answers[0]()
  while (sink.answers.length < 3) await once(sink.server, 'whole')
  sink.answers[1]()
  sink.answers[2]()
  const { outcomes } = await running
  expect(outcomes).toMatchObject([{ partNumber: 1 }, { partNumber: 2 }, { partNumber: 3 }])
  expect(outcomes.every(outcome => outcome.etag === '"part-etag"')).toBe(true)
  expect(source.connections).toBe(1)
})

const ca = readFileSync(AUTHORITY, 'utf8')

async function read(source, { bytes = 4 } = {}) {
  const { write, ...task } = makeTask(source, source, { bytes })
  const { outcomes } = await main({ ...S3, tasks: [task], stallMs: 5000 }, { ca })
  return outcomes[0]
}

test('the connection below an answer comes after some heads of a 1xx, but not after thousands', async () => {
  const interim = 'HTTP/1.1 103 \r\n\r\n'
  expect(await read(await answering(interim.repeat(99) + PART))).toMatchObject({ bytes: 4 })
  expect(await read(await answering(interim.repeat(40_000) + PART))).toMatchObject({
    error: { code: 'BAD_ANSWER', message: expect.stringContaining('INTERIM') },
  })
})

test('the connection below an answer that comes before a request on a kept connection answers nothing', async () => {
  const store = await rawStore(socket => socket.write(PART))
  const request = { secure: false, host: '127.0.0.1', port: store.port, path: '/', method: 'GET', headers: {} }
  const how = { route: routeTo(request, 'read', { access: accessRules(undefined) }), fresh: false }
  const told = done => ({ open() {}, drain() {}, lost: done, answer: done })

  const first = await new Promise(resolve => {
    const listener = { ...told(resolve), open: () => setImmediate(() => call.end()) }
    const call = new SocketCall(request, how, listener)
  })
  await new Promise(resolve => first.body.start({ data() {}, end: resolve }))

  // The answer to nobody's request comes while the first byte of a write is waited for.
  const second = new Promise(resolve => {
    const listener = told(found => resolve({ found, call }))
    const call = new SocketCall(request, how, listener)
  })
  const [socket] = store.sockets
  socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n')
  const { found, call } = await second
  expect([found?.status, call.reused]).toEqual([undefined, true])
  await closed(socket)
})

test('the connection below a session of TLS that the server cannot bear is not tried again', async () => {
  let resumed = 0
  const raws = []
  const server = tls.createServer({ key: SERVER, cert: SERVER })
  server.on('connection', raw => raws.push(raw)).on('tlsClientError', () => {})
  server.on('secureConnection', socket => {
    socket.on('error', () => {})
    if (!socket.isSessionReused()) return socket.once('data', () => socket.end(PART))
    resumed++
    raws.find(each => each.remotePort === socket.remotePort).resetAndDestroy()
  })
  const { url } = await listen(server)
  const source = { url: url.replace('http:', 'https:') }
  expect(await read(source)).toMatchObject({ bytes: 4 })
  expect(await read(source)).toMatchObject({ error: { code: expect.stringMatching('CONNECTION_CUT|UNREACHABLE') } })
  expect(await read(source)).toMatchObject({ bytes: 4 })
  expect(resumed).toBe(1)
})

test.each(['http', 'https'])('(%s) what a kernel has not taken is known, also of a part of a write', async scheme => {
  const make = scheme === 'http' ? net.createServer : tls.createServer
  const server = make({ key: SERVER, cert: SERVER }, socket => socket.on('error', () => {}).pause())
  await listen(server)
  const { port } = server.address()
  const request = { secure: scheme === 'https', host: '127.0.0.1', port, path: '/', method: 'PUT', headers: {} }
  const route = routeTo(request, 'write', { access: accessRules({ hosts: ['*'] }), ca })
  const call = await new Promise(resolve => {
    const on = { open: () => setImmediate(() => resolve(made)), drain() {}, lost() {}, answer() {} }
    const made = new SocketCall(request, { route, fresh: true }, on)
  })
  const bytes = 64 * 2 ** 20
  call.write(Buffer.alloc(bytes))
  while (!(call.unsent() < bytes)) await new Promise(setImmediate)
  expect(call.unsent()).toBeGreaterThan(0)
  call.destroy()
  expect(call.unsent()).toBeFalsy()
})
