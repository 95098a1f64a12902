'use strict'

/** What a store may answer, byte for byte, and what is made of it: never a success, a list or a deletion that is none. */

const { gzipSync } = require('node:zlib')
const { readList } = require('../../../../lib/stores/s3/list')
const { storeAnswering } = require('../../../support/answering')

/** Of the store that is used where nothing comes any more: far more than a busy machine takes for what does come. */
const SILENCE_MS = 1_000
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
const BLANKS = ' '.repeat(40)
const NO_ATTRIBUTES = { metadata: { headers: {}, user: {} } }

let store
let impatient
/** @type {Parameters<typeof storeAnswering>[0]} */
let answer
beforeEach(async () => {
  const open = settings => storeAnswering((...exchange) => answer(...exchange), settings)
  ;[store, impatient] = [await open({}), await open({ silenceMs: SILENCE_MS })]
})

const text =
  (body, status = 200, headers = {}) =>
  response =>
    response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body)
const page = (status = 200) => text('<html><body>Welcome', status, { 'content-type': 'text/html' })
const wrong = reason => ({ code: 'BAD_ANSWER', exitCode: 1, message: expect.stringContaining(reason) })
const tag = (name, value) => (value === undefined ? '' : `<${name}>${value}</${name}>`)
const tags = values => Object.entries(values).reduce((text, [name, value]) => text + tag(name, value), '')
const error = (code, message = 'Words of the store.') => tag('Error', tags({ Code: code, Message: message }))

/** A call fails by each of these answers, of which some are just a document, with an error or a BAD_ANSWER for that reason. */
const fails = (name, call, rows) =>
  test.each(rows)(name, async (_, how, failure) => {
    answer = typeof how === 'string' ? text(how) : how
    await expect(call()).rejects.toMatchObject(typeof failure === 'string' ? wrong(failure) : failure)
  })

