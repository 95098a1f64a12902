'use strict'

const { VERSION, main, handler } = require('../../actions/copy-range')
const { S3, makeTask, partSink, rangeSource, someBytes } = require('./stores')

test.each([
  ['a list', [], 'object'],
  ['another version', { version: 1, tasks: [] }, 'version 2, and was asked for version 1'],
  ['no tasks', { version: VERSION }, 'tasks'],
  ['no room for tasks', { ...S3, tasks: [], parallel: 0 }, 'parallel'],
])('parameters that cannot be understood, %s, are answered with one sentence alone', async (_name, params, words) => {
  expect(await main(params)).toEqual({ error: expect.stringContaining(words) })
})

const good = () => makeTask({ url: 'http://127.0.0.1:9' }, { url: 'http://127.0.0.1:9' }, { bytes: 10, total: 100 })

/** A task with the field at `path` another one, or gone. */
const spoiled = ([first, ...deeper], value, task = good()) => {
  const { [first]: old, ...rest } = task
  if (deeper.length) return { ...rest, [first]: spoiled(deeper, value, old) }
  return value === undefined ? rest : { ...rest, [first]: value }
}

test.each([
  ['is no object', '', 'task'],
  ['expects no total', 'expect', { etag: '"e"' }],
  ['writes with GET', 'write.method', 'GET'],
  ['has a URL of another scheme', 'read.url', 'file:///etc/passwd'],
  ['writes to a URL of a file', 'write.url', 'file:///tmp/file'],
  ['reads from memory, which nobody gave', 'read.url', 'memory:1'],
  ['has a URL with credentials', 'read.url', 'http://user:pass@127.0.0.1/'],
  ['has a header with a line break', 'read.headers.host', 'a\r\nb: c'],
  ['has another range than its size', 'read.headers.range', 'bytes=0-10'],
  ['reads beyond the object', 'expect.totalBytes', 9],
  ['expects a CRC-32 that is none', 'expect.sums', { crc32: 'AAAAAA==' }],
  ['does not say what to compute', 'sums', undefined],
  ['has a content-length of another body', 'write.headers.content-length', '11'],
  ['has a second content-length', 'write.headers.Content-Length', '10'],
  ['writes with a transfer-encoding', 'write.headers.Transfer-Encoding', 'chunked'],
  ['has a framing without a trailer', 'write.framing', { type: 'aws-chunked' }],
  ['has a trailer with a line break', 'write.framing', { type: 'aws-chunked', trailer: 'a\r\nb', sum: 'crc32' }],
  ['has an unknown framing', 'write.framing', { type: 'other', trailer: 'a', sum: 'crc32' }],
])('a task that makes no sense because it %s: is a BAD_TASK, and the others are done', async (_name, path, value) => {
  const source = await rangeSource(someBytes(10))
  const sink = await partSink()
  const tasks = [path ? spoiled(path.split('.'), value) : value, makeTask(source, sink, { bytes: 10, partNumber: 2 })]
  const { outcomes } = await main({ ...S3, tasks })
  expect(outcomes).toMatchObject([{ error: { code: 'BAD_TASK' } }, { partNumber: 2, etag: '"part-etag"' }])
  expect(JSON.stringify(outcomes)).not.toContain('secret')
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

  test('starts no task close to the end that the context tells', async () => {
    const { event, source } = await someEvent()
    const { outcomes } = await handler(event, { getRemainingTimeInMillis: () => 1_500 })
    expect(outcomes).toMatchObject([{ error: { code: 'NOT_STARTED' } }])
    expect(source.connections).toBe(0)
  })

  describe('the access rules of the environment', () => {
    test.each([
      ['hold', '{"hosts":["example.com"],"metadata":false}', { hosts: ['*'], metadata: true }, 'ADDRESS_REFUSED'],
      ['allow what they name', '{"hosts":["127.0.0.0/8"]}', { hosts: [] }, undefined],
    ])('%s, whatever the event says, a probe too: %s', async (_, rules, access, code) => {
      process.env.XFER_ACCESS = rules
      const { event, source } = await someEvent({ access })
      const { probes } = await handler({ version: S3.version, probe: [{ url: source.url }], access }, minute)
      const { outcomes } = await handler(event, minute)
      expect([...probes, ...outcomes].map(({ error }) => error?.code)).toEqual([code, code])
      expect(source.connections > 0).toBe(code === undefined)
    })

    test('are the usual ones where there are none: an event cannot allow metadata addresses', async () => {
      const event = { version: S3.version, probe: [{ url: 'http://169.254.169.254/' }], access: { metadata: true } }
      expect((await handler(event, minute)).probes).toMatchObject([{ error: { code: 'ADDRESS_REFUSED' } }])
    })

    const NOT_UNDERSTOOD = [['*'], ['{"host":["*"]}'], ['{"hosts":["a b"]}']]
    test.each(NOT_UNDERSTOOD)('that cannot be understood (%s) refuse everything', async text => {
      process.env.XFER_ACCESS = text
      const { event, source } = await someEvent({ access: { hosts: ['*'] } })
      expect(await handler(event, minute)).toEqual({ error: expect.stringMatching(/access/i) })
      expect(source.connections).toBe(0)
    })
  })
})
