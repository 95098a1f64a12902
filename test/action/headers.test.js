'use strict'

const http = require('node:http')
const { crc32 } = require('node:zlib')
const { closeConnections, main } = require('../../actions/copy-range')
const { crc32Of, S3, closeStores, httpStore, makeTask, partSink, someBytes, ETAG } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)

/** @param {number} number of 32 bits */
function base64Of(number) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes.toString('base64')
}

const DESCRIBED = {
  'content-type': 'text/csv; header=present',
  'cache-control': 'no-store',
  'content-disposition': 'attachment; filename="a b.csv"',
  expires: 'Wed, 21 Oct 2037 07:28:00 GMT',
  'x-amz-meta-color': 'dark blue',
  'x-amz-meta-empty': '',
  'x-amz-meta-raw': '\xc3\xa4 \xff',
  'x-amz-storage-class': 'STANDARD_IA',
  'x-amz-tagging-count': '2',
  'x-amz-server-side-encryption': 'aws:kms',
  'x-amz-server-side-encryption-aws-kms-key-id': 'key',
  'x-amz-website-redirect-location': '/elsewhere',
}
/** What says the same as nothing. */
const USUAL = { 'x-amz-storage-class': 'STANDARD', 'x-amz-tagging-count': '0', 'content-language': '' }
/** Of an answer, and nobody's business. */
const OTHERS = { server: 'S3', 'x-amz-request-id': 'secret-id', 'set-cookie': 'secret=1', 'x-amz-id-2': 'secret' }
const ALSO = {
  'x-amz-version-id': 'v1',
  'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT',
  'x-amz-checksum-crc32': base64Of(crc32(someBytes(10))),
  'x-amz-checksum-type': 'FULL_OBJECT',
}

/** An object that is described by these headers. */
async function sourceWith(headers, bytes = 10) {
  const object = someBytes(bytes)
  const requests = []
  const store = await httpStore((request, response) => {
    requests.push(request.url)
    response.writeHead(200, { etag: ETAG, 'content-length': bytes, ...OTHERS, ...headers }).end(object)
  })
  return Object.assign(store, { requests })
}

/** Copies it by a task with these fields. */
async function copied(headers, fields, { bytes = 10, sink } = {}) {
  const source = await sourceWith(headers, bytes)
  const target = sink ?? (await partSink())
  const { expect: more = {}, reads = false, ...rest } = fields
  const { write, ...task } = makeTask(source, target, { bytes, ranged: false, ...rest })
  if (!reads) task.write = write
  const { outcomes } = await main({ ...S3, tasks: [{ ...task, expect: { ...task.expect, ...more } }] })
  return { outcome: outcomes[0], source, sink: target }
}

describe('an object that is described', () => {
  test.each([
    ['as was expected', DESCRIBED, DESCRIBED],
    ['by nothing, as was expected', {}, {}],
    ['by what says the same as nothing', USUAL, {}],
    ['by the framing of its upload', { 'content-encoding': 'gzip, aws-chunked' }, { 'content-encoding': 'gzip' }],
    ['by the framing of its upload alone', { 'content-encoding': 'aws-chunked' }, {}],
  ])('%s is copied', async (_, headers, expected) => {
    const { outcome, sink } = await copied(headers, { expect: { headers: expected } })
    expect(outcome).toMatchObject({ bytes: 10, etag: '"part-etag"' })
    expect(outcome).not.toHaveProperty('headers')
    expect(sink.writes).toHaveLength(1)
  })

  test.each([
    ['by another value', { ...DESCRIBED, 'cache-control': 'private' }, DESCRIBED],
    ['by more', DESCRIBED, { 'content-type': DESCRIBED['content-type'] }],
    ['by less', { 'content-type': DESCRIBED['content-type'] }, DESCRIBED],
    ['by another name', { 'x-amz-meta-a': '1' }, { 'x-amz-meta-b': '1' }],
    ['by something', DESCRIBED, {}],
    ['by nothing', {}, DESCRIBED],
  ])('otherwise, %s, is not even begun to be written, and the outcome says how', async (_, found, expected) => {
    const { outcome, sink } = await copied(found, { expect: { headers: expected } })
    expect(outcome).toEqual({
      partNumber: 1,
      error: {
        code: 'HEADERS_DIFFER',
        side: 'read',
        message: 'The source describes the object otherwise than was expected.',
        headers: found,
      },
    })
    expect(sink.connections).toBe(0)
    expect(JSON.stringify(outcome)).not.toContain('secret')
  })

  test('by more than objects may have is told without it', async () => {
    const { outcome } = await copied({ 'x-amz-meta-long': 'x'.repeat(9000) }, { expect: { headers: {} } })
    expect(outcome.error.code).toBe('HEADERS_DIFFER')
    expect(outcome.error).not.toHaveProperty('headers')
  })

  test('otherwise, and is small, leaves its connection to the next', async () => {
    const source = await sourceWith({}, 10_000)
    const sink = await partSink()
    const task = makeTask(source, sink, { bytes: 10_000, ranged: false })
    const wrong = { ...task, expect: { ...task.expect, headers: DESCRIBED } }
    const { outcomes } = await main({ ...S3, tasks: [wrong, { ...task, partNumber: 2 }] })
    expect(outcomes).toMatchObject([{ error: { code: 'HEADERS_DIFFER' } }, { bytes: 10_000 }])
    expect(source.connections).toBe(1)
  })

  test('otherwise, and is large, is not read to its end', async () => {
    let sent = 0
    let ended = () => {}
    const closed = new Promise(resolve => {
      ended = resolve
    })
    const source = await httpStore((_request, response) => {
      response.writeHead(200, { etag: ETAG, 'content-length': 2 ** 40 })
      const more = () => {
        if (response.destroyed) return
        sent += 65_536
        response.write(someBytes(65_536), () => setImmediate(more))
      }
      response.on('close', ended)
      more()
    })
    const task = makeTask(source, await partSink(), { bytes: 2 ** 40, ranged: false })
    const expected = { ...task.expect, headers: DESCRIBED }
    const { outcomes } = await main({ ...S3, tasks: [{ ...task, expect: expected }] })
    expect(outcomes[0].error).toMatchObject({ code: 'HEADERS_DIFFER', headers: {} })
    await closed
    expect(sent).toBeLessThan(64 * 1024 ** 2)
  })
})

