'use strict'

/** What a store's answers mean comes with the invocation: here those of a store that is unlike S3 in everything that a rule can say. */

const { createHash } = require('node:crypto')
const { closeConnections, main, VERSION } = require('../../actions/copy-range')
const { READ } = require('../../lib/stores/s3/answers')
const { closeStores, crc32Of, S3, httpStore, makeTask, partSink, rangeSource, someBytes } = require('./stores')

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
  errorCode: { xml: ['error', 'reason'] },
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

  test('bytes that do not have the checksum of the object are not written, and that of parts is not asked', async () => {
    const sink = await partSink({}, 201)
    const stored = md5Of(Buffer.from('other')).toUpperCase()
    const copied = async kind =>
      run(toyTask(await toySource({ 'toy-md5': stored, 'toy-md5-of': kind }), sink, { sums: ['md5'] }))
    expect(await copied('object')).toMatchObject({
      error: { code: 'SUM_MISMATCH', sum: 'md5', expected: stored.toLowerCase(), found: md5Of(OBJECT) },
    })
    expect(sink.writes).toEqual([])
    expect(await copied('parts')).toMatchObject({ bytes: 10 })
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
      error: { code: 'HEADERS_DIFFER', side: 'read', headers: described },
    })
    expect(sink.writes).toHaveLength(1)
    const usual = await toySource({ 'toy-class': 'usual' })
    expect(await run(toyTask(usual, sink, { expect: expect_({}) }))).toMatchObject({ bytes: 10 })
  })

  test.each([
    ['<error><reason>TooMany</reason></error>', 'TooMany'],
    ['<error><reason>a sentence with a secret</reason></error>', undefined],
  ])('the code of a refusal is read where it says: %j', async (body, storeCode) => {
    const sink = await httpStore((request, response) => {
      request.resume().on('end', () => response.writeHead(400, { 'content-length': body.length }).end(body))
    })
    const { error } = await run(toyTask(await toySource(), sink))
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 400 })
    expect(error.storeCode).toBe(storeCode)
  })

  const TOKEN = 'correct.horse-battery'
  test.each([
    ['<Why>Too many. Take &lt; 10 &amp; try&#x20;again.</Why>', 'Too many. Take < 10 & try again'],
    ['<Why>Two\nlines\u001b[31m</Why><Reason>x</Reason>', 'Two lines [31m'],
    ['<More>of it</More><Why>x</Why>', 'of it'],
    [`<Why>You sent ${TOKEN} to ?sig=short-one</Why>`, 'You sent … to ?…'],
    [`<Why>${'word '.repeat(1000)}</Why>`, expect.stringMatching(/^(?:word ){99}word…$/)],
    ['<Why></Why>', undefined],
    ['no document', undefined],
  ])('the message of a refusal is told whole, without secrets of the request: %j', async (inner, storeMessage) => {
    const body = `<Error>${inner}</Error>`
    const sink = await httpStore((request, response) => {
      request.resume().on('end', () => response.writeHead(400, { 'content-length': Buffer.byteLength(body) }).end(body))
    })
    const task = toyTask(await toySource(), sink)
    const write = { ...task.write, headers: { ...task.write.headers, 'toy-token': TOKEN } }
    const errorMessage = { xml: ['Error', 'More', 'Why'] }
    const { error } = await run({ ...task, write }, { ...accepts, 'toy-write': { ...TOY_WRITE, errorMessage } })
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 400 })
    expect(error.storeMessage).toEqual(storeMessage)
    // A rule of an older library does not name it.
    expect((await run({ ...task, write })).error).not.toHaveProperty('storeMessage')
  })
})

describe('rules that cannot be understood', () => {
  test.each([
    ['a redirect as a success', { r: { statuses: [200, 302] } }],
    ['a header with a line break', { r: { ...READ, tells: ['a\nb'] } }],
    ['the session of a store', { r: { ...READ, tells: ['set-cookie'] } }],
    ['a code by an expression', { r: { ...READ, errorCode: { xml: ['Error', '.*'] } } }],
    ['a message by an expression', { r: { ...READ, errorMessage: { xml: ['Error', '.*'] } } }],
  ])('%s: are answered with one sentence and nothing else', async (_, given) => {
    const result = await main({ version: VERSION, tasks: [], accepts: given })
    expect(Object.keys(result)).toEqual(['error'])
    expect(result.error).toMatch(/^The parameter accepts .*\.$/)
  })

  test.each(['constructor', undefined])('a request that names none of them is a BAD_TASK: %s', async name => {
    const sink = await partSink()
    const task = makeTask(await rangeSource(OBJECT), sink, { bytes: 10 })
    const outcome = await run({ ...task, write: { ...task.write, accepts: name } })
    expect(outcome).toMatchObject({ error: { code: 'BAD_TASK', message: expect.stringContaining('no rule') } })
    expect(sink.connections).toBe(0)
  })
})
