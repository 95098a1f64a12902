'use strict'

/** What a store's answers mean comes with the invocation: here those of a store that is unlike S3 in everything that a rule can say. */

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const { closeConnections, main, VERSION } = require('../../actions/copy-range')
const { READ, WRITE } = require('../../lib/stores/s3/rules')
const { closeStores, crc32Of, S3, httpStore, makeTask, partSink, rangeSource, someBytes, ETAG } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)

const OBJECT = someBytes(10)
const md5Of = (/** @type {Buffer} */ bytes) => createHash('md5').update(bytes).digest('hex')

const TOY_READ = {
  statuses: [200],
  changed: [409],
  etag: { header: 'toy-version', required: true },
  checksums: [
    { sum: 'md5', header: 'toy-md5', encoding: 'hex', only: { header: 'toy-md5-of', value: 'object' } },
    { sum: 'crc32', header: 'toy-sums', encoding: 'base64le', member: 'crc' },
  ],
  describes: { names: ['toy-class'], prefixes: ['toy-note-'], defaults: { 'toy-class': 'usual' } },
  tells: ['toy-id'],
  errorCode: { header: 'toy-error' },
}
const TOY_WRITE = {
  statuses: [201, 202],
  etag: { header: 'toy-version', required: false },
  tells: ['toy-id'],
  errorCode: { json: ['error', 'reason'] },
}
const accepts = { 'toy-read': TOY_READ, 'toy-write': TOY_WRITE }

/** Of the store `toy`: an object that is read whole. */
function toySource(headers = {}, { status = 200, body = OBJECT } = {}) {
  return httpStore((_request, response) => {
    response.writeHead(status, { 'toy-version': 'v1', 'content-length': body.length, ...headers }).end(body)
  })
}

/** A task of it, from its source to its sink. */
function toyTask(source, sink, fields = {}) {
  const task = makeTask(source, sink, { bytes: 10, etag: 'v1', ranged: false, ...fields })
  return { ...task, read: { ...task.read, accepts: 'toy-read' }, write: { ...task.write, accepts: 'toy-write' } }
}

const run = async (/** @type {unknown} */ task, rules = { ...accepts, ...S3.accepts }) => {
  const { outcomes } = await main({ version: VERSION, tasks: [task], accepts: rules })
  return outcomes[0]
}

describe('by its rule', () => {
  test('a write may answer 201 and without an ETag', async () => {
    const sink = await partSink({}, 201)
    expect(await run(toyTask(await toySource(), sink))).toMatchObject({
      bytes: 10,
      etag: '',
      sums: { crc32: crc32Of(OBJECT) },
    })
    expect(sink.writes[0].body).toEqual(OBJECT)
  })

  test('a status of success that it does not name cannot be used', async () => {
    expect(await run(toyTask(await toySource(), await partSink()))).toMatchObject({
      error: { code: 'BAD_ANSWER', side: 'write', message: expect.stringContaining('its status is not 201 or 202') },
    })
  })

  test('an object whose version is another one is not written', async () => {
    const sink = await partSink({}, 201)
    const outcome = await run(toyTask(await toySource({ 'toy-version': 'v9', etag: 'v1' }), sink))
    expect(outcome).toMatchObject({ error: { code: 'SOURCE_CHANGED', expected: 'v1', found: 'v9' } })
    expect(sink.connections).toBe(0)
  })

  test('the statuses of a read that tell of a change are its own', async () => {
    const changed = await toySource({ 'toy-error': 'Gone.Elsewhere' }, { status: 409 })
    expect(await run(toyTask(changed, await partSink({}, 201)))).toMatchObject({
      error: { code: 'SOURCE_CHANGED', status: 409, storeCode: 'Gone.Elsewhere' },
    })
    const refused = await toySource({ 'toy-error': 'Unmet' }, { status: 412 })
    expect(await run(toyTask(refused, await partSink({}, 201)))).toMatchObject({
      error: { code: 'HTTP_STATUS', status: 412, storeCode: 'Unmet' },
    })
  })

  test.each([
    ['of the object', { 'toy-md5-of': 'object' }],
    ['of an object whose kind it does not say', {}],
  ])('bytes that do not have the checksum %s are not written', async (_, kind) => {
    const sink = await partSink({}, 201)
    const stored = md5Of(Buffer.from('other')).toUpperCase()
    const outcome = await run(toyTask(await toySource({ 'toy-md5': stored, ...kind }), sink, { sums: ['md5'] }))
    expect(outcome).toMatchObject({
      error: { code: 'SUM_MISMATCH', sum: 'md5', expected: stored.toLowerCase(), found: md5Of(OBJECT) },
    })
    expect(sink.writes).toEqual([])
  })

  test('a checksum in a list, with its bytes in reverse order, is found', async () => {
    const reversed = Buffer.from(crc32Of(OBJECT), 'hex').reverse().toString('base64')
    const [right, wrong] = [reversed, 'AAAAAA=='].map(sum => toySource({ 'toy-sums': `md5=unknown, crc=${sum}` }))
    expect(await run(toyTask(await right, await partSink({}, 201)))).toMatchObject({ bytes: 10 })
    expect(await run(toyTask(await wrong, await partSink({}, 201)))).toMatchObject({
      error: { code: 'SUM_MISMATCH', sum: 'crc32', expected: '00000000' },
    })
  })

  test('what describes the object is told, and nothing else', async () => {
    const headers = {
      'toy-class': 'rare',
      'toy-note-a': '',
      'toy-id': '7',
      'x-amz-meta-b': 'secret',
      'content-type': 'a/b',
    }
    const source = await toySource(headers)
    const outcome = await run(toyTask(source, await partSink({ 'toy-id': '8', etag: '"secret"' }, 201), { tell: true }))
    const described = { 'toy-class': 'rare', 'toy-note-a': '' }
    expect(outcome.headers).toEqual({ read: { ...described, 'toy-id': '7' }, write: { 'toy-id': '8' } })
    const expect_ = headers => ({ etag: 'v1', totalBytes: 10, headers })
    const sink = await partSink({}, 201)
    expect(await run(toyTask(source, sink, { expect: expect_(described) }))).toMatchObject({ bytes: 10 })
    expect(await run(toyTask(source, sink, { expect: expect_({}) }))).toMatchObject({
      error: { code: 'HEADERS_DIFFER', headers: described },
    })
  })

  test.each([
    ['{"error":{"reason":"TooMany"}}', 'TooMany'],
    ['<Error><Code>NoSuchKey</Code></Error>', undefined],
    [JSON.stringify({ error: { reason: `a sentence with a secret` } }), undefined],
    [JSON.stringify({ error: { reason: `0${'a'.repeat(40)}` } }), undefined],
  ])('the code of a refusal is read where it says: %j', async (body, storeCode) => {
    const sink = await httpStore((request, response) => {
      request.resume().on('end', () => response.writeHead(400, { 'content-length': body.length }).end(body))
    })
    const { error } = await run(toyTask(await toySource(), sink))
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 400 })
    expect(error.storeCode).toBe(storeCode)
  })
})