describe('a whole object of which the read tells the CRC-32', () => {
  const told = base64Of(1)

  test('is not written where its bytes have another one', async () => {
    const { outcome, sink } = await copied({ 'x-amz-checksum-crc32': told }, {})
    expect(outcome.error).toMatchObject({
      code: 'SUM_MISMATCH',
      side: 'read',
      expected: crc32Of(1),
      found: crc32Of(someBytes(10)),
    })
    expect(sink.writes.filter(({ complete }) => complete)).toEqual([])
  })

  test.each([
    ['that of parts', { 'x-amz-checksum-crc32': `${told}-1` }, {}],
    ['that of parts, by its type', { 'x-amz-checksum-crc32': told, 'x-amz-checksum-type': 'COMPOSITE' }, {}],
    ['no CRC-32', { 'x-amz-checksum-crc32': 'AAAA' }, {}],
    ['not to be computed', { 'x-amz-checksum-crc32': told }, { sums: [] }],
  ])('is written where that is %s', async (_, headers, fields) => {
    const { outcome, sink } = await copied(headers, fields)
    expect(outcome).toMatchObject({ bytes: 10 })
    expect(sink.writes).toHaveLength(1)
  })

  test('is another object that was named to the task, which counts', async () => {
    const { outcome } = await copied(
      { 'x-amz-checksum-crc32': told },
      { expect: { sums: { crc32: crc32Of(someBytes(10)) } } },
    )
    expect(outcome).toMatchObject({ bytes: 10 })
  })
})

describe('a task that is to tell', () => {
  test('tells what both answers said of the object, and nothing else of them', async () => {
    const written = { ...ALSO, etag: '"part-etag"', 'x-amz-server-side-encryption': 'AES256', ...OTHERS }
    const { outcome } = await copied({ ...DESCRIBED, ...ALSO }, { tell: true }, { sink: await partSink(written) })
    const { 'last-modified': modified, ...write } = ALSO
    expect(modified).toBeDefined()
    expect(outcome.headers).toEqual({
      read: { ...DESCRIBED, ...ALSO },
      write: { ...write, 'x-amz-server-side-encryption': 'AES256' },
    })
  })

  test('tells nothing of what was not said', async () => {
    const { outcome } = await copied(USUAL, { tell: true })
    expect(outcome.headers).toEqual({ read: {}, write: {} })
  })

  test('tells of a read alone, where nothing is written', async () => {
    const { outcome } = await copied({ 'x-amz-meta-a': '1' }, { tell: true, reads: true })
    expect(outcome).toMatchObject({ etag: ETAG, headers: { read: { 'x-amz-meta-a': '1' } } })
  })

  test('tells no more than objects may have', async () => {
    const { outcome } = await copied({ 'x-amz-meta-long': 'x'.repeat(9000) }, { tell: true })
    expect(outcome.headers).toEqual({ write: {} })
  })

  test('and expects headers that are found is told of both', async () => {
    const { outcome } = await copied(DESCRIBED, { tell: true, expect: { headers: DESCRIBED } })
    expect(outcome.headers.read).toEqual(DESCRIBED)
  })
})

test('the servers of this suite send headers as bytes', async () => {
  const source = await sourceWith(DESCRIBED)
  const response = await new Promise(resolve => http.get(source.url, resolve))
  expect(response.headers['x-amz-meta-raw']).toBe(DESCRIBED['x-amz-meta-raw'])
  response.resume()
})
