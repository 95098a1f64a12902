'use strict'

const { VERSION, closeConnections, main, handler } = require('../../actions/copy-range')
const { S3, closeStores, makeTask, partSink, rangeSource, someBytes, rawStore } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)

describe('parameters that cannot be understood', () => {
  test.each([
    ['null', null, 'object'],
    ['a list', [], 'object'],
    ['no version', { tasks: [] }, 'version 2'],
    ['another version', { version: 1, tasks: [] }, 'version 2, and was asked for version 1'],
    ['no tasks', { version: VERSION }, 'tasks'],
    ['tasks that are no list', { ...S3, tasks: {} }, 'tasks'],
    ['no room for tasks', { ...S3, tasks: [], parallel: 0 }, 'parallel'],
    ['no patience', { ...S3, tasks: [], stallMs: -1 }, 'stallMs'],
    ['no rate', { ...S3, tasks: [], bytesPerSecond: 0 }, 'bytesPerSecond'],
  ])('%s: are answered with one sentence and nothing else', async (_name, params, words) => {
    const result = await main(params)
    expect(Object.keys(result)).toEqual(['error'])
    expect(result.error).toContain(words)
  })
})

describe('a result', () => {
  test('of no tasks tells the container, and counts its invocations', async () => {
    const first = await main({ ...S3, tasks: [] })
    const second = await main({ ...S3, tasks: [] })
    expect(first).toMatchObject({ version: VERSION, outcomes: [] })
    expect(second.container).toEqual({ ...first.container, invocation: first.container.invocation + 1 })
  })
})

describe('a task that makes no sense', () => {
  const good = () => makeTask({ url: 'http://127.0.0.1:9' }, { url: 'http://127.0.0.1:9' }, { bytes: 10, total: 100 })

  /** A task with the field at `path` another one, or gone. */
  const spoiled = ([first, ...deeper], value, task = good()) => {
    const { [first]: old, ...rest } = task
    if (deeper.length) return { ...rest, [first]: spoiled(deeper, value, old) }
    return value === undefined ? rest : { ...rest, [first]: value }
  }

  test.each([
    ['is no object', '', 'task'],
    ['has no part number', 'partNumber', '1'],
    ['has no expectation', 'expect', undefined],
    ['expects no total', 'expect', { etag: '"e"' }],
    ['has no read', 'read', null],
    ['reads with PUT', 'read.method', 'PUT'],
    ['writes with GET', 'write.method', 'GET'],
    ['has null as its write', 'write', null],
    ['has a URL of another scheme', 'read.url', 'file:///etc/passwd'],
    ['writes to a URL of a file', 'write.url', 'file:///tmp/file'],
    ['reads from memory, which nobody gave', 'read.url', 'memory:1'],
    ['has a URL with credentials', 'read.url', 'http://user:pass@127.0.0.1/'],
    ['has a URL with a bad port', 'read.url', 'http://127.0.0.1:99999/'],
    ['has a path with a blank', 'read.url', 'http://127.0.0.1/a key'],
    ['has a header with a line break', 'read.headers.host', 'a\r\nb: c'],
    ['has another range than its size', 'read.headers.range', 'bytes=0-10'],
    ['reads beyond the object', 'expect.totalBytes', 9],
    ['expects a CRC-32 that is none', 'expect.sums', { crc32: 'AAAAAA==' }],
    ['expects a checksum of another name', 'expect.sums', { sha256: '0'.repeat(64) }],
    ['does not say what to compute', 'sums', undefined],
    ['names no rule', 'read.accepts', undefined],
    ['expects a header that is no text', 'expect.headers', { 'content-type': 1 }],
    ['reads a part without a range', 'read.headers.range', undefined],
    ['has a content-length of another body', 'write.headers.content-length', '11'],
    ['has no content-length', 'write.headers.content-length', undefined],
    ['has a second content-length', 'write.headers.Content-Length', '10'],
    ['writes with a transfer-encoding', 'write.headers.Transfer-Encoding', 'chunked'],
    ['reads with a transfer-encoding', 'read.headers.transfer-encoding', 'chunked'],
    ['reads with a body', 'read.headers.Content-Length', '10'],
    ['has an unknown framing', 'write.framing', { type: 'other', trailer: 'a', sum: 'crc32' }],
  ])('because it %s: is a BAD_TASK, and the others are done', async (_name, path, value) => {
    const source = await rangeSource(someBytes(10))
    const sink = await partSink()
    const tasks = [path ? spoiled(path.split('.'), value) : value, makeTask(source, sink, { bytes: 10, partNumber: 2 })]
    const { outcomes } = await main({ ...S3, tasks })
    expect(outcomes).toMatchObject([{ error: { code: 'BAD_TASK' } }, { partNumber: 2, etag: '"part-etag"' }])
    expect(JSON.stringify(outcomes)).not.toContain('secret')
  })
})

