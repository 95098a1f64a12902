'use strict'

const net = require('node:net')
const { closeConnections, main } = require('../../actions/copy-range')
const stores = require('./stores')
const {
  S3,
  answering,
  closed,
  closeStores,
  httpStore,
  listen,
  makeTask,
  partSink,
  rangeSource,
  rawStore,
  someBytes,
  STORED,
} = stores

afterEach(closeConnections)
afterEach(closeStores)

const head = (status, ...headers) => `HTTP/1.1 ${status}\r\n${headers.map(each => `${each}\r\n`).join('')}\r\n`
const error = code => `<Error><Code>${code}</Code></Error>`
const LONG = 8 * 2 ** 20

async function write(sink, { bytes = 10, stallMs = 2000, ...more } = {}) {
  const source = await rangeSource(someBytes(bytes))
  const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes, ...more })], stallMs })
  return { outcome: outcomes[0], source }
}

describe('a write that was answered', () => {
  const refused = (status, body, ...more) => head(status, `Content-Length: ${body.length}`, ...more) + body

  test.each([
    ['403', refused(403, error('AccessDenied')), { code: 'HTTP_STATUS', status: 403, storeCode: 'AccessDenied' }],
    ['503', refused(503, error('SlowDown'), 'Retry-After: 2'), { storeCode: 'SlowDown', retryAfterMs: 2000 }],
    ['412', refused(412, ''), { code: 'HTTP_STATUS', status: 412 }],
    ['411 and HTML', refused(411, '<html>'), { code: 'HTTP_STATUS', status: 411 }],
    ['307', refused(307, error('TemporaryRedirect'), 'Location: /secret-query'), { code: 'REDIRECTED', status: 307 }],
    ['204', head(204, 'ETag: "x"'), { code: 'BAD_ANSWER', status: 204 }],
    ['200 without an ETag', head(200, 'Content-Length: 0'), { code: 'BAD_ANSWER' }],
    ['200 with an empty ETag', head(200, 'ETag: ""', 'Content-Length: 0'), { code: 'BAD_ANSWER' }],
    ['with what is no HTTP', 'nonsense\r\n\r\n', { code: 'BAD_ANSWER' }],
  ])('%s has failed', async (_name, answer, expected) => {
    const { outcome } = await write(await answering(answer))
    expect(outcome).toMatchObject({ error: { side: 'write', ...expected } })
    expect(JSON.stringify(outcome)).not.toContain('secret')
  })

  test.each([
    ['with a body', `${head(200, 'ETag: "part-etag"', 'Content-Length: 2')}ok`],
    ['with a body that is cut', `${head(200, 'ETag: "part-etag"', 'Content-Length: 20')}ok`],
    ['after a 102', head(102) + STORED],
    ['with a close', `${head(200, 'ETag: "part-etag"', 'Connection: close')}`],
  ])('200 %s is good', async (_name, answer) => {
    const { outcome } = await write(await answering(answer, { close: true }))
    expect(outcome).toMatchObject({ etag: '"part-etag"' })
  })

  test('not at all, but closed, was cut', async () => {
    const { outcome } = await write(await answering('', { close: true }))
    expect(outcome).toMatchObject({ error: { code: 'CONNECTION_CUT', side: 'write' } })
  })
})

describe('an answer that comes before all of the body was sent', () => {
  const refusal = `${head(403, 'Content-Length: 42')}${error('AccessDenied').padEnd(42)}`

  test.each([
    ['and the connection stays open', socket => socket.write(refusal)],
    ['and the connection is closed', socket => socket.end(refusal)],
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

describe('a write that expects a 100', () => {
  const expecting = { write: { expect: '100-continue' } }

  test('sends the body after it', async () => {
    const sink = await rawStore((socket, { rest }) => {
      socket.bodyOnly = true
      expect(rest).toBe('')
      socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      socket.once('data', () => socket.write(STORED))
    })
    const { outcome } = await write(sink, expecting)
    expect(outcome).toMatchObject({ etag: '"part-etag"' })
  })

  test('sends the body in the end where none comes', async () => {
    const sink = await rawStore(socket => {
      socket.bodyOnly = true
      socket.once('data', () => socket.write(STORED))
    })
    const { outcome } = await write(sink, expecting)
    expect(outcome).toMatchObject({ etag: '"part-etag"' })
  })

  test('and has no body waits for none: the answer may come with it', async () => {
    const sink = await answering(`HTTP/1.1 100 Continue\r\n\r\n${STORED}`)
    const { outcome } = await write(sink, { bytes: 0, ...expecting })
    expect(outcome).toMatchObject({ etag: '"part-etag"' })
  })

  test('sends no body where a refusal comes instead', async () => {
    let bodyBytes = 0
    const sink = await rawStore((socket, { rest }) => {
      socket.bodyOnly = true
      bodyBytes += rest.length
      socket.on('data', chunk => {
        bodyBytes += chunk.length
      })
      socket.write(head(417, 'Content-Length: 0'))
    })
    const { outcome } = await write(sink, expecting)
    expect(outcome).toMatchObject({ error: { status: 417 } })
    await Promise.all([...sink.sockets].map(closed))
    expect(bodyBytes).toBe(0)
  })
})

describe('a failure of one side', () => {
  test('of the read, destroys the write', async () => {
    let cut
    const source = await rawStore(socket => {
      socket.write(`${head(206, 'ETag: "source-etag"', `Content-Range: bytes 0-${LONG - 1}/${LONG}`)}`)
      socket.write(someBytes(65_536))
      cut = () => socket.resetAndDestroy()
    })
    const sink = await rawStore(() => cut())
    const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes: LONG })] })
    expect(outcomes[0]).toMatchObject({ error: { code: 'CONNECTION_CUT', side: 'read' } })
    await Promise.all([...sink.sockets].map(closed))
  })

  test('of the write, destroys the read', async () => {
    const sink = await rawStore(socket => socket.resetAndDestroy())
    const { outcome, source } = await write(sink, { bytes: LONG })
    expect(outcome).toMatchObject({ error: { code: 'CONNECTION_CUT', side: 'write' } })
    await Promise.all([...source.sockets].map(closed))
  })

  test.each([['read'], ['write']])('that cannot be reached (%s) says so', async side => {
    const [source, sink, gone] = [await rangeSource(someBytes(10)), await partSink(), await httpStore(() => {})]
    await new Promise(resolve => gone.server.close(resolve))
    const task = makeTask(side === 'read' ? gone : source, side === 'write' ? gone : sink, { bytes: 10 })
    const { outcomes } = await main({ ...S3, tasks: [task] })
    expect(outcomes[0]).toMatchObject({ error: { code: 'UNREACHABLE', side } })
    expect(outcomes[0].error.message).toContain('ECONNREFUSED')
  })

  test('that speaks no TLS says that it cannot be reached', async () => {
    const source = await listen(net.createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    const sink = await partSink()
    const task = makeTask(source, sink, { bytes: 10 })
    task.read.url = task.read.url.replace('http:', 'https:')
    const { outcomes } = await main({ ...S3, tasks: [task], stallMs: 1000 })
    expect(outcomes[0]).toMatchObject({ error: { code: 'UNREACHABLE', side: 'read' } })
  })
})