describe('a list of keys', () => {
  const RIGHT = { Name: 'bucket', Prefix: 'in/', KeyCount: 2, IsTruncated: false }
  const ENTRY = { LastModified: '2026-01-02T03:04:05.000Z', ETag: '"e"', Size: 1, StorageClass: 'STANDARD' }
  const entries = (...keys) => keys.map(Key => tag('Contents', tags({ Key, ...ENTRY }))).join('')
  const TWO = entries('in/a', 'in/b')
  const documentOf = (values = {}, contents = TWO) => tag('ListBucketResult', tags({ ...RIGHT, ...values }) + contents)
  const list = (asked = {}) => store.list({ prefix: 'in/', ...asked })
  const object = { bytes: 1, etag: '"e"', lastModifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5), storageClass: undefined }
  const LISTED = { objects: ['in/a', 'in/b'].map(key => ({ key, ...object })), next: undefined }

  const GZIP = { 'content-encoding': 'gzip' }
  test.each([{}, GZIP])('is believed, also if it is said to be packed, and is not: %j', async headers => {
    answer = text(documentOf(), 200, headers)
    expect(await list()).toEqual(LISTED)
  })

  fails('with %s is none', () => list(), [
    ['more keys than it counts', documentOf({ KeyCount: 3 }), 'counts 3 keys in a list, and names 2'],
    ['another bucket', documentOf({ Name: 'other' }), 'for the bucket "bucket" with one for "other"'],
    ['folders', documentOf({}, `${TWO}<CommonPrefixes><Prefix>in/c/</Prefix></CommonPrefixes>`), 'lists folders'],
    ['no word of whether there is more', documentOf({ IsTruncated: 'maybe' }), 'says "maybe" where'],
    ['an entry without a size', documentOf({}, TWO.replace('<Size>1</Size>', '')), '"in/a" without its size'],
    ['half a document', documentOf().slice(0, -20), 'breaks off'],
    ['nothing in it', '', { code: 'NOT_A_STORE' }],
    ['a web page for it', page(), { code: 'NOT_A_STORE' }],
    ['more to unpack than a list may have', text(gzipSync(' '.repeat(64 * 1024 ** 2)), 200, GZIP), 'with more than '],
    ['an error for it, even with status 200', error('SlowDown'), { code: 'STORE_THROTTLED' }],
  ])

  test('with another start-after key than requested is refused', async () => {
    answer = text(documentOf({ StartAfter: 'in/z' }))
    await expect(list({ after: 'in/' })).rejects.toMatchObject(wrong('beginning "in/" with one for "in/z"'))
    answer = text(documentOf({ StartAfter: 'in%2F' }))
    expect((await list({ after: 'in/' })).objects).toHaveLength(2)
  })

  test.each(Object.keys(RIGHT))('without %s is one that does not show its end', async name => {
    for (const value of [undefined, '']) {
      answer = text(documentOf({ [name]: value }))
      expect(await list()).toMatchObject({ objects: [{ key: 'in/a' }, { key: 'in/b' }], lacks: [name] })
    }
  })

  test('that has both an end and a continuation token does not count as complete', async () => {
    answer = text(documentOf({ NextContinuationToken: 'more' }))
    expect(await list()).toMatchObject({ next: undefined, lacks: ['an end'] })
  })

  const V1 = { KeyCount: undefined, Marker: '' }
  test.each([
    ['that goes on', { ...V1, IsTruncated: true }, {}],
    ['that goes on behind a key', { ...V1, Marker: undefined, IsTruncated: true, NextMarker: 'in/b' }, {}],
    ['where a beginning was asked for', V1, { after: 'in/b' }],
  ])('by version 1 is told as that: %s', async (_, values, asked) => {
    answer = text(documentOf(values))
    await expect(list(asked)).rejects.toMatchObject({
      ...{ code: 'NOT_A_STORE', message: expect.stringContaining('by version 1 only (ListObjects)') },
      hint: expect.stringContaining('--files-from'),
    })
  })

  test.each([
    ['it counts keys', { Marker: '', IsTruncated: false }],
    ['it names a token', { ...V1, IsTruncated: true, NextContinuationToken: 'more' }],
  ])('by version 1 is none if %s', async (_, values) => {
    answer = text(documentOf(values))
    expect(await list({ after: 'in/' })).toMatchObject({ objects: LISTED.objects })
  })

  test('may say its prefix encoded or as it is, whatever else it says', async () => {
    const prefix = 'a b+ü%/\u0001'
    const plain = 'a b+ü%/\ufffd'
    for (const Prefix of [encodeURIComponent(prefix), encodeURIComponent(prefix).replaceAll('%20', '+'), plain]) {
      for (const EncodingType of [undefined, 'url']) {
        answer = text(documentOf({ Prefix, EncodingType, KeyCount: 0 }, ''))
        expect(await store.list({ prefix })).toMatchObject({ objects: [] })
      }
    }
  })

  const ALIASES = ['arn:aws:s3:us-east-1:123456789012:accesspoint/mine', 'mine-abcdef-s3alias', 'tenant:bucket']
  test.each(ALIASES)('of %s names the bucket behind it', bucket => {
    const values = { Name: 'bucket', KeyCount: '0', IsTruncated: 'false', Contents: [], CommonPrefixes: [] }
    expect(readList(values, { bucket, prefix: '' }, {})).toEqual({ objects: [], next: undefined })
  })
})

const ranged = (head, get) => (response, request) => {
  if (request.method === 'GET') expect(request.headers.range).toBe('bytes=0-0')
  const [status, headers, body] = request.method === 'HEAD' ? [200, head] : get
  // Without a length of the answer, as behind a proxy that compresses.
  response.writeHead(status, { ...headers, 'transfer-encoding': 'chunked' }).end(body)
}
const HEAD = { etag: '"e"', 'x-amz-meta-a': 'b' }
test.each([
  ['of its first byte', [206, { 'content-range': 'bytes 0-0/1234' }, 'x'], 1234],
  ['that it has no byte', [416, { 'content-type': 'application/xml' }, error('InvalidRange')], 0],
])('a HEAD without a length is followed by a read, which says the size: %s', async (_, get, bytes) => {
  answer = ranged(HEAD, get)
  expect(await store.head('key')).toMatchObject({ bytes, etag: '"e"', metadata: { user: { a: 'b' } } })
})

