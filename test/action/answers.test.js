'use strict'

const net = require('node:net')
const { main } = require('../../actions/copy-range')
const { S3, STORED, closed, makeTask, outcomeOf, someBytes } = require('./stores')
const { answering, httpStore, listen, partSink, rangeSource, rawStore } = require('./stores')

const head = (status, ...headers) => `HTTP/1.1 ${status}\r\n${headers.map(each => `${each}\r\n`).join('')}\r\n`
const refused = (status, body, ...more) => head(status, `Content-Length: ${body.length}`, ...more) + body

const PART = ['ETag: "source-etag"', 'Content-Range: bytes 10-19/100']

describe('of a read a read is refused, and nothing is written,', () => {
  const error = code => `<?xml version="1.0"?>\n<Error>\n <Code>${code}</Code><Message>secret-query</Message></Error>`
  test.each([
    ['with 412', refused(412, error('PreconditionFailed')), { code: 'SOURCE_CHANGED', status: 412 }],
    ['with 503', refused(503, error('SlowDown'), 'Retry-After: 7'), { storeCode: 'SlowDown', retryAfterMs: 7000 }],
    ['with 307', head(307, 'Location: /secret-query', 'Content-Length: 0'), { code: 'REDIRECTED', status: 307 }],
  ])('%s', async (name, answer, expected) => {
    const [source, sink] = [await answering(answer), await partSink()]
    const outcome = await outcomeOf(makeTask(source, sink, { bytes: 10, start: 10, total: 100 }))
    expect(outcome).toMatchObject({ partNumber: 1, error: { side: 'read', ...expected } })
    expect(sink.connections).toBe(0)
    expect(JSON.stringify(outcome)).not.toMatch(/secret/)
  })

  test('with an endless error body, of which no more than 64 KiB is read', async () => {
    const source = await httpStore((_request, response) => {
      response.writeHead(500)
      const more = () => !response.destroyed && response.write(Buffer.alloc(65_536, '<'), () => setImmediate(more))
      more()
    })
    const task = makeTask(source, await partSink(), { bytes: 10 })
    expect(await outcomeOf(task)).toMatchObject({ error: { code: 'HTTP_STATUS', status: 500 } })
  })
})

test.each([
  ['cut', `${head(206, ...PART, 'Content-Length: 10')}0123`, { code: 'CONNECTION_CUT' }],
  ['longer than it says', `${head(206, ...PART, 'Content-Length: 10')}0123456789surplus`, {}],
])('of a read a body of the wrong length (%s) never leaves a complete part', async (_name, answer, expected) => {
  const source = await answering(answer, { close: true })
  const received = []
  const sink = await listen(net.createServer(socket => socket.on('data', chunk => received.push(chunk))))
  const task = makeTask(source, sink, { bytes: 10, start: 10, total: 100 })
  expect(await outcomeOf(task)).toMatchObject({ error: { side: 'read', ...expected } })
  await Promise.all([...sink.sockets].map(closed))
  expect(Buffer.concat(received).toString()).not.toContain('0123456789')
})

const error = code => `<Error><Code>${code}</Code></Error>`
const LONG = 8 * 2 ** 20

async function write(sink, { bytes = 10, stallMs = 2000, ...more } = {}) {
  const source = await rangeSource(someBytes(bytes))
  const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes, ...more })], stallMs })
  return { outcome: outcomes[0], source }
}

test.each([
  ['503', refused(503, error('SlowDown'), 'Retry-After: 2'), { storeCode: 'SlowDown', retryAfterMs: 2000 }],
  ['307', refused(307, error('TemporaryRedirect'), 'Location: /secret-query'), { code: 'REDIRECTED', status: 307 }],
  ['204', head(204, 'ETag: "x"'), { code: 'BAD_ANSWER', status: 204 }],
  ['200 without an ETag', head(200, 'Content-Length: 0'), { code: 'BAD_ANSWER' }],
])('a write that was answered %s has failed', async (_name, answer, expected) => {
  const { outcome } = await write(await answering(answer))
  expect(outcome).toMatchObject({ error: { side: 'write', ...expected } })
  expect(JSON.stringify(outcome)).not.toContain('secret')
})

test.each([
  ['with a body that is cut', `${head(200, 'ETag: "part-etag"', 'Content-Length: 20')}ok`],
  ['after a 102', head(102) + STORED],
])('a write that was answered 200 %s is good', async (_name, answer) => {
  const { outcome } = await write(await answering(answer, { close: true }))
  expect(outcome).toMatchObject({ etag: '"part-etag"' })
})

describe('of a write an answer that comes before all of the body was sent', () => {
  const refusal = `${head(403, 'Content-Length: 42')}${error('AccessDenied').padEnd(42)}`

  test.each([
    ['and the connection stays open', socket => socket.write(refusal)],
    ['and the connection is reset', socket => socket.write(refusal, () => socket.resetAndDestroy())],
  ])('is the outcome, the read is stopped, %s', async (_name, answer) => {
    const sink = await rawStore(socket => {
      socket.pause()
      answer(socket)
    })
    const { outcome, source } = await write(sink, { bytes: LONG })
    expect(outcome).toMatchObject({ error: { status: 403, side: 'write', storeCode: 'AccessDenied' } })
    await Promise.all([...source.sockets].map(closed))
  })

  test('with a success makes no part', async () => {
    const sink = await rawStore(socket => socket.pause().write(STORED))
    const { outcome } = await write(sink, { bytes: LONG })
    expect(outcome).toMatchObject({ error: { code: 'BAD_ANSWER', side: 'write', status: 200 } })
  })
})

test.each([['read'], ['write']])('a side that cannot be reached (%s) says so', async side => {
  const [source, sink, gone] = [await rangeSource(someBytes(10)), await partSink(), await httpStore(() => {})]
  await new Promise(resolve => gone.server.close(resolve))
  const task = makeTask(side === 'read' ? gone : source, side === 'write' ? gone : sink, { bytes: 10 })
  const message = expect.stringContaining('ECONNREFUSED')
  expect(await outcomeOf(task)).toMatchObject({ error: { code: 'UNREACHABLE', side, message } })
})
