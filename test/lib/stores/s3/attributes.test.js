'use strict'

const fc = require('fast-check')
const { describing } = require('../../../../actions/copy-range/answers')
const { READ } = require('../../../../lib/stores/s3/rules')
const { attributesOf, headersOf, writeHeaders } = require('../../../../lib/stores/s3/attributes')
const { mailSafe } = require('../../../../lib/http')

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'max-age=60',
  'content-encoding': 'gzip',
  'content-language': 'de',
  'content-disposition': 'attachment; filename="a b"',
  expires: 'Fri, 24 May 2013 00:00:00 GMT',
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
  const found = attributesOf({ ...HEADERS, ...more })
  expect(found).toEqual({
    metadata: {
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'max-age=60',
        'content-encoding': 'gzip',
        'content-language': 'de',
        'content-disposition': 'attachment; filename="a b"',
        expires: 'Fri, 24 May 2013 00:00:00 GMT',
      },
      user: Object.fromEntries([
        ['a', '1'],
        ['b', ''],
        ['__proto__', 'own'],
      ]),
    },
    storageClass: 'STANDARD_IA',
    tags: 3,
    encryption: { kind: 'aws:kms', keyId: 'arn:aws:kms:eu-west-1:1:key/2', ownKey: 'KMS key' },
    redirect: '/elsewhere',
  })
  expect(Object.keys(found.metadata.user)).toContain('__proto__')
})

test('a header with the default value counts as absent', () => {
  const headers = { 'x-amz-storage-class': 'STANDARD', 'x-amz-tagging-count': '0', 'content-language': '' }
  expect(attributesOf(headers)).toEqual({ metadata: { headers: {}, user: {} } })
})

test.each([
  [{ 'x-amz-missing-meta': '2' }, ['user metadata that its store cannot tell (entries: 2)']],
  [{ 'x-amz-object-lock-mode': 'COMPLIANCE' }, ['its object lock']],
  [{ 'x-amz-object-lock-legal-hold': 'ON' }, ['its object lock']],
  [{ 'x-amz-object-lock-legal-hold': 'OFF', 'x-amz-missing-meta': '0' }, undefined],
])('of %j a copy is without %j', (headers, unkept) => {
  expect(attributesOf(headers).unkept).toEqual(unkept)
})

test.each([
  ['aws-chunked', undefined],
  ['aws-chunked,gzip', 'gzip'],
  ['gzip,aws-chunked', 'gzip'],
  ['gzip, aws-chunked', 'gzip'],
  ['br,gzip', 'br,gzip'],
  ['gzip, br', 'gzip, br'],
  ['', undefined],
])('the encoding %p is %p without the framing of the upload', (stored, own) => {
  expect(attributesOf({ 'content-encoding': stored }).metadata.headers['content-encoding']).toBe(own)
})

test('what is expected of a read is what the description was read from', () => {
  const value = fc.stringOf(fc.constantFrom(...'abc ,=é"'), { minLength: 1, maxLength: 12 })
  const optional = Object.keys(HEADERS).filter(name => !name.endsWith('key-id'))
  const user = fc.dictionary(fc.stringOf(fc.constantFrom(...'ab-_.1'), { minLength: 1 }), value)
  fc.assert(
    fc.property(fc.subarray(optional), user, fc.boolean(), (names, meta, keyed) => {
      const told = Object.fromEntries(names.map(name => [name, HEADERS[name]]))
      const prefixed = Object.fromEntries(Object.entries(meta).map(([name, text]) => [`x-amz-meta-${name}`, text]))
      const keyId = keyed && names.includes('x-amz-server-side-encryption')
      const id = 'x-amz-server-side-encryption-aws-kms-key-id'
      const headers = { ...told, ...prefixed, ...(keyId && { [id]: HEADERS[id] }) }
      expect(headersOf(attributesOf(headers))).toEqual(describing(headers, READ.describes))
    }),
  )
})

describe('what is written', () => {
  const metadata = { headers: { 'content-type': 'text/plain' }, user: { color: 'blue', long: 'd\xe9j\xe0' } }
  const how = { encoded: false }

  test('are the headers of all of it', () => {
    const encryption = { kind: 'aws:kms', keyId: 'key' }
    const tags = [
      ['a b', 'c&d=e'],
      ['ä', ''],
    ]
    expect(writeHeaders({ metadata, tags, storageClass: 'GLACIER_IR', encryption }, how)).toEqual({
      'content-type': 'text/plain',
      'x-amz-meta-color': 'blue',
      'x-amz-meta-long': 'd\xe9j\xe0',
      'x-amz-storage-class': 'GLACIER_IR',
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key',
      'x-amz-tagging': 'a%20b=c%26d%3De&%C3%A4=',
    })
  })

  test('has no header for an absent attribute', () => {
    expect(writeHeaders({ metadata, tags: [], encryption: { kind: 'AES256' } }, how)).toEqual({
      'content-type': 'text/plain',
      'x-amz-meta-color': 'blue',
      'x-amz-meta-long': 'd\xe9j\xe0',
      'x-amz-server-side-encryption': 'AES256',
    })
  })

  test('to a store that decodes user metadata is encoded, where it is not ASCII', () => {
    expect(writeHeaders({ metadata }, { encoded: true })).toMatchObject({
      'x-amz-meta-color': 'blue',
      'x-amz-meta-long': '=?UTF-8?B?ZMOpasOg?=',
    })
  })
})

describe('encoded for a store that decodes', () => {
  const bytes = text => Buffer.from(text).toString('latin1')
  /** RFC 2047 sections 2 and 6.2. */
  const decode = text =>
    text
      .split(' ')
      .map(word => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)[1], 'base64').toString())
      .join('')

  test.each([
    ['plain text, tab\tand all', 'plain text, tab\tand all'],
    [bytes('ÄMÄ S3'), '=?UTF-8?B?w4RNw4QgUzM=?='],
    ['d\xe9j\xe0', '=?UTF-8?B?ZMOpasOg?='],
    ['=?UTF-8?B?w4RNw4QgUzM=?=', '=?UTF-8?B?w4RNw4QgUzM=?='],
  ])('%j is %j', (value, encoded) => {
    expect(mailSafe(value)).toBe(encoded)
  })

  test('a long text is words of 75 characters at most, and no character is in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), text => {
        const encoded = mailSafe(bytes(`é${text}`))
        expect(encoded.split(' ').every(word => word.length <= 75)).toBe(true)
        expect(decode(encoded)).toBe(`é${text}`)
      }),
    )
  })
})
