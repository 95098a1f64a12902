'use strict'

const { closeConnections, main } = require('../../actions/copy-range')
const { S3, closed, closeStores, httpStore, makeTask, partSink, rangeSource, rawStore, someBytes } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)
afterEach(() => {
  delete process.env.__OW_DEADLINE
})

const LONG = 64 * 2 ** 20
const HEAD = `HTTP/1.1 206 Partial Content\r\nETag: "source-etag"\r\nContent-Range: bytes 0-${LONG - 1}/${LONG}\r\n\r\n`

const silent = () => rawStore(() => {})
const allClosed = ({ sockets }) => Promise.all([...sockets].map(closed))

describe('a connection that is silent for too long', () => {
  test.each([
    ['before the head of the read', 'read', silent, partSink],
    ['in the middle of the read', 'read', () => rawStore(socket => socket.write(`${HEAD}some`)), partSink],
    ['in the middle of the write', 'write', () => rangeSource(someBytes(LONG)), () => rawStore(s => s.pause())],
    ['after the write', 'write', () => rangeSource(someBytes(10)), silent],
  ])('%s: has stalled, and is closed', async (name, side, makeSource, makeSink) => {
    const [source, sink] = [await makeSource(), await makeSink()]
    const bytes = name.startsWith('after') ? 10 : LONG
    const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes })], stallMs: 100 })
    expect(outcomes).toMatchObject([{ error: { code: 'STALLED', side } }])
    // Of a read that has ended the connection is kept.
    await allClosed(name.startsWith('after') ? sink : source)
  })

  test('has not stalled while the store assembles the part for a while', async () => {
    const source = await rangeSource(someBytes(10))
    const sink = await httpStore((request, response) => {
      request.resume().on('end', () => setTimeout(() => response.writeHead(200, { etag: '"slow"' }).end(), 300))
    })
    const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes: 10 })], stallMs: 150 })
    expect(outcomes).toMatchObject([{ etag: '"slow"' }])
  })
})

describe('the deadline of the invocation', () => {
  test('that is near lets no task start', async () => {
    process.env.__OW_DEADLINE = String(Date.now() + 1_500)
    const [source, sink] = [await rangeSource(someBytes(10)), await partSink()]
    const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes: 10, partNumber: 4 })] })
    expect(outcomes).toMatchObject([{ partNumber: 4, error: { code: 'NOT_STARTED' } }])
    expect(source.connections).toBe(0)
  })

  test('cuts a task off in time to tell of the others', async () => {
    const deadline = Date.now() + 2_300
    process.env.__OW_DEADLINE = String(deadline)
    const [source, stuck, sink] = [await rangeSource(someBytes(10)), await silent(), await partSink()]
    const tasks = [source, stuck, source].map((from, i) => makeTask(from, sink, { bytes: 10, partNumber: i + 1 }))
    const { outcomes } = await main({ ...S3, tasks })
    expect(Date.now()).toBeLessThan(deadline)
    expect(outcomes).toMatchObject([{ bytes: 10 }, { error: { code: 'STALLED' } }, { error: { code: 'NOT_STARTED' } }])
    await allClosed(stuck)
  })

  test('that is far away changes nothing', async () => {
    process.env.__OW_DEADLINE = String(Date.now() + 300_000)
    const [source, sink] = [await rangeSource(someBytes(10)), await partSink()]
    const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes: 10 })] })
    expect(outcomes).toMatchObject([{ bytes: 10 }])
  })
})

describe('a signal', () => {
  test('that is aborted already lets no task start', async () => {
    const [source, sink] = [await rangeSource(someBytes(10)), await partSink()]
    const params = { ...S3, tasks: [makeTask(source, sink, { bytes: 10 })] }
    const { outcomes } = await main(params, { signal: AbortSignal.abort() })
    expect(outcomes).toMatchObject([{ error: { code: 'CANCELLED' } }])
    expect(source.connections).toBe(0)
  })

  test('ends the running tasks and their connections, and starts no other', async () => {
    const controller = new AbortController()
    const source = await rawStore(socket => socket.write(`${HEAD}${'some'.repeat(100)}`))
    const sink = await rawStore(() => controller.abort())
    const tasks = [1, 2].map(partNumber => makeTask(source, sink, { bytes: LONG, partNumber }))
    const { outcomes } = await main({ ...S3, tasks }, { signal: controller.signal })
    expect(outcomes).toMatchObject([{ error: { code: 'CANCELLED' } }, { error: { code: 'CANCELLED' } }])
    expect(source.connections).toBe(1)
    await Promise.all([allClosed(source), allClosed(sink)])
  })
})
