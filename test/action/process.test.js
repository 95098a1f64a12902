'use strict'

const { fork } = require('node:child_process')
const { once } = require('node:events')
const { Readable } = require('node:stream')
const { S3, TRAILER, crc32Of, makeTask, someBytes } = require('./stores')
const { answering, closed, httpStore, partSink, rangeSource } = require('./stores')

const data = someBytes(1000)
/** @type {import('node:child_process').ChildProcess} */
let child
afterEach(() => child.kill('SIGKILL'))

const startCopier = env => {
  child = fork(require.resolve('./fixtures/copier.js'), { env: { ...process.env, ...env } })
}
const invoke = async tasks => {
  child.send({ params: { ...S3, tasks } })
  return (await once(child, 'message'))[0]
}

test('gets over a freeze in which the stores closed its connections', async () => {
  const [source, sink] = [await rangeSource(data), await partSink()]
  const task = makeTask(source, sink, { bytes: 1000 })
  startCopier()
  await invoke([task])
  child.kill('SIGSTOP')
  const old = [...source.sockets, ...sink.sockets]
  for (const socket of old) socket.destroy()
  await Promise.all(old.map(closed))
  const answer = invoke([task])
  child.kill('SIGCONT')
  expect((await answer).result.outcomes).toMatchObject([{ bytes: 1000, etag: '"part-etag"' }])
})

test('can end by itself after a stall', async () => {
  const [source, sink] = [await answering('HTTP/1.1 20'), await partSink()]
  startCopier()
  child.send({ params: { ...S3, tasks: [makeTask(source, sink, { bytes: 4 })], stallMs: 100 } })
  const [{ result }] = await once(child, 'message')
  expect(result.outcomes).toMatchObject([{ error: { code: 'STALLED' } }])
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
}, 20_000)

test('that has no zlib.crc32 computes the same', async () => {
  const [source, sink] = [await rangeSource(data), await partSink()]
  startCopier({ HIDE_ZLIB_CRC32: '1' })
  const { result, native } = await invoke([makeTask(source, sink, { bytes: 1000, trailer: TRAILER })])
  expect([native, result.outcomes[0].sums]).toEqual([false, { crc32: crc32Of(data) }])
})

// The platforms' runtime is Node.js 20; later ones start larger, and let more garbage lie before they collect it.
const mostMB = Number(process.versions.node.split('.')[0]) <= 20 ? 120 : 220

test(`needs less than ${mostMB} MB for a part of 1 GiB`, async () => {
  const bytes = 2 ** 30
  const source = await httpStore((_, response) => {
    const range = `bytes 0-${bytes - 1}/${bytes}`
    response.writeHead(206, { etag: '"e"', 'content-length': bytes, 'content-range': range })
    Readable.from(Array(4096).fill(Buffer.alloc(bytes / 4096, 'synthetic '))).pipe(response)
  })
  const sink = await httpStore((request, response) =>
    request.resume().on('end', () => response.writeHead(200, { etag: '"part"' }).end()),
  )
  startCopier()
  const { result, peakBytes } = await invoke([makeTask(source, sink, { bytes, etag: '"e"', trailer: TRAILER })])
  expect(result.outcomes).toMatchObject([{ bytes: 2 ** 30, etag: '"part"' }])
  expect(peakBytes).toBeLessThan(mostMB * 1e6)
})
