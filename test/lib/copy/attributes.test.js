'use strict'

/** What a copy has in addition to its bytes, and what is told of it. */

const { attributesFor, mtimeOf, tellAttributes } = require('../../../lib/copy/attributes')
const { readAttributes } = require('../../../lib/options')
const { mtime } = require('../../../lib/stores')
const { MTIME } = require('../../../lib/stores/s3/answers')
const { compareAttributes, checkAttributes, createFirstLooks } = require('../../../lib/copy/attributes/kept')
const { openStore, startStore } = require('../../support/opened')
const { put } = require('../../support/s3')

describe('what a copy is given', () => {
  const { MTIME_IN_RFC_3339 } = mtime

  const headers = { 'content-type': 'text/csv', 'cache-control': 'no-store' }
  const metadata = { headers, user: { color: 'blue', size: 'large' } }
  const SOURCE = { metadata, storageClass: 'STANDARD_IA', lastModifiedMs: 1_700_000_000_000 }
  const TAGS = Object.entries({ b: '2', a: '1' })
  const text = 's3://from/key'
  const storeOf = more => ({ can: { classes: 'S3' }, facts: { protocol: 'S3' }, mtime: MTIME, tags: {}, ...more })
  const S3 = storeOf()
  const AZURE = storeOf({
    ...{ can: { classes: 'Azure' }, facts: { protocol: 'Azure Blob' }, mtime: MTIME_IN_RFC_3339 },
    contentHeaders: ['content-type'],
    metadataFault: name => (/^[a-z_]\w*$/i.test(name) ? undefined : 'is no identifier'),
  })
  const LIKE = { source: S3, destination: S3 }
  const given = (options, stores = LIKE, object = SOURCE) =>
    attributesFor(object, readAttributes(options), { tags: TAGS, text, stores })

  test('a header with other characters than a store takes is left out, and told', () => {
    const metadata = { headers: { 'content-type': 'text/\u00fc' }, user: {} }
    const azure = { ...AZURE, asciiHeaders: true }
    const { attributes, notices } = given({}, { source: S3, destination: azure }, { metadata })
    expect(attributes.metadata.headers).toEqual({})
    expect(notices).toMatchObject([{ code: 'ATTRIBUTES_NOT_COPIED', facts: { names: ['its header content-type'] } }])
  })

  describe('a copy is given', () => {
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

    test('a modification time, which an entry of that name that is asked for overrides', () => {
      const userOf = options => given(options).attributes.metadata.user
      expect(userOf({ mtime: true, metadata: 'replace' })).toEqual({ mtime: '1700000000' })
      const wishes = [{ mtime: true }, { mtime: true, metadataSet: { mtime: '5' } }, {}]
      expect(wishes.map(wish => userOf(wish).mtime)).toEqual(['1700000000', '5', undefined])
    })
  })

  const s3cmd = 'atime:1492697140/ctime:1492697123/md5:abc/mtime:1492697123/uid:0/uname:root'
  const OTHER = { mtime: '2017-09-24 19:53:52', 's3cmd-attrs': 'mtime:x' }
  test.each([
    ['as rclone wrote it', { mtime: '1354040105.123456789', 's3cmd-attrs': s3cmd }, '1354040105.123456789'],
    ['as s3cmd wrote it', { 's3cmd-attrs': s3cmd }, '1492697123'],
    ['of the store, where there is something else', OTHER, '1700000000.5'],
  ])('the modification time is read %s', (_, user, expected) => {
    expect(mtimeOf({ metadata: { headers: {}, user }, lastModifiedMs: 1_700_000_000_500 }, S3)).toBe(expected)
  })

  describe('between stores that are not alike', () => {
    const TO_AZURE = { source: S3, destination: AZURE }

    test('what the destination cannot have is left out, and each is told', () => {
      const encryption = { kind: 'aws:kms', keyId: 'KEY', ownKey: 'KMS key' }
      const object = { ...SOURCE, encryption, metadata: { headers: {}, user: { color: 'blue', 'a-b': '1', 9: '2' } } }
      const { attributes, notices } = given({ tags: 'none' }, TO_AZURE, object)
      expect(attributes).toEqual({ metadata: { headers: {}, user: { color: 'blue' } } })
      const codes = ['ENCRYPTION_KEY_NOT_COPIED', 'METADATA_NOT_FITTING', 'STORAGE_CLASS_NOT_CARRIED']
      expect(notices.map(({ code }) => code).sort()).toEqual(codes)
    })

    test('a modification time goes where the programs of the destination look for it', () => {
      const user = { mtime: '1354040105.123456789', color: 'blue' }
      const object = { metadata: { headers: {}, user } }
      const there = given({}, TO_AZURE, object).attributes.metadata
      expect(there.user).toEqual({ mtime: '2012-11-27T18:15:05.123456789Z', color: 'blue' })
      const back = given({}, { source: AZURE, destination: S3 }, { metadata: there })
      expect(back.attributes.metadata.user).toEqual(user)
      // Something else under that name stays.
      const other = { metadata: { headers: {}, user: { mtime: 'yesterday' } } }
      expect(given({}, TO_AZURE, other).attributes.metadata.user).toEqual({ mtime: 'yesterday' })
      const asked = given({ mtime: true }, TO_AZURE, SOURCE).attributes
      expect(asked.metadata.user.mtime).toBe('2023-11-14T22:13:20Z')
      expect(tellAttributes(asked, readAttributes({ mtime: true }), { destination: { store: AZURE } }).mtime).toBe(
        '2023-11-14T22:13:20Z',
      )
    })
  })
})

