'use strict'

const { closeConnections, main } = require('../../actions/copy-range')
const { MAX_IDLE_MS } = require('../../actions/copy-range/net')
const stores = require('./stores')
const { crc32Of, S3, closeStores, makeTask, partSink, rangeSource, rawStore, someBytes, STORED } = stores

afterEach(closeConnections)
afterEach(closeStores)
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

describe('connections', () => {
  test('are used again, by the next task and by the next invocation', async () => {
    const [source, sink] = [await rangeSource(data), await partSink()]
    const tasks = [1, 2].map(partNumber => makeTask(source, sink, { bytes: 1000, partNumber }))
    await run(tasks)
    await run(tasks)
    // The second write may begin before the first is acknowledged.
    expect([source.connections, sink.connections <= 2]).toEqual([1, true])
  })

  test('are used again after a refusal whose body was read', async () => {
    const [source, sink] = [await rangeSource(data), await partSink({}, 503)]
    await runInTurn([1, 2].map(() => makeTask(source, sink, { bytes: 1000 })))
    expect([source.connections, sink.connections]).toEqual([1, 1])
  })

  test('that were idle for long by the wall clock are not trusted', async () => {
    const [source, sink] = [await rangeSource(data), await partSink()]
    await run([makeTask(source, sink, { bytes: 1000 })])
    const now = Date.now() + MAX_IDLE_MS + 1
    jest.spyOn(Date, 'now').mockImplementation(() => now)
    await run([makeTask(source, sink, { bytes: 1000 })])
    expect([source.connections, sink.connections]).toEqual([2, 2])
  })

  test('for reading that died while idle are replaced, unnoticed', async () => {
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

  test('for writing that died while idle are replaced, and the read is made again', async () => {
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

  test('that are new and die are not tried again', async () => {
    const [source, sink] = [await rawStore(socket => socket.destroy()), await partSink()]
    const { outcomes } = await run([makeTask(source, sink, { bytes: 4 })])
    expect(outcomes).toMatchObject([{ error: { code: 'CONNECTION_CUT', side: 'read' } }])
    expect(source.connections).toBe(1)
  })
})
