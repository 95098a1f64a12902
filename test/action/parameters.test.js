'use strict'

const { VERSION, closeConnections, main } = require('../../actions/copy-range')
const { S3, closeStores, makeTask, partSink, rangeSource, someBytes } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)

describe('parameters that cannot be understood', () => {
  test.each([
    ['nothing', undefined, 'object'],
    ['null', null, 'object'],
    ['a list', [], 'object'],
    ['a text', 'tasks', 'object'],
    ['no version', { tasks: [] }, 'version 2'],
    ['another version', { version: 1, tasks: [] }, 'version 2, and was asked for version 1'],
    ['no tasks', { version: VERSION }, 'tasks'],
    ['tasks that are no list', { ...S3, tasks: {} }, 'tasks'],
    ['no room for tasks', { ...S3, tasks: [], parallel: 0 }, 'parallel'],
    ['no patience', { ...S3, tasks: [], stallMs: -1 }, 'stallMs'],
    ['no rate', { ...S3, tasks: [], bytesPerSecond: 0 }, 'bytesPerSecond'],
    ['a rate with units', { ...S3, tasks: [], bytesPerSecond: '10M' }, 'bytesPerSecond'],
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
    ['is a list', '', []],
    ['has no part number', 'partNumber', '1'],
    ['has a negative size', 'bytes', -1],
    ['has no expectation', 'expect', undefined],
    ['expects no total', 'expect', { etag: '"e"' }],
    ['has no read', 'read', null],
    ['reads with PUT', 'read.method', 'PUT'],
    ['writes with GET', 'write.method', 'GET'],
    ['has a header that is a list', 'read.headers.host', ['a']],
    ['has a URL of another scheme', 'read.url', 'file:///etc/passwd'],
    ['writes to a URL of a file', 'write.url', 'file:///tmp/file'],
    ['reads from memory, which nobody gave', 'read.url', 'memory:1'],
    ['has a URL with credentials', 'read.url', 'http://user:pass@127.0.0.1/'],
    ['has a URL with a bad port', 'read.url', 'http://127.0.0.1:99999/'],
    ['has a path with a blank', 'read.url', 'http://127.0.0.1/a key'],
    ['has a header with a line break', 'read.headers.host', 'a\r\nb: c'],
    ['has another range than its size', 'read.headers.range', 'bytes=0-10'],
    ['has a range of another form', 'read.headers.range', 'bytes=-10'],
    ['reads beyond the object', 'expect.totalBytes', 9],
    ['expects a CRC-32 that is none', 'expect.sums', { crc32: 'AAAAAA==' }],
    ['expects an MD5 in capitals', 'expect.sums', { md5: 'A'.repeat(32) }],
    ['expects a checksum of another name', 'expect.sums', { sha256: '0'.repeat(64) }],
    ['does not say what to compute', 'sums', undefined],
    ['is to compute what is no checksum', 'sums', ['crc32', 'constructor']],
    ['names no rule', 'read.accepts', undefined],
    ['expects headers that are a list', 'expect.headers', ['a']],
    ['expects a header that is no text', 'expect.headers', { 'content-type': 1 }],
    ['reads a part without a range', 'read.headers.range', undefined],
    ['has a content-length of another body', 'write.headers.content-length', '11'],
    ['has no content-length', 'write.headers.content-length', undefined],
    ['has a second content-length', 'write.headers.Content-Length', '10'],
    ['writes with a transfer-encoding', 'write.headers.Transfer-Encoding', 'chunked'],
    ['reads with a transfer-encoding', 'read.headers.transfer-encoding', 'chunked'],
    ['reads with a body', 'read.headers.Content-Length', '10'],
    ['wants another protocol', 'read.headers.upgrade', 'h2c'],
    ['has the connection closed', 'write.headers.connection', 'close'],
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
