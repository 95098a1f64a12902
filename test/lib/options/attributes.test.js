'use strict'

const { readAttributes } = require('../../../lib/options')

test('without options, attributes are those of the source', () => {
  expect(readAttributes({})).toEqual({
    metadata: 'copy',
    given: { headers: {}, user: {} },
    tags: 'copy',
    storageClass: { copy: true },
    mtime: false,
  })
})

test('headers and user metadata are the bytes that go over the wire', () => {
  const { given } = readAttributes({
    contentType: 'text/html',
    headers: ['Content-Disposition=attachment; filename="ä"', 'expires=2027-01-31'],
    metadataSet: ['Name=日', 'empty=', 'signs=a=b=c'],
  })
  expect(given).toEqual({
    headers: {
      'content-type': 'text/html',
      'content-disposition': 'attachment; filename="\xc3\xa4"',
      expires: 'Sun, 31 Jan 2027 00:00:00 GMT',
    },
    user: { name: '\xe6\x97\xa5', empty: '', signs: 'a=b=c' },
  })
  expect(readAttributes({ metadataSet: { A: '1' } }).given.user).toEqual({ a: '1' })
})

test.each([
  ['2027-01-31T08:00:00Z', 'Sun, 31 Jan 2027 08:00:00 GMT'],
  ['2027-01-31T08:00+02:00', 'Sun, 31 Jan 2027 06:00:00 GMT'],
  ['Sun, 31 Jan 2027 08:00:00 GMT', 'Sun, 31 Jan 2027 08:00:00 GMT'],
])('the date %s is %s', (expires, header) => {
  expect(readAttributes({ headers: { Expires: expires } }).given.headers.expires).toBe(header)
})

test.each([
  [{ sse: 'AES256' }, { kind: 'AES256' }],
  [{ sse: 'aws:kms' }, { kind: 'aws:kms' }],
  [
    { sse: 'aws:kms:dsse', sseKmsKeyId: 'arn:aws:kms:eu-west-1:1:alias/my-key_1' },
    { kind: 'aws:kms:dsse', keyId: 'arn:aws:kms:eu-west-1:1:alias/my-key_1' },
  ],
])('encryption: %j', (options, encryption) => {
  expect(readAttributes(options).encryption).toEqual(encryption)
})

test.each([
  [{ metadata: 'merge' }, '--metadata "merge" is unknown'],
  [{ tags: 'all' }, '--tags "all" is unknown'],
  [{ sse: 'rot13' }, '--sse "rot13" is unknown'],
  [{ sseKmsKeyId: 'k' }, 'no --sse says what it is for'],
  [{ sse: 'AES256', sseKmsKeyId: 'k' }, '--sse AES256 takes none'],
  [{ sse: 'aws:kms', sseKmsKeyId: 'a b' }, '"a b" cannot be a key'],
  [{ sse: 'aws:kms', sseKmsKeyId: '' }, 'cannot be a key'],
  [{ storageClass: 'two words' }, '"two words" cannot be the name'],
  [{ storageClass: '' }, 'cannot be the name'],
  [{ contentType: '' }, '--content-type is empty'],
  [{ contentType: ' text/plain' }, 'begins or ends with a blank'],
  [{ headers: { 'Cache-Control': 'a\nb' } }, '--header Cache-Control holds a line end'],
  [{ headers: { Expires: 'tomorrow' } }, '--header Expires "tomorrow" is not a date'],
  [{ headers: ['Expires=2027-13-01'] }, 'is not a date'],
  [{ headers: { Expires: '' } }, '--header Expires is empty'],
  [{ headers: ['Expires'] }, '--header "Expires" has no value'],
  [{ headers: { 'Content-Type': 'a/b' } }, '"Content-Type" is not a header that'],
  [{ headers: { ETag: 'a' } }, '"ETag" is not a header that'],
  [{ metadataSet: ['color'] }, '--metadata-set "color" has no value'],
  [{ metadataSet: ['=blue'] }, '--metadata-set "" is not a name'],
  [{ metadataSet: ['my color=blue'] }, '"my color" is not a name'],
  [{ metadataSet: ['ä=blue'] }, '"ä" is not a name'],
  [{ metadataSet: ['a=\u0000'] }, '--metadata-set a holds'],
  [{ metadataSet: { a: 1 } }, '--metadata-set a holds'],
])('%j is refused: %s', (options, text) => {
  expect(() => readAttributes(options)).toThrow(expect.objectContaining({ code: 'USAGE', exitCode: 2 }))
  expect(() => readAttributes(options)).toThrow(text)
})