fails(
  'a HEAD without a length and a read that is answered with %s is not the answer of a store',
  () => store.head('key'),
  [['all of it', ranged(HEAD, [200, {}, 'all of it']), { code: 'NOT_A_STORE' }]],
)

describe('a list of parts', () => {
  const RIGHT = { Bucket: 'bucket', Key: 'a/key', UploadId: 'id', IsTruncated: false }
  const part = (PartNumber, more = {}) => tag('Part', tags({ PartNumber, ETag: '"p"', Size: 5, ...more }))
  const documentOf = (values, parts) => tag('ListPartsResult', tags({ ...RIGHT, ...values }) + parts)
  const list = (marker = undefined) => store.upload.parts({ key: 'a/key', uploadId: 'id', marker })

  test('is believed as it is', async () => {
    const ChecksumCRC32 = Buffer.from('0000007b', 'hex').toString('base64')
    answer = text(documentOf({ IsTruncated: true, NextPartNumberMarker: 4 }, part(2, { ChecksumCRC32 }) + part(4)))
    expect(await list('1')).toEqual({
      parts: [
        { partNumber: 2, etag: '"p"', bytes: 5, sums: { crc32: '0000007b' } },
        { partNumber: 4, etag: '"p"', bytes: 5 },
      ],
      next: '4',
    })
  })

  fails('with %s is none', () => list(), [
    ['another upload', documentOf({ UploadId: 'other' }, part(1)), 'those of another upload'],
    ['a part twice', documentOf({}, part(1) + part(1)), 'part 1 twice'],
    ['a part with the number 10,001', documentOf({}, part(10_001)), 'with the number "10001"'],
    ['a part without a size', documentOf({}, part(1, { Size: undefined })), 'part 1 without its size'],
    ['no next one', documentOf({ IsTruncated: true }, part(1)), 'not how to ask for them'],
  ])

  test('that does not say whether there is more is asked for more until there is none', async () => {
    answer = text(documentOf({ IsTruncated: undefined }, part(1) + part(2)))
    expect(await list()).toMatchObject({ next: '2' })
    expect(await list('2')).toEqual({ parts: [], next: undefined })
  })
})

describe('a list of uploads', () => {
  const RIGHT = { Bucket: 'bucket', Prefix: 'key', IsTruncated: false }
  const upload = (Key, UploadId) => tag('Upload', tags({ Key, UploadId, Initiated: '2026-01-02T03:04:05.000Z' }))
  const documentOf = (values, uploads) => tag('ListMultipartUploadsResult', tags({ ...RIGHT, ...values }) + uploads)
  const list = marker => store.upload.pending({ prefix: 'key', marker })

  fails('with %s is none', () => list(), [
    ['another prefix', documentOf({ Prefix: 'other' }, ''), 'for the prefix "key"'],
    ['an upload without an id', documentOf({}, upload('key', undefined)), 'without its key or its id'],
    ['no next one', documentOf({ IsTruncated: true }, upload('key', 'id')), 'not how to ask for them'],
  ])

  test('has those that were asked for, and is asked for more until there is none', async () => {
    answer = text(documentOf({}, upload('elsewhere', '1') + upload('key', '2') + upload('key/more', '3')))
    expect((await list()).uploads.map(({ id }) => id)).toEqual(['2', '3'])
    const more = { IsTruncated: true, NextKeyMarker: 'key', NextUploadIdMarker: '1' }
    for (const values of [more, { IsTruncated: undefined }]) {
      answer = text(documentOf(values, upload('key', '1')))
      expect(await list()).toMatchObject({ next: { key: 'key', id: '1' } })
    }
    answer = text(documentOf({ IsTruncated: undefined }, upload('key', '1')))
    expect(await list({ key: 'key', id: '1' })).toMatchObject({ next: undefined })
  })
})

