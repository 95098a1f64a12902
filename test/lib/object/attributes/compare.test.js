'use strict'

const { compareAttributes, kindsOf, noticesOfLosses } = require('../../../../lib/object/attributes/compare')

const text = 's3://to/key'
const defaultClass = 'STANDARD'
const TAGS = [
  ['a', '1'],
  ['b', '2'],
]
const described = ({ headers = {}, user = {}, ...more } = {}) => ({ metadata: { headers, user }, ...more })

/** @param {object} written @param {object} found */
function compare(written, found, metadata = true) {
  const given = described(written)
  const there = described(found)
  const { kept, lost } = compareAttributes(given, there, { metadata, defaultClass })
  const told = noticesOfLosses(lost, given, there, { text, defaultClass })
  return { kept, told: told.map(({ message }) => message) }
}

describe('what a store did not keep, and did not say so,', () => {
  test.each([
    ['its storage class', { storageClass: 'GLACIER' }, {}, ['STANDARD, because its store ignored GLACIER']],
    ['its storage class', { storageClass: 'STANDARD' }, { storageClass: 'COLD' }, ['COLD, because its store']],
    ['its encryption', { encryption: { kind: 'AES256' } }, {}, ['it reports no encryption']],
    ['its encryption', { encryption: { kind: 'aws:kms' } }, { encryption: { kind: 'AES256' } }, ['with AES256']],
    ['a content header', { headers: { expires: 'x' } }, {}, ['without expires, because its store did not keep that']],
    [
      'a content header that is another one',
      { headers: { 'content-type': 'text/csv' } },
      { headers: { 'content-type': 'text/plain' } },
      ['has the content-type text/plain, because its store did not keep text/csv'],
    ],
    ['a type', { headers: { 'content-type': 'text/csv' } }, { headers: {} }, ['without content-type']],
    ['user metadata', { user: { a: '1', b: '2' } }, { user: { a: '1' } }, ['without user metadata b']],
    [
      'user metadata that is other',
      { user: { a: '1' } },
      { user: { a: '2' } },
      ['has different values of user metadata a'],
    ],
    [
      'the content encoding, with the framing of the upload',
      { headers: { 'content-encoding': 'gzip' } },
      { headers: { 'content-encoding': 'gzip' }, framed: 'gzip,aws-chunked' },
      ['content-encoding gzip,aws-chunked instead of gzip'],
    ],
    ['the framing alone', {}, { framed: 'aws-chunked' }, ['content-encoding aws-chunked instead of none']],
  ])('is told: %s (%#)', (_, written, found, sentences) => {
    const { told } = compare(written, found)
    expect(told).toEqual(sentences.map(sentence => expect.stringContaining(sentence)))
  })

  test.each([
    ['what was not asked for', {}, { storageClass: 'COLD', tags: 3, user: { a: '1' }, headers: { expires: 'x' } }],
    ['what is there', { storageClass: 'COLD', user: { a: '1' } }, { storageClass: 'COLD', user: { a: '1' } }],
    ['a type that says nothing', { headers: { 'content-type': 'binary/octet-stream' } }, {}],
    [
      'what says the same',
      { headers: { 'content-type': 'text/html; charset=UTF-8', expires: 'Wed, 21 Oct 2037 07:28:00 GMT' } },
      { headers: { 'content-type': 'text/html;charset=utf-8', expires: '2037-10-21T07:28:00Z' } },
    ],
    // RFC 2047: that is how Amazon S3 and MinIO answer.
    [
      'what is encoded for mail',
      { user: { a: Buffer.from('größe').toString('latin1'), b: '=?UTF-8?B?Z3LDtg==?= =?UTF-8?B?w59l?=' } },
      { user: { a: '=?UTF-8?B?Z3LDtsOfZQ==?=', b: '=?utf-8?q?gr=C3=B6=C3=9Fe?=' } },
    ],
  ])('is none of %s', (_, written, found) => {
    expect(compare(written, found)).toMatchObject({ told: [] })
  })

  test('is neither content header nor user metadata, of stores that are known to keep them', () => {
    const written = { headers: { expires: 'x' }, user: { a: '1' } }
    expect(compare(written, { framed: 'aws-chunked' }, false)).toEqual({
      kept: described(written),
      told: [],
    })
  })
})

test('what is left is told as it is there', () => {
  const written = {
    headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip', expires: 'x' },
    user: { a: '1', b: '2' },
    tags: TAGS,
    storageClass: 'GLACIER',
    encryption: { kind: 'AES256' },
  }
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'cache-control': 'its own' }
  const { kept } = compare(written, { headers, user: { a: '1', c: '3' }, framed: 'gzip, aws-chunked' })
  expect(kept).toEqual({
    metadata: { headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip, aws-chunked' }, user: { a: '1' } },
    tags: TAGS,
  })
})

test.each([
  [{}, []],
  [{ storageClass: 'STANDARD' }, []],
  [{ headers: { 'content-type': 'binary/octet-stream' } }, []],
  [{ storageClass: 'COLD' }, ['class COLD']],
  [{ tags: TAGS }, ['tags']],
  [{ encryption: { kind: 'AES256' } }, ['encryption AES256']],
  [
    { headers: { 'content-type': 'text/csv', expires: 'x' }, user: { a: '' } },
    ['content-type', 'expires', 'user metadata'],
  ],
])('of %j these may be lost: %j', (written, kinds) => {
  expect(kindsOf(described(written), { metadata: true, defaultClass })).toEqual(kinds)
  const known = kinds.filter(kind => !['content-type', 'expires', 'user metadata'].includes(kind))
  expect(kindsOf(described(written), { metadata: false, defaultClass })).toEqual(known)
})
