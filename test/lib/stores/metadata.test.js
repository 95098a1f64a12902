'use strict'

const fc = require('fast-check')
const { readMetadata, writeHeaders } = require('../../../lib/stores/s3/metadata')

test('content headers and user metadata are read under their own names', () => {
  const output = {
    ContentType: 'text/plain; charset=utf-8',
    CacheControl: 'max-age=60',
    ContentEncoding: 'gzip',
    ContentLanguage: 'de',
    ContentDisposition: 'attachment; filename="a b"',
    ExpiresString: 'Fri, 24 May 2013 00:00:00 GMT',
    Expires: new Date(0),
    Metadata: { a: '1', b: '' },
    ContentLength: 7,
    ETag: '"e"',
    StorageClass: 'GLACIER',
  }
  expect(readMetadata(output)).toEqual({
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'max-age=60',
      'content-encoding': 'gzip',
      'content-language': 'de',
      'content-disposition': 'attachment; filename="a b"',
      expires: 'Fri, 24 May 2013 00:00:00 GMT',
    },
    user: { a: '1', b: '' },
  })
})

test.each([
  ['as it stood, though it is no date', { ExpiresString: 'never' }, { expires: 'never' }],
  ['from the date, where there is no text', { Expires: new Date(0) }, { expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ['not at all', {}, {}],
])('expires is read %s', (_, output, headers) => {
  expect(readMetadata(output).headers).toEqual(headers)
})

test.each([
  ['aws-chunked', undefined],
  ['aws-chunked,gzip', 'gzip'],
  ['gzip,aws-chunked', 'gzip'],
  ['gzip, aws-chunked', 'gzip'],
  ['br,gzip', 'br,gzip'],
  ['gzip, br', 'gzip, br'],
  ['', undefined],
  [undefined, undefined],
])('the encoding %p is %p without the framing of the upload', (stored, own) => {
  expect(readMetadata({ ContentEncoding: stored }).headers['content-encoding']).toBe(own)
})

test('what is read is what is written', () => {
  const text = fc.stringOf(fc.constantFrom(...'abc -_%é'), { minLength: 1 })
  const name = fc.stringOf(fc.constantFrom(...'abc-_.1'), { minLength: 1 })
  fc.assert(
    fc.property(text, text, fc.dictionary(name, text), (type, disposition, user) => {
      const read = readMetadata({ ContentType: type, ContentDisposition: disposition, Metadata: user })
      const prefixed = Object.fromEntries(Object.entries(user).map(([key, value]) => [`x-amz-meta-${key}`, value]))
      expect(writeHeaders(read)).toEqual({ 'content-type': type, 'content-disposition': disposition, ...prefixed })
    }),
  )
})