describe('the creation of an upload', () => {
  const create = () => store.upload.create({ key: 'key', attributes: NO_ATTRIBUTES, checksum: false })
  const NAME = 'InitiateMultipartUploadResult'
  const documentOf = (values, name = NAME) =>
    tag(name, tags({ Bucket: 'bucket', Key: 'key', UploadId: 'id&amp;more', ...values }))

  fails('with %s is none', create, [
    ['no id', documentOf({ UploadId: undefined }), { code: 'NOT_A_STORE' }],
    ['half of it', documentOf({}).slice(0, -9), 'breaks off'],
  ])

  test.each([NAME, 'InitiateMultipartUpload'])('is believed as %s', async name => {
    answer = text(documentOf({}, name))
    expect(await create()).toMatchObject({ id: 'id&more' })
  })
})

describe('a completion', () => {
  const RESULT = tag('CompleteMultipartUploadResult', tags({ Bucket: 'bucket', Key: 'key', ETag: '"made-1"' }))
  const complete = (by = store) =>
    by.upload.complete({ key: 'key', uploadId: 'id', bytes: 1, parts: [{ partNumber: 1, etag: '"part"' }] })

  test.each([
    ['plain', body => body],
    ['with blanks within it', body => `${DECLARATION}${BLANKS}${body}`],
  ])('is what its document says, %s: a result, or an error in a 200', async (_, shape) => {
    answer = text(shape(RESULT))
    expect(await complete()).toEqual({ etag: '"made-1"', versionId: undefined })
    for (const [storeCode, code, retryable] of [
      ['InternalError', 'STORE_ERROR', true],
      ['PreconditionFailed', 'DESTINATION_EXISTS', false],
      ['SomethingOfItsOwn', 'STORE_ERROR', true],
    ]) {
      answer = text(shape(error(storeCode)))
      await expect(complete()).rejects.toMatchObject({ code, retryable, facts: { storeCode } })
    }
  })

  const UNSURE = { code: 'BAD_ANSWER', retryable: true }
  const LOST = { code: 'STORE_UNREACHABLE', retryable: true }
  fails('answered with %s is no success, and worth asking again', () => complete(), [
    ['nothing', '', UNSURE],
    ['a result without its last letter', RESULT.slice(0, -1), UNSURE],
    ['a web page', page(), UNSURE],
  ])
  fails('whose answer is %s is no success, and worth asking again', () => complete(impatient), [
    ['cut off', response => response.write(DECLARATION, () => response.destroy()), LOST],
    ['never finished', response => response.write(DECLARATION), LOST],
  ])

  const XML = { 'content-type': 'application/xml' }
  const parts = by => by.upload.parts({ key: 'key', uploadId: 'id' })
  fails('%s a document of another call is worth asking again', () => parts(impatient), [
    ['half', `${DECLARATION}<ListPartsResult><Part>`, UNSURE],
    ['never finished,', response => response.writeHead(200, XML).write(DECLARATION), LOST],
  ])
})

describe.each([
  ['CreateBucket', () => store.makeContainer({})],
  ['PutObjectTagging', () => store.tags.write({ key: 'k', tags: [['a', 'b']] })],
])('%s', (_, call) => {
  /** There is no such bucket yet. */
  const toWrite = how => (response, request) =>
    request.method === 'HEAD' ? response.writeHead(404).end() : how(response)

  test('answered with nothing is done, and with an error is not', async () => {
    answer = toWrite(text(''))
    await call()
    answer = toWrite(text(error('InternalError')))
    await expect(call()).rejects.toMatchObject({ code: 'STORE_ERROR' })
  })
})

const deleted = (...keys) => keys.map(Key => tag('Deleted', tags({ Key }))).join('')
const failed = key => tag('Error', tags({ Key: key, Code: 'AccessDenied', Message: 'No.' }))
const removing = () => store.removeAll(['a', 'b'])

/** To DeleteObjects and to each DeleteObject. @returns {string[]} the keys of the latter */
function answers(toMany, toOne = response => response.writeHead(204).end()) {
  const single = []
  answer = (response, request) => {
    if (request.method === 'POST') return toMany(response)
    single.push(/^\/bucket\/(\w)/.exec(request.url)[1])
    toOne(response)
  }
  return single
}
const result = inner => text(tag('DeleteResult', inner))

