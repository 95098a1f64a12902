'use strict'

const { readFileSync } = require('node:fs')
const net = require('node:net')
const { crc32 } = require('node:zlib')

/** The proxy for both sides of each task: the environment's is never for this machine. */
let proxyUrl

const { main } = require('../../../actions/copy-range')
const { closing } = require('../../support/listen')
const { AUTHORITY, startTlsRelay } = require('../../support/tls')
const { S3, httpStore, makeTask, partSink, rangeSource, someBytes } = require('../stores')

const ca = readFileSync(AUTHORITY, 'utf8')
/** @param {any[]} tasks */
const copy = tasks => main({ ...S3, tasks }, { ca, proxies: tasks.map(() => ({ read: proxyUrl, write: proxyUrl })) })

/** The same store over TLS. */
async function secured(store) {
  const { port, close } = await startTlsRelay(store.port)
  closing(close)
  return { port, url: `https://127.0.0.1:${port}` }
}

/** A proxy that takes every name for this machine; `spoil` may do something else with a tunnel. */
async function startProxy({ secure = false, spoil } = {}) {
  const asked = []
  const onConnect = (request, socket) => {
    asked.push([request.url, request.headers['proxy-authorization']])
    if (spoil) return spoil(socket)
    const onward = net.connect(Number(request.url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy())
  }
  const inside = await httpStore(() => {})
  inside.server.on('connect', onConnect)
  const proxy = secure ? await secured(inside) : inside
  proxyUrl = `${secure ? 'https' : 'http'}://user:pass@127.0.0.1:${proxy.port}`
  return Object.assign(inside, { asked })
}

describe.each(['HTTP', 'HTTPS'])('through a tunnel of a proxy of %s', protocol => {
  const secure = protocol === 'HTTPS'
  test('the tasks of an invocation share few connections, and none takes one away from another', async () => {
    const data = someBytes(3_000_000)
    const proxy = await startProxy({ secure })
    const [plain, sink] = [await rangeSource(data), await partSink()]
    const [source, to] = [await secured(plain), await secured(sink)]
    const bytes = data.length / 6
    const tasks = Array.from({ length: 6 }, (_, i) =>
      makeTask(source, to, { bytes, start: i * bytes, total: data.length, partNumber: i + 1 }),
    )
    const { outcomes } = await copy(tasks)
    expect(outcomes.map(({ error, etag }) => error ?? etag)).toEqual(new Array(6).fill('"part-etag"'))
    // In whatever order they came to their ends.
    const parts = tasks.map((_, i) => data.subarray(i * bytes, (i + 1) * bytes))
    expect(sink.writes.map(({ body }) => crc32(body)).sort()).toEqual(parts.map(part => crc32(part)).sort())
    // One for reading, and the next write may begin before the one before is acknowledged.
    expect(proxy.connections).toBeLessThanOrEqual(3)
    expect(plain.requests).toHaveLength(6)
    const authorization = `Basic ${Buffer.from('user:pass').toString('base64')}`
    expect(proxy.asked).toContainEqual([`127.0.0.1:${source.port}`, authorization])
  })

  test('a certificate must be of the address that was asked for, not of the proxy', async () => {
    await startProxy({ secure })
    const source = await secured(await rangeSource(someBytes(10)))
    const task = makeTask(source, source, { bytes: 10 })
    task.read.url = task.read.url.replace('127.0.0.1', '192.0.2.1')
    const { outcomes } = await copy([task])
    expect(outcomes).toMatchObject([{ error: { code: 'CERTIFICATE_REFUSED', side: 'read' } }])
  })

  test.each([
    ['cut before the answer', socket => socket.destroy()],
    ['cut after the answer', socket => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('that is %s nothing is reached', async (_how, spoil) => {
    await startProxy({ secure, spoil })
    const source = await secured(await rangeSource(someBytes(10)))
    const { outcomes } = await copy([makeTask(source, source, { bytes: 10 })])
    expect(outcomes).toMatchObject([{ error: { code: 'UNREACHABLE', side: 'read' } }])
    expect(outcomes[0].error.message).toMatch(/ECONNRESET|EPIPE/)
  })
})
