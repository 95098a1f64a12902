'use strict'

const { readFileSync } = require('node:fs')
const net = require('node:net')
const tls = require('node:tls')
const { closeConnections, main } = require('../../../actions/copy-range')
const { accessRules } = require('../../../actions/copy-range/access')
const { routeTo } = require('../../../actions/copy-range/net/routes')
const { begin } = require('../../../actions/copy-range/transport/socket')
const { createConnection } = require('../../../actions/copy-range/transport/wire/connection')
const { AUTHORITY, SERVER } = require('../../support/tls')
const stores = require('../stores')
const { S3, answering, closed, closeStores, listen, makeTask, partSink, rangeSource, rawStore, someBytes } = stores

afterEach(closeConnections)
afterEach(closeStores)

const ca = readFileSync(AUTHORITY, 'utf8')
const SMALL = 'HTTP/1.1 200 OK\r\nETag: "source-etag"\r\nContent-Length: 4\r\n\r\ndata'

/** A store over TLS: `handle(socket, raw)` is called with each connection, `raw` the one below TLS. */
async function tlsStore(handle) {
  const server = tls.createServer({ key: SERVER, cert: SERVER })
  const raws = []
  server.on('connection', raw => raws.push(raw))
  server.on('tlsClientError', () => {})
  server.on('secureConnection', socket => {
    const raw = raws.find(each => each.remotePort === socket.remotePort)
    socket.on('error', () => {})
    handle(socket, raw)
  })
  const store = await listen(server)
  return Object.assign(store, { url: store.url.replace('http:', 'https:') })
}

async function read(source, { bytes = 4 } = {}) {
  const { write, ...task } = makeTask(source, source, { bytes })
  const { outcomes } = await main({ ...S3, tasks: [task], stallMs: 5000 }, { ca })
  return outcomes[0]
}

describe('an answer', () => {
  test('that has come is an answer, whatever becomes of the connection before it was given on', async () => {
    const store = await rawStore(socket => {
      socket.bodyOnly = true
      socket.once('data', () => socket.write('data')).write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n')
    })
    let broken = false
    const breaking = ({ onread }) => {
      const callback = (length, buffer) => {
        const more = onread.callback(length, buffer)
        if (length === 4) process.nextTick(() => socket.destroy(new Error('reset')))
        broken = length === 4
        return more
      }
      const socket = net.connect({ host: '127.0.0.1', port: store.port, onread: { ...onread, callback } })
      return socket
    }
    const connection = createConnection(breaking, true)
    const pieces = []
    const outcome = new Promise(resolve => {
      const head = () => {
        connection.start()
        connection.write(Buffer.from('now'))
      }
      const data = piece => pieces.push(String(piece))
      connection.begin({ head, data, goOn() {}, drain() {}, end: () => resolve('end'), lost: resolve })
    })
    connection.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    expect(await outcome).toBe('end')
    expect([pieces, broken]).toEqual([['data'], true])
    expect(connection.usable()).toBe(false)
  })

  test('comes after some heads of a 1xx, but not after thousands', async () => {
    const interim = 'HTTP/1.1 103 \r\n\r\n'
    expect(await read(await answering(interim.repeat(99) + SMALL))).toMatchObject({ bytes: 4 })
    expect(await read(await answering(interim.repeat(40_000) + SMALL))).toMatchObject({
      error: { code: 'BAD_ANSWER', message: expect.stringContaining('INTERIM') },
    })
  })

  test('that comes before a request on a kept connection answers nothing', async () => {
    const store = await rawStore(socket => socket.write(SMALL))
    const request = { secure: false, host: '127.0.0.1', port: store.port, path: '/', method: 'GET', headers: {} }
    const route = routeTo(request, 'read', { access: accessRules(undefined) })
    const told = done => ({ open() {}, goOn() {}, drain() {}, lost: done, answer: done })

    const first = await new Promise(resolve => {
      const call = begin(
        request,
        { route, fresh: false },
        { ...told(resolve), open: () => setImmediate(() => call.end()) },
      )
    })
    await new Promise(resolve => first.body.start({ data() {}, end: resolve }))

    // The answer to nobody's request comes while the first byte of a write is waited for.
    const second = new Promise(resolve => {
      const call = begin(
        request,
        { route, fresh: false },
        told(found => resolve({ found, call })),
      )
    })
    const [socket] = store.sockets
    socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n')
    const { found, call } = await second
    expect(found?.status).toBeUndefined()
    expect(call.reused).toBe(true)
    await closed(socket)
  })
})

describe('a session of TLS', () => {
  test('that the server cannot bear is not tried again', async () => {
    let resumed = 0
    const source = await tlsStore((socket, raw) => {
      if (!socket.isSessionReused()) return socket.once('data', () => socket.end(SMALL))
      resumed++
      raw.resetAndDestroy()
    })
    expect(await read(source)).toMatchObject({ bytes: 4 })
    expect(await read(source)).toMatchObject({ error: { code: expect.stringMatching('CONNECTION_CUT|UNREACHABLE') } })
    expect(await read(source)).toMatchObject({ bytes: 4 })
    expect(resumed).toBe(1)
  })

  test('that never opens says why', async () => {
    const server = net.createServer(socket => socket.once('data', () => socket.end()))
    const source = await listen(server)
    source.url = source.url.replace('http:', 'https:')
    const { error } = await read(source)
    expect(error).toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining('ECONNRESET') })
  })
})

describe('a task', () => {
  test.each(['5', '10'])('that has two headers of one name is refused (%s)', async length => {
    const [source, sink] = [await rangeSource(someBytes(10)), await partSink()]
    const task = makeTask(source, sink, { bytes: 10, write: { 'Content-Length': length } })
    const { outcomes } = await main({ ...S3, tasks: [task] })
    const message = expect.stringContaining('a header of its write is there twice')
    expect(outcomes).toMatchObject([{ error: { code: 'BAD_TASK', message } }])
    expect(sink.writes).toEqual([])
  })
})

/** In milliseconds. */
function processorTime(work) {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

test.each([
  ['a value of blanks', `a:${' '.repeat(16_000)}\0`],
  ['options parted by blanks', `connection: a${' '.repeat(16_000)}b`],
])('a head with %s takes no longer than another', (_name, field) => {
  const { createHeadReader } = require('../../../actions/copy-range/transport/wire/head')
  const spent = processorTime(() => {
    for (let i = 0; i < 5; i++) {
      try {
        createHeadReader().feed(Buffer.from(`HTTP/1.1 200 OK\r\n${field}\r\n\r\n`, 'latin1'))
      } catch {}
    }
  })
  expect(spent).toBeLessThan(500)
})