test.each([
  ['all are mentioned', result(deleted('a', 'b')), []],
  ['one is not mentioned', result(deleted('a')), ['b']],
  ['others are mentioned that nobody asked for', result(deleted('x', 'b', 'y')), ['a']],
  ['the answer is nothing', text('', 204), ['a', 'b']],
])('the deletion of some keys where %s: who is not is deleted by itself', async (_, how, expected) => {
  const single = answers(how)
  expect([await removing(), single]).toEqual([[], expected])
})

test('the deletion of some keys a key that is both deleted and refused is refused', async () => {
  const single = answers(result(deleted('a', 'b') + failed('a')))
  expect([await removing(), single]).toEqual([[{ key: 'a', code: 'ACCESS_DENIED', message: 'No.' }], []])
})

test.each([
  ['half of an answer', text('<DeleteResult><Deleted><Key>a</Key></Deleted>'), 'breaks off'],
  ['a web page', page(), 'answers a deletion with a web page'],
])('of the deletion of some keys %s is none: no key counts as deleted', async (_, how, reason) => {
  const single = answers(how)
  await expect(removing()).rejects.toMatchObject(wrong(reason))
  expect(single).toEqual([])
})

test('the deletion of some keys what is refused, or answered with a page, when it is asked for by itself is told so', async () => {
  answers(result(''), page())
  expect(await removing()).toMatchObject(['a', 'b'].map(key => ({ key, code: 'NOT_A_STORE' })))
  answers(result(''), text(error('AccessDenied'), 403))
  expect(await removing()).toMatchObject(['a', 'b'].map(key => ({ key, code: 'ACCESS_DENIED' })))
})

describe('tags', () => {
  test.each([
    [text('<Tagging><TagSet><Tag><Key>ä</Key><Value></Value></Tag></TagSet></Tagging>'), [['ä', '']]],
    [text('<Tagging><TagSet/></Tagging>'), []],
    // S3Mock's.
    [text(''), []],
    [text(error('NoSuchTagSet'), 404), []],
  ])('are what is read (%#)', async (how, expected) => {
    answer = how
    expect(await store.tags.read('key')).toEqual(expected)
  })

  /** The object itself, which does not end. */
  let sent = 0
  function endless(response) {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': 2 ** 40 })
    const more = () => !response.destroyed && response.write(Buffer.alloc(65_536), () => setImmediate(more, ++sent))
    more()
  }

  fails('are not read from %s', () => store.tags.read('key'), [
    ['the object itself', endless, { code: 'NOT_A_STORE' }],
    ['what it lacks', text(error('NotImplemented'), 501), { code: 'STORE_REFUSED', facts: { status: 501 } }],
  ])
  afterEach(() => expect(sent).toBeLessThan(1024))
})

const list = () => store.list({ prefix: '' })

test.each([
  ['within another document', `<ErrorResponse>${error('NoSuchBucket')}</ErrorResponse>`],
  ['that quotes what it does not escape', error('NoSuchBucket', 'a & b')],
])('an error %s is read, also packed', async (_, body) => {
  for (const how of [text(body, 404), text(gzipSync(body), 404, { 'content-encoding': 'gzip' })]) {
    answer = how
    await expect(list()).rejects.toMatchObject({ code: 'NO_SUCH_BUCKET', facts: { storeCode: 'NoSuchBucket' } })
  }
})

const UNNAMED = { facts: { status: 404, storeCode: undefined } }
fails('an error %s', list, [
  ['in a comment does not count', text('<Error><!--<Code>NoSuchBucket</Code>--></Error>', 404), UNNAMED],
  ['of a gateway is recognized by its status, whatever its text', page(429), { code: 'STORE_THROTTLED' }],
])

test('the deletion of many keys that is refused is not asked for again', async () => {
  const many = jest.fn(text(error('NotImplemented'), 501))
  const single = answers(many)
  for (let times = 0; times < 2; times++) expect(await removing()).toEqual([])
  expect([many.mock.calls.length, single.sort().join('')]).toEqual([1, 'aabb'])
})