/** The action as a function of AWS Lambda: its deadline, and access rules that callers cannot change. */
describe('as a function of AWS Lambda', () => {
  afterEach(() => {
    delete process.env.XFER_ACCESS
  })

  const minute = { getRemainingTimeInMillis: () => 60_000 }

  /** An event that copies ten bytes, and what it reads from. */
  async function someEvent(more = {}) {
    const [source, sink] = [await rangeSource(someBytes(10)), await partSink()]
    return { source, event: { ...S3, tasks: [makeTask(source, sink, { bytes: 10 })], ...more } }
  }

  describe('the handler', () => {
    test('carries out tasks as main does', async () => {
      const { event } = await someEvent()
      expect(await handler(event, minute)).toMatchObject({ version: S3.version, outcomes: [{ bytes: 10 }] })
    })

    test('starts no task close to the end that the context tells', async () => {
      const { event, source } = await someEvent()
      const { outcomes } = await handler(event, { getRemainingTimeInMillis: () => 1_500 })
      expect(outcomes).toMatchObject([{ error: { code: 'NOT_STARTED' } }])
      expect(source.connections).toBe(0)
    })

    test('cuts a task off before the end', async () => {
      const [silent, sink] = [await rawStore(() => {}), await partSink()]
      const event = { ...S3, tasks: [makeTask(silent, sink, { bytes: 10 })], stallMs: 60_000 }
      const { outcomes } = await handler(event, { getRemainingTimeInMillis: () => 2_200 })
      expect(outcomes).toMatchObject([{ error: { code: 'STALLED' } }])
    })

    test.each([[undefined], [null], ['text'], [[]]])('refuses the event %p in one sentence', async event => {
      expect(await handler(event, minute)).toEqual({ error: 'The parameters are no object.' })
    })
  })

  describe('the access rules of the environment', () => {
    test('hold, whatever the event says', async () => {
      process.env.XFER_ACCESS = '{"hosts":["example.com"],"metadata":false}'
      const { event, source } = await someEvent({ access: { hosts: ['*'], metadata: true } })
      const { outcomes } = await handler(event, minute)
      expect(outcomes).toMatchObject([{ error: { code: 'ADDRESS_REFUSED' } }])
      expect(source.connections).toBe(0)
    })

    test('hold for a probe too', async () => {
      process.env.XFER_ACCESS = '{"hosts":["example.com"]}'
      const { source } = await someEvent()
      const event = { version: S3.version, probe: [{ url: source.url }], access: { hosts: ['*'] } }
      expect((await handler(event, minute)).probes).toMatchObject([{ error: { code: 'ADDRESS_REFUSED' } }])
    })

    test('allow what they name', async () => {
      process.env.XFER_ACCESS = '{"hosts":["127.0.0.0/8"]}'
      const { event } = await someEvent({ access: { hosts: [] } })
      expect(await handler(event, minute)).toMatchObject({ outcomes: [{ bytes: 10 }] })
    })

    test('are the usual ones where there are none: an event cannot allow metadata addresses', async () => {
      const event = { version: S3.version, probe: [{ url: 'http://169.254.169.254/' }], access: { metadata: true } }
      expect((await handler(event, minute)).probes).toMatchObject([{ error: { code: 'ADDRESS_REFUSED' } }])
    })

    test.each([[''], ['*'], ['null'], ['"*"'], ['[]'], ['{"host":["*"]}'], ['{"hosts":"*"}'], ['{"hosts":["a b"]}']])(
      'that cannot be understood (%s) refuse everything',
      async text => {
        process.env.XFER_ACCESS = text
        const { event, source } = await someEvent({ access: { hosts: ['*'] } })
        expect(await handler(event, minute)).toEqual({ error: expect.stringMatching(/access/i) })
        expect(source.connections).toBe(0)
      },
    )
  })
})
