'use strict'

const { closeConnections, main } = require('../../actions/copy-range')
const { createPace } = require('../../actions/copy-range/limits/pace')
const { S3, closed, closeStores, makeTask, partSink, rangeSource, rawStore, someBytes } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)

const RATE = 500_000
const BYTES = 300_000
/** What may be ahead of the rate: a piece as large as a socket gives, or a tenth of a second. */
const AHEAD = 65_536

/** @param {() => Promise<any>} work */
async function timed(work) {
  const startedMs = performance.now()
  const result = await work()
  return { result, elapsedMs: performance.now() - startedMs }
}

const leastMs = bytes => (1000 * (bytes - AHEAD)) / RATE - 2

describe('a rate', () => {
  test('holds for all tasks of an invocation together', async () => {
    const [source, sink] = [await rangeSource(someBytes(BYTES)), await partSink()]
    const tasks = [1, 2].map(partNumber => makeTask(source, sink, { bytes: BYTES, partNumber }))
    const { result, elapsedMs } = await timed(() =>
      main({ ...S3, tasks, parallel: 2, bytesPerSecond: RATE / 4, stallMs: 250 }),
    )
    // A connection waits half a second between two pieces then, and does not count as stalled.
    expect(result.outcomes).toMatchObject([{ bytes: BYTES }, { bytes: BYTES }])
    expect(elapsedMs).toBeGreaterThan(4 * leastMs(2 * BYTES))
  })

  test('holds for invocations that share it', async () => {
    const [source, sink] = [await rangeSource(someBytes(BYTES)), await partSink()]
    const pace = createPace({ bytesPerSecond: RATE, nowNs: process.hrtime.bigint })
    const run = () => main({ ...S3, tasks: [makeTask(source, sink, { bytes: BYTES })] }, { pace })
    const { result, elapsedMs } = await timed(() => Promise.all([run(), run()]))
    for (const { outcomes } of result) expect(outcomes).toMatchObject([{ bytes: BYTES }])
    expect(elapsedMs).toBeGreaterThan(leastMs(2 * BYTES))
  })

  test('holds for what is read and goes nowhere, and for parts of one piece', async () => {
    const source = await rangeSource(someBytes(10_000))
    const { write, ...reading } = makeTask(source, source, { bytes: 10_000 })
    const tasks = Array.from({ length: 40 }, () => reading)
    const { result, elapsedMs } = await timed(() => main({ ...S3, tasks, bytesPerSecond: RATE }))
    expect(result.outcomes.filter(({ bytes }) => bytes === 10_000)).toHaveLength(40)
    expect(elapsedMs).toBeGreaterThan(leastMs(400_000))
  })

  test('is no reason to be patient with who is silent himself', async () => {
    const LONG = 64 * 2 ** 20
    const head = `HTTP/1.1 206 Partial Content\r\nETag: "source-etag"\r\nContent-Range: bytes 0-${LONG - 1}/${LONG}\r\n\r\n`
    const source = await rawStore(socket => socket.write(head + 'x'.repeat(100_000)))
    const sink = await partSink()
    const tasks = [makeTask(source, sink, { bytes: LONG })]
    const { outcomes } = await main({ ...S3, tasks, bytesPerSecond: RATE, stallMs: 100 })
    expect(outcomes).toMatchObject([{ error: { code: 'STALLED', side: 'read' } }])
  })

  test('keeps nobody who is called off', async () => {
    const [source, sink] = [await rangeSource(someBytes(BYTES)), await partSink()]
    const controller = new AbortController()
    const onBytes = () => controller.abort()
    const params = { ...S3, tasks: [makeTask(source, sink, { bytes: BYTES })], bytesPerSecond: 1 }
    const { outcomes } = await main(params, { signal: controller.signal, onBytes })
    expect(outcomes).toMatchObject([{ error: { code: 'CANCELLED' } }])
    await Promise.all([...source.sockets].map(closed))
  })
})