describe('what is there', () => {
  const text = 's3://to/key'
  const defaultClass = 'STANDARD'
  const described = ({ headers = {}, user = {}, ...more } = {}) => ({ metadata: { headers, user }, ...more })

  /** What is told. @param {object} written @param {object} found */
  function compare(written, found) {
    const how = { metadata: true, defaultClass, text }
    return compareAttributes(described(written), described(found), how).notices.map(({ message }) => message)
  }

  const type = text => ({ headers: { 'content-type': text } })
  const expires = text => ({ headers: { expires: text } })
  const color = text => ({ user: { color: text } })
  const ignored = 'has the content-type text/plain, because its store ignored text/csv'
  const mailed = '=?UTF-8?B?Z3LDtg==?= =?UTF-8?B?w59l?='
  const latin1 = Buffer.from('größe').toString('latin1')
  test.each([
    ['its storage class', { storageClass: 'GLACIER' }, {}, ['STANDARD, because its store ignored GLACIER']],
    ['a content header that is another one', type('text/csv'), type('text/plain'), [ignored]],
    ['the framing alone', {}, { framed: 'aws-chunked' }, ['content-encoding aws-chunked instead of none']],
  ])('is told: %s (%#)', (_, written, found, sentences) => {
    expect(compare(written, found)).toEqual(sentences.map(sentence => expect.stringContaining(sentence)))
  })

  test.each([
    ['what was not asked for', {}, { storageClass: 'COLD', tags: 3, user: { a: '1' }, headers: { expires: 'x' } }],
    ['a type that says nothing', type('binary/octet-stream'), {}],
    ['a type that says the same', type('text/html; charset=UTF-8'), type('text/html;charset=utf-8')],
    ['an expiry that says the same', expires('Wed, 21 Oct 2037 07:28:00 GMT'), expires('2037-10-21T07:28:00Z')],
    // RFC 2047: that is how Amazon S3 and MinIO answer.
    ['what is encoded for mail', color(latin1), color('=?UTF-8?B?Z3LDtsOfZQ==?=')],
    ['what both encode for mail', color(mailed), color('=?utf-8?q?gr=C3=B6=C3=9Fe?=')],
  ])('is none of %s', (_, written, found) => expect(compare(written, found)).toEqual([]))
})

describe('an object that its store has kept otherwise', () => {
  const PLAIN = { headers: {}, user: {} }
  const TAGGED = { metadata: PLAIN, tags: Object.entries({ a: '1', owner: 'me' }) }
  const ETAG = '"ours"'

  /** Where an object is that has lost all that it was written with; nothing may be asked for but that. */
  function place() {
    const head = jest.fn(async () => ({ etag: ETAG, bytes: 1000, metadata: PLAIN }))
    return { store: { can: {}, facts: {}, head, tags: { read: async () => [] } }, key: 'key', text: 's3://bucket/key' }
  }

  // gofakes3 answers a completion with another ETag than it shows then: the size tells.
  test.each([
    ['is told of without its tags', TAGGED, { etag: ETAG }, ['TAGS_NOT_COPIED']],
    ['is not that of somebody else', TAGGED, { etag: '"other"' }, undefined],
    ['is known by its size, too', TAGGED, { etag: '"other"', bytes: 1000 }, ['TAGS_NOT_COPIED']],
  ])('%s', async (_, attributes, written, codes) => {
    const { notices, looked, attributes: kept } = await checkAttributes(place(), attributes, written)
    expect(looked ? notices.map(({ code }) => code) : undefined).toEqual(codes)
    expect(kept).toEqual(looked ? { metadata: PLAIN } : attributes)
  })

  test('is looked at for an Expires that is no date of HTTP, where dates alone are kept', async () => {
    const server = { serverName: 'MinIO', droppedHeaders: ['expires'], buckets: ['kept'] }
    const store = openStore(await startStore(server), 'kept')
    const looked = []
    for (const expires of ['0', 'never', '2037-10-21T07:28:00Z', 'Wed, 21 Oct 2037 07:28:00 GMT']) {
      const etag = await put(store, 'key', Buffer.from('x'), { headers: { expires } })
      const written = { metadata: { headers: { expires }, user: {} } }
      looked.push((await checkAttributes({ store, key: 'key', text: 's3://kept/key' }, written, { etag })).looked)
    }
    expect(looked).toEqual([true, true, true, false])
  })

  test('is looked for once a kind and way, and once more if the first is not what was written', async () => {
    const told = []
    const look = createFirstLooks(({ code }) => told.push(code))
    const there = place()
    const attributes = { metadata: { headers: { 'cache-control': 'no-store' }, user: {} } }
    for (const etag of ['"other"', ETAG, ETAG]) await look(there, attributes, { way: 'put', etag })
    await look(there, attributes, { way: 'copy', etag: ETAG })
    await look(there, { metadata: PLAIN }, { way: 'put', etag: ETAG })
    expect(told).toEqual(['ATTRIBUTES_NOT_KEPT', 'ATTRIBUTES_NOT_KEPT'])
    expect(there.store.head).toHaveBeenCalledTimes(3)
  })
})