describe('the framing of a write', () => {
  const sum = () => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(crc32(OBJECT))
    return bytes.toString('base64')
  }
  const framed = `a\r\n${OBJECT.toString('latin1')}\r\n0\r\ntoy-crc32:${sum()}\r\n\r\n`
  const framing = { type: 'aws-chunked', trailer: 'toy-crc32', sum: 'crc32' }
  const task = async (given, length = framed.length) => {
    const sink = await partSink({}, 201)
    const { write, ...rest } = toyTask(await toySource(), sink)
    const headers = { ...write.headers, 'content-length': String(length) }
    return { sink, outcome: await run({ ...rest, write: { ...write, headers, ...given } }) }
  }

  test.each([
    ['a length of another body', { framing }, 10],
    ['no trailer', { framing: { type: 'aws-chunked' } }],
    ['a trailer with a line break', { framing: { ...framing, trailer: 'a\r\nb' } }],
  ])('with %s is a BAD_TASK', async (_, given, length = framed.length) => {
    const { sink, outcome } = await task(given, length)
    expect(outcome).toMatchObject({ error: { code: 'BAD_TASK' } })
    expect(sink.connections).toBe(0)
  })
})

describe('rules that cannot be understood', () => {
  test.each([
    ['null', null],
    ['too many', Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`r${i}`, WRITE]))],
    ['a redirect as a success', { r: { statuses: [200, 302] } }],
    ['a success as a change', { r: { ...READ, changed: [204] } }],
    ['a header with a line break', { r: { ...READ, tells: ['a\nb'] } }],
    ['a checksum that is not computed', { r: { ...READ, checksums: [{ ...READ.checksums[0], sum: 'sha256' }] } }],
    ['the session of a store', { r: { ...READ, tells: ['set-cookie'] } }],
    ['all headers', { r: { ...READ, describes: { names: [], prefixes: [''] } } }],
    ['a code by an expression', { r: { ...READ, errorCode: { xml: ['Error', '.*'] } } }],
  ])('%s: are answered with one sentence and nothing else', async (_, given) => {
    const result = await main({ version: VERSION, tasks: [], accepts: given })
    expect(Object.keys(result)).toEqual(['error'])
    expect(result.error).toMatch(/^The parameter accepts .*\.$/)
  })

  test.each(['constructor', 'other', 7, undefined])(
    'a request that names none of them is a BAD_TASK: %s',
    async name => {
      const sink = await partSink()
      const task = makeTask(await rangeSource(OBJECT), sink, { bytes: 10 })
      const outcome = await run({ ...task, write: { ...task.write, accepts: name } })
      expect(outcome).toMatchObject({ error: { code: 'BAD_TASK', message: expect.stringContaining('no rule') } })
      expect(sink.connections).toBe(0)
    },
  )
})

describe('what describes an object', () => {
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
      ['by what says the same as nothing', USUAL, {}],
      ['by the framing of its upload', { 'content-encoding': 'gzip, aws-chunked' }, { 'content-encoding': 'gzip' }],
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
      ['by something', DESCRIBED, {}],
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
  })
})
