'use strict'

const fc = require('fast-check')
const { readDescription, writeHeaders } = require('../../../../lib/stores/s3/answers')
const { headerTexts, mailSafe } = require('../../../../lib/http')
const { MTIME_IN_RFC_3339 } = require('../../../../lib/stores').mtime

const STANDARD = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'max-age=60',
  'content-encoding': 'gzip',
  'content-language': 'de',
  'content-disposition': 'attachment; filename="a b"',
  expires: 'Fri, 24 May 2013 00:00:00 GMT',
}
const HEADERS = {
  ...STANDARD,
  'x-amz-meta-a': '1',
  'x-amz-meta-b': '',
  'x-amz-meta-__proto__': 'own',
  'x-amz-storage-class': 'STANDARD_IA',
  'x-amz-tagging-count': '3',
  'x-amz-server-side-encryption': 'aws:kms',
  'x-amz-server-side-encryption-aws-kms-key-id': 'arn:aws:kms:eu-west-1:1:key/2',
  'x-amz-website-redirect-location': '/elsewhere',
}

test('what an object is described by is read from the headers of an answer, and nothing else', () => {
  const more = { etag: '"e"', 'content-length': '7', 'x-amz-request-id': 'id', server: 'S3', 'last-modified': 'now' }
  const found = readDescription({ ...HEADERS, ...more })
  expect(found).toEqual({
    metadata: { headers: STANDARD, user: { a: '1', b: '', ['__proto__']: 'own' } },
    storageClass: 'STANDARD_IA',
    tags: 3,
    encryption: { kind: 'aws:kms', keyId: 'arn:aws:kms:eu-west-1:1:key/2', ownKey: 'KMS key' },
    redirect: '/elsewhere',
    encrypted: true,
  })
  expect(Object.keys(found.metadata.user)).toContain('__proto__')
})

test('a header with the default value counts as absent', () => {
  const headers = { 'x-amz-storage-class': 'STANDARD', 'x-amz-tagging-count': '0', 'content-language': '' }
  expect(readDescription(headers)).toEqual({ metadata: { headers: {}, user: {} } })
})

test.each([
  [{ 'x-amz-missing-meta': '2' }, ['user metadata that its store cannot tell (entries: 2)']],
  [{ 'x-amz-object-lock-legal-hold': 'OFF', 'x-amz-missing-meta': '0' }, undefined],
])('of %j a copy is without %j', (headers, unkept) => expect(readDescription(headers).unkept).toEqual(unkept))

test.each([
  ['aws-chunked', undefined],
  ['gzip,aws-chunked', 'gzip'],
])('the encoding %p is %p without the framing of the upload', (stored, own) => {
  expect(readDescription({ 'content-encoding': stored }).metadata.headers['content-encoding']).toBe(own)
})

const metadata = { headers: { 'content-type': 'text/plain' }, user: { color: 'blue', long: 'd\xe9j\xe0' } }

const ENCRYPTION = 'x-amz-server-side-encryption'
test.each([
  ['the metadata', { encryption: { kind: 'AES256' } }, { [ENCRYPTION]: 'AES256' }],
  ['a class', { storageClass: 'GLACIER_IR' }, { 'x-amz-storage-class': 'GLACIER_IR' }],
  ['tags', { tags: Object.entries({ 'a b': 'c&d=e', ä: '' }) }, { 'x-amz-tagging': 'a%20b=c%26d%3De&%C3%A4=' }],
  ['a key', { encryption: { keyId: 'k', kind: 'x' } }, { [ENCRYPTION]: 'x', [`${ENCRYPTION}-aws-kms-key-id`]: 'k' }],
])('what is written are the headers of %s, and none of what is absent', (_, attributes, more) => {
  const described = { 'content-type': 'text/plain', 'x-amz-meta-color': 'blue', 'x-amz-meta-long': 'd\xe9j\xe0' }
  expect(writeHeaders({ metadata, tags: [], ...attributes }, { encoded: false })).toEqual({ ...described, ...more })
})

const bytes = text => Buffer.from(text).toString('latin1')
/** RFC 2047 sections 2 and 6.2. */
const decode = words =>
  words.map(word => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)[1], 'base64').toString()).join('')

test.each([
  [bytes('ÄMÄ S3'), '=?UTF-8?B?w4RNw4QgUzM=?='],
  ['d\xe9j\xe0', '=?UTF-8?B?ZMOpasOg?='],
  ['=?UTF-8?B?w4RNw4QgUzM=?=', '=?UTF-8?B?w4RNw4QgUzM=?='],
])('encoded for a store that decodes, %j is %j', (value, encoded) => expect(mailSafe(value)).toBe(encoded))

test.each([
  [bytes('Zoë 日本'), 'Zoë 日本'],
  ['=?UTF-8?B?Wm/Dqw==?= =?utf-8?q?_M=C3=BCller?=', 'Zoë Müller'],
  ['d\xe9j\xe0', 'déjà'],
  ['=?ISO-8859-1?Q?a?=', '=?ISO-8859-1?Q?a?='],
])('the header %j is told as %j', (value, text) => expect(headerTexts({ value })).toEqual({ value: text }))

test('a long text, encoded for such a store, is words of 75 characters at most, and no character is in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), text => {
      const words = mailSafe(bytes(`é${text}`)).split(' ')
      expect([words.filter(word => word.length > 75), decode(words)]).toEqual([[], `é${text}`])
    }),
  )
})

test.each([
  ['0', '1970-01-01T00:00:00Z'],
  ['1354040105.123456789', '2012-11-27T18:15:05.123456789Z'],
])('the date of a file of %s s since the epoch is %s, and the other way round', (seconds, mtime) => {
  expect([MTIME_IN_RFC_3339.write(seconds), MTIME_IN_RFC_3339.read({ mtime })]).toEqual([{ mtime }, seconds])
})

const NO_DATES = [undefined, '', '1492697123', 'yesterday', '2017-04-20', '2017-13-20T00:00:00Z']
test.each(NO_DATES)('the date of a file is not in %j', mtime => {
  expect(MTIME_IN_RFC_3339.read({ mtime })).toBeUndefined()
})
