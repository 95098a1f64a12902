'use strict'

const { attributesFor, mtimeOf, tellAttributes, wantsTags } = require('../../../../lib/object/attributes')
const { readAttributes } = require('../../../../lib/options')

const SOURCE = {
  metadata: {
    headers: { 'content-type': 'text/csv', 'cache-control': 'no-store' },
    user: { color: 'blue', size: 'large' },
  },
  storageClass: 'STANDARD_IA',
  lastModifiedMs: 1_700_000_000_000,
}
const TAGS = [
  ['b', '2'],
  ['a', '1'],
]
const text = 's3://from/key'
const given = options => attributesFor(SOURCE, readAttributes(options), { tags: TAGS, text })

describe('a copy is given', () => {
  test('what its source has, when nothing else is asked for', () => {
    const { metadata, storageClass } = SOURCE
    expect(given({})).toEqual({ attributes: { metadata, tags: TAGS, storageClass }, notices: [] })
  })

  test('what is asked for, over what its source has', () => {
    const { attributes } = given({
      contentType: 'text/plain',
      metadataSet: ['Color=red', 'team=a=b'],
      storageClass: 'GLACIER_IR',
      sse: 'aws:kms',
      sseKmsKeyId: 'alias/mine',
      tags: 'none',
    })
    expect(attributes).toEqual({
      metadata: {
        headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
        user: { color: 'red', size: 'large', team: 'a=b' },
      },
      storageClass: 'GLACIER_IR',
      encryption: { kind: 'aws:kms', keyId: 'alias/mine' },
    })
  })

  test('nothing of what describes its source with --metadata replace', () => {
    const { attributes } = given({ metadata: 'replace', cacheControl: 'max-age=1', metadataSet: { a: 'é' } })
    expect(attributes.metadata).toEqual({
      headers: { 'cache-control': 'max-age=1' },
      user: { a: Buffer.from('é').toString('latin1') },
    })
    expect(attributes).toMatchObject({ tags: TAGS, storageClass: 'STANDARD_IA' })
  })

  test('a modification time, which an entry of that name that is asked for overrides', () => {
    expect(given({ mtime: true }).attributes.metadata.user.mtime).toBe('1700000000')
    expect(given({ mtime: true, metadata: 'replace' }).attributes.metadata.user).toEqual({ mtime: '1700000000' })
    expect(given({ mtime: true, metadataSet: { mtime: '5' } }).attributes.metadata.user.mtime).toBe('5')
    expect(given({}).attributes.metadata.user).not.toHaveProperty('mtime')
  })

  test.each([
    [
      { kind: 'aws:kms', keyId: 'KEY', ownKey: 'KMS key' },
      {},
      [expect.stringContaining('with the KMS key KEY; the copy is not')],
    ],
    [{ kind: 'aws:kms', ownKey: 'KMS key' }, {}, [expect.stringContaining('with the KMS key;')]],
    [{ kind: 'aws:kms', keyId: 'KEY', ownKey: 'KMS key' }, { sse: 'AES256' }, []],
    [{ kind: 'AES256' }, {}, []],
  ])('no key of its source, encrypted with %j, and with %j is told %j', (encryption, options, notices) => {
    const found = attributesFor({ ...SOURCE, encryption }, readAttributes(options), { text })
    expect(found.notices.map(({ message }) => message)).toEqual(notices)
    expect(found.attributes.encryption?.kind).toBe(options.sse)
  })

  test('nothing that a copy cannot have, which is told', () => {
    const object = { ...SOURCE, redirect: '/x', unkept: ['its object lock'] }
    expect(attributesFor(object, readAttributes({}), { text }).notices).toMatchObject([
      { message: 'The copy of s3://from/key is without its website redirect location, its object lock.' },
    ])
  })
})

describe('the modification time', () => {
  const s3cmd =
    'atime:1492697140/ctime:1492697123/gid:0/gname:root/md5:abc/mode:33188/mtime:1492697123/uid:0/uname:root'
  test.each([
    ['as rclone wrote it', { mtime: '1354040105.123456789', 's3cmd-attrs': s3cmd }, '1354040105.123456789'],
    ['as rclone wrote it before 1970', { mtime: '-12.5' }, '-12.5'],
    ['as s3cmd wrote it', { 's3cmd-attrs': s3cmd }, '1492697123'],
    ['as s3cmd wrote it first', { 's3cmd-attrs': 'mtime:7/uid:0' }, '7'],
    ['of the store, where s3cmd wrote none', { 's3cmd-attrs': 'atime:7/uid:0' }, '1700000000.5'],
    [
      'of the store, where there is something else',
      { mtime: '2017-09-24 19:53:52', 's3cmd-attrs': 'mtime:x' },
      '1700000000.5',
    ],
    ['of the store', {}, '1700000000.5'],
  ])('is read %s', (_, user, expected) => {
    expect(mtimeOf({ metadata: { headers: {}, user }, lastModifiedMs: 1_700_000_000_500 })).toBe(expected)
  })

  test.each([
    [0, '0'],
    [1000, '1'],
    [10_000, '10'],
    [1001, '1.001'],
    [undefined, undefined],
  ])('of %p ms is %p', (lastModifiedMs, expected) => {
    expect(mtimeOf({ metadata: { headers: {}, user: {} }, lastModifiedMs })).toBe(expected)
  })
})

test.each([
  [{ tags: 0 }, {}, false],
  [{ tags: 2 }, {}, true],
  [{}, {}, true],
  [{ tags: 2 }, { tags: 'none' }, false],
])('tags of %j are asked for with %j: %p', (object, options, expected) => {
  expect(wantsTags(object, readAttributes(options))).toBe(expected)
})

test('what a copy was given is told in short', () => {
  const wish = readAttributes({ mtime: true, sse: 'AES256' })
  const { attributes } = attributesFor(SOURCE, wish, { tags: TAGS, text })
  expect(tellAttributes(attributes, wish)).toEqual({
    headers: SOURCE.metadata.headers,
    user: 3,
    tags: 2,
    storageClass: 'STANDARD_IA',
    encryption: 'AES256',
    mtime: '1700000000',
  })
})
