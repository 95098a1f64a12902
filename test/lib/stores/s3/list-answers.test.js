'use strict'

/** What a store may answer to questions for lists, byte for byte: what contradicts the question or itself is no list. */

const { once } = require('node:events')
const http = require('node:http')
const { openStore } = require('../../../support/s3')

let server
let store
let answer
beforeAll(async () => {
  server = http.createServer((request, response) => request.resume().on('end', () => answer(response)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${server.address().port}`
  store = openStore({ endpoint, accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' }, 'bucket')
})
afterAll(() => {
  store.close()
  server.closeAllConnections()
  server.close()
})

const text =
  (body, status = 200, type = 'application/xml') =>
  response =>
    response.writeHead(status, { 'content-type': type }).end(body)
const wrong = reason => ({ code: 'BAD_ANSWER', exitCode: 1, message: expect.stringContaining(reason) })
const tag = (name, value) => (value === undefined ? '' : `<${name}>${value}</${name}>`)
const tags = values =>
  Object.entries(values)
    .map(([name, value]) => tag(name, value))
    .join('')

describe('a list of keys', () => {
  const RIGHT = { Name: 'bucket', Prefix: 'in/', KeyCount: 2, IsTruncated: false }
  const ENTRY = {
    Key: 'in/a',
    LastModified: '2026-01-02T03:04:05.000Z',
    ETag: '"e"',
    Size: 1,
    StorageClass: 'STANDARD',
  }
  const entries = (...keys) => keys.map(Key => tag('Contents', tags({ ...ENTRY, Key }))).join('')
  const TWO = entries('in/a', 'in/b')
  const documentOf = (values = {}, contents = TWO) => tag('ListBucketResult', tags({ ...RIGHT, ...values }) + contents)
  const list = (asked = {}) => store.list({ prefix: 'in/', ...asked })

  test('is believed as it is', async () => {
    answer = text(documentOf())
    const object = { bytes: 1, etag: '"e"', lastModifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5), storageClass: undefined }
    expect(await list()).toEqual({
      objects: [
        { key: 'in/a', ...object },
        { key: 'in/b', ...object },
      ],
      next: undefined,
    })
  })

  test.each([
    ['more keys than it counts', documentOf({ KeyCount: 3 }), 'counts 3 keys in a list, and names 2'],
    ['keys in a comment', documentOf({}, `<!--${entries('in/a')}-->${entries('in/b')}`), 'and names 1'],
    [
      'keys of another namespace',
      documentOf(
        { KeyCount: undefined },
        `${entries('in/a')}<x:Contents xmlns:x="urn:x"><x:Key>b</x:Key></x:Contents>`,
      ),
      'of another namespace, "x:Contents"',
    ],
    ['keys under a prefix that is none', documentOf({}, TWO.replaceAll('Contents', 'x:Contents')), '"x:Contents"'],
    ['a count that is none', documentOf({ KeyCount: 'two' }), 'counts "two" keys'],
    ['a count below zero', documentOf({ KeyCount: -1 }), 'counts "-1" keys'],
    ['another bucket', documentOf({ Name: 'other' }), 'for the bucket "bucket" with one for "other"'],
    ['another prefix', documentOf({ Prefix: 'out/' }), 'for the prefix "in/" with one for "out/"'],
    ['a prefix that is shorter', documentOf({ Prefix: 'in' }), 'for the prefix "in/" with one for "in"'],
    ['folders', documentOf({}, `${TWO}<CommonPrefixes><Prefix>in/c/</Prefix></CommonPrefixes>`), 'lists folders'],
    ['a delimiter', documentOf({ Delimiter: '/' }), 'lists folders'],
    ['no word of whether there is more', documentOf({ IsTruncated: 'maybe' }), 'says "maybe" where'],
    ['an entry without a key', documentOf({}, `${TWO}<Contents><Size>1</Size></Contents>`), 'without its key'],
    [
      'an entry without a size',
      documentOf({}, `${TWO}<Contents><Key>in/c</Key></Contents>`),
      '"in/c" without its size',
    ],
    ['a size that is none', documentOf({}, TWO.replace('<Size>1<', '<Size>1 KB<')), '"in/a" without its size'],
    ['a size below zero', documentOf({}, TWO.replace('<Size>1<', '<Size>-1<')), '"in/a" without its size'],
    ['a size too large for any number', documentOf({}, TWO.replace('<Size>1<', '<Size>9999999999999999<')), 'its size'],
    ['two bucket names', documentOf().replace('<Name>', '<Name>bucket</Name><Name>'), 'Name twice'],
    ['half a document', documentOf().slice(0, -20), 'breaks off'],
    ['no end', documentOf().replace('</ListBucketResult>', ''), 'breaks off'],
  ])('with %s is none', async (_, body, reason) => {
    answer = text(body)
    await expect(list()).rejects.toMatchObject(wrong(reason))
  })

  test('with a status other than 200 is refused', async () => {
    answer = text(documentOf(), 206)
    await expect(list()).rejects.toMatchObject(wrong('with the status 206'))
  })

  test('with another start-after key than requested is refused', async () => {
    answer = text(documentOf({ StartAfter: 'in/z' }))
    await expect(list({ after: 'in/' })).rejects.toMatchObject(wrong('beginning "in/" with one for "in/z"'))
    answer = text(documentOf({ StartAfter: 'in%2F' }))
    expect((await list({ after: 'in/' })).objects).toHaveLength(2)
  })

  test.each([
    ['nothing', ''],
    ['a web page', '<!doctype html><html><body>Welcome</body></html>'],
    ['another document', '<ListAllMyBucketsResult/>'],
    ['an empty one', '<ListBucketResult/>'],
    ['words', 'OK'],
  ])('is not %s', async (_, body) => {
    answer = text(body)
    await expect(list()).rejects.toMatchObject({ code: 'NOT_A_STORE' })
  })

  test.each([
    ['Name', ['Name']],
    ['Prefix', ['Prefix']],
    ['KeyCount', ['KeyCount']],
    ['IsTruncated', ['IsTruncated']],
  ])('without %s is one that does not show its end', async (name, lacks) => {
    answer = text(documentOf({ [name]: undefined }))
    expect(await list()).toMatchObject({ objects: [{ key: 'in/a' }, { key: 'in/b' }], lacks })
    answer = text(documentOf({ [name]: '' }))
    expect(await list()).toMatchObject({ lacks })
  })

  test('that has both an end and a continuation token does not count as complete', async () => {
    answer = text(documentOf({ NextContinuationToken: 'more' }))
    expect(await list()).toMatchObject({ next: undefined, lacks: ['an end'] })
  })

  test('may say its prefix encoded or as it is, whatever else it says', async () => {
    const prefix = 'a b+ü%/\u0001'
    const plain = 'a b+ü%/\ufffd'
    for (const said of [encodeURIComponent(prefix), encodeURIComponent(prefix).replaceAll('%20', '+'), plain]) {
      for (const EncodingType of [undefined, 'url']) {
        answer = text(documentOf({ Prefix: said, EncodingType }, ''), 200)
        const failure = await store.list({ prefix }).catch(error => error)
        expect(failure).toMatchObject(wrong('counts 2 keys'))
      }
    }
  })

  test('may leave out ETags and dates of entries', async () => {
    answer = text(
      documentOf({}, TWO.replace('<ETag>"e"</ETag>', '').replace(/<LastModified>[^<]*/, '<LastModified>now')),
    )
    const [first, second] = (await list()).objects
    expect(first).toMatchObject({ key: 'in/a', etag: '', lastModifiedMs: undefined })
    expect(second).toMatchObject({ key: 'in/b', etag: '"e"' })
  })

  test.each(['arn:aws:s3:us-east-1:123456789012:accesspoint/mine', 'mine-abcdef-s3alias', 'tenant:bucket'])(
    'of %s names the bucket behind it',
    async bucket => {
      const { readList } = require('../../../../lib/stores/s3/list')
      const values = { Name: 'bucket', KeyCount: '0', IsTruncated: 'false', Contents: [], CommonPrefixes: [] }
      expect(readList(values, { bucket, prefix: '' }, {})).toEqual({ objects: [], next: undefined })
    },
  )
})

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

  test.each([
    ['another bucket', documentOf({ Bucket: 'other' }, part(1)), 'for the bucket "bucket"'],
    ['another key', documentOf({ Key: 'another' }, part(1)), 'for the key "a/key" with one for "another"'],
    ['another upload', documentOf({ UploadId: 'other' }, part(1)), 'those of another upload'],
    ['a part twice', documentOf({}, part(1) + part(1)), 'part 1 twice'],
    ['a part without a number', documentOf({}, part(undefined)), 'with the number ""'],
    ['a part with the number 0', documentOf({}, part(0)), 'with the number "0"'],
    ['a part with the number 10,001', documentOf({}, part(10_001)), 'with the number "10001"'],
    ['a part without a size', documentOf({}, part(1, { Size: undefined })), 'part 1 without its size'],
    ['a size that is none', documentOf({}, part(1, { Size: '5MB' })), 'part 1 without its size'],
    ['no next one', documentOf({ IsTruncated: true }, part(1)), 'not how to ask for them'],
    ['a next one that is none', documentOf({ IsTruncated: true, NextPartNumberMarker: 'x' }, part(1)), 'not how to'],
    ['a next one that is the same', documentOf({ IsTruncated: true, NextPartNumberMarker: 0 }, part(1)), 'not how to'],
  ])('with %s is none', async (_, body, reason) => {
    answer = text(body)
    await expect(list()).rejects.toMatchObject(wrong(reason))
  })

  test('may tell the key as a path, and encoded', async () => {
    for (const Key of ['a/./b//c', 'a/b/c', 'a%2Fb%2Fc']) {
      answer = text(documentOf({ Key }, part(1)))
      expect((await store.upload.parts({ key: 'a/./b//c', uploadId: 'id' })).parts).toHaveLength(1)
    }
  })

  test('that repeats parts has each once', async () => {
    answer = text(documentOf({}, part(1) + part(2) + part(3)))
    expect((await list('2')).parts.map(({ partNumber }) => partNumber)).toEqual([3])
  })

  test('that does not say whether there is more is asked for more until there is none', async () => {
    answer = text(documentOf({ IsTruncated: undefined }, part(1) + part(2)))
    expect(await list()).toMatchObject({ next: '2' })
    expect(await list('2')).toEqual({ parts: [], next: undefined })
  })

  test('is not an empty document', async () => {
    answer = text('<ListPartsResult/>')
    await expect(list()).rejects.toMatchObject({ code: 'NOT_A_STORE' })
  })
})

describe('a list of uploads', () => {
  const RIGHT = { Bucket: 'bucket', Prefix: 'key', IsTruncated: false }
  const upload = (Key, UploadId) => tag('Upload', tags({ Key, UploadId, Initiated: '2026-01-02T03:04:05.000Z' }))
  const documentOf = (values, uploads) => tag('ListMultipartUploadsResult', tags({ ...RIGHT, ...values }) + uploads)
  const list = marker => store.upload.pending({ prefix: 'key', marker })

  test.each([
    ['another bucket', documentOf({ Bucket: 'other' }, ''), 'for the bucket "bucket"'],
    ['another prefix', documentOf({ Prefix: 'other' }, ''), 'for the prefix "key"'],
    ['an upload without an id', documentOf({}, upload('key', undefined)), 'without its key or its id'],
    ['an upload without a key', documentOf({}, upload(undefined, 'id')), 'without its key or its id'],
    ['no next one', documentOf({ IsTruncated: true }, upload('key', 'id')), 'not how to ask for them'],
  ])('with %s is none', async (_, body, reason) => {
    answer = text(body)
    await expect(list()).rejects.toMatchObject(wrong(reason))
  })

  test('has those that were asked for', async () => {
    answer = text(documentOf({}, upload('elsewhere', '1') + upload('key', '2') + upload('key/more', '3')))
    expect((await list()).uploads.map(({ id }) => id)).toEqual(['2', '3'])
  })

  test('that does not say whether there is more is asked for more until there is none', async () => {
    answer = text(documentOf({ IsTruncated: undefined }, upload('key', '1')))
    expect(await list()).toMatchObject({ next: { key: 'key', id: '1' } })
    expect(await list({ key: 'key', id: '1' })).toMatchObject({ next: undefined })
  })
})

describe('the creation of an upload', () => {
  const create = () =>
    store.upload.create({ key: 'key', attributes: { metadata: { headers: {}, user: {} } }, checksum: false })
  const documentOf = values => tag('InitiateMultipartUploadResult', tags({ Bucket: 'bucket', Key: 'key', ...values }))

  test.each([
    ['another bucket', documentOf({ UploadId: 'id', Bucket: 'other' }), wrong('for the bucket "bucket"')],
    ['another key', documentOf({ UploadId: 'id', Key: 'other' }), wrong('for the key "key" with one for "other"')],
    ['no id', documentOf({}), { code: 'NOT_A_STORE' }],
    ['half of it', documentOf({ UploadId: 'id' }).slice(0, -9), wrong('breaks off')],
    ['a web page', '<html><body/></html>', { code: 'NOT_A_STORE' }],
  ])('with %s is none', async (_, body, failure) => {
    answer = text(body)
    await expect(create()).rejects.toMatchObject(failure)
  })

  test('may have a name of the store’s own', async () => {
    answer = text(documentOf({ UploadId: 'id' }).replaceAll('InitiateMultipartUploadResult', 'InitiateMultipartUpload'))
    expect(await create()).toMatchObject({ id: 'id' })
    answer = text(documentOf({ UploadId: 'id' }).replaceAll('InitiateMultipartUploadResult', 'ListBucketResult'))
    await expect(create()).rejects.toMatchObject({ code: 'NOT_A_STORE' })
  })

  test('is believed as it is', async () => {
    answer = text(documentOf({ UploadId: 'id&amp;more' }))
    expect(await create()).toMatchObject({ id: 'id&more' })
  })
})

describe('an error', () => {
  const list = () => store.list({ prefix: '' })
  const error = (code, message = '') => `<Error><Code>${code}</Code><Message>${message}</Message></Error>`

  test.each([
    ['under a prefix', '<s:Error xmlns:s="urn:x"><s:Code>NoSuchBucket</s:Code></s:Error>'],
    ['within another document', `<ErrorResponse>${error('NoSuchBucket')}</ErrorResponse>`],
    ['that quotes what it does not escape', error('NoSuchBucket', 'a & b')],
    ['with blanks', error(' NoSuchBucket\n')],
  ])('%s is read', async (_, body) => {
    answer = text(body, 404)
    await expect(list()).rejects.toMatchObject({ code: 'NO_SUCH_BUCKET', facts: { storeCode: 'NoSuchBucket' } })
  })

  test('in a comment is ignored', async () => {
    answer = text(`<Error><!--<Code>NoSuchBucket</Code>--></Error>`, 404)
    await expect(list()).rejects.toMatchObject({ facts: { status: 404, storeCode: undefined } })
  })

  test('in place of a list counts, even with status 200', async () => {
    answer = text(error('SlowDown'))
    await expect(list()).rejects.toMatchObject({ code: 'STORE_THROTTLED' })
  })

  test('of a gateway is recognized by its status, whatever its text', async () => {
    answer = text('<html><p>', 429, 'text/html')
    await expect(list()).rejects.toMatchObject({ code: 'STORE_THROTTLED' })
    answer = text('Service Unavailable', 503, 'text/plain')
    await expect(list()).rejects.toMatchObject({ code: 'STORE_ERROR' })
    answer = text('<html><p>', 400, 'text/html')
    await expect(list()).rejects.toMatchObject({ code: 'NOT_A_STORE' })
  })
})
