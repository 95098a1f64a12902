'use strict'

/** Of the store contract: objects are described, read in ranges, written whole and listed. */

const { attributesOf, headersOf } = require('../../lib/stores/s3/attributes')
const { bytesOf, get, keysOf, play, put, tryPut } = require('../support/s3')

const METADATA = {
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'max-age=60, private',
    'content-encoding': 'gzip',
    'content-language': 'de-AT',
    'content-disposition': 'attachment; filename="a b.csv"',
    expires: 'Wed, 21 Oct 2037 07:28:00 GMT',
  },
  user: { color: 'dark blue', 'with-dash': 'x=1; y=2' },
}

function objectContract({ bucket, open, traits }) {
  describe('head', () => {
    it('tells size, ETag and age of an object', async () => {
      const store = await bucket('head')
      const etag = await put(store, 'some/object', bytesOf(1234))
      const head = await store.head('some/object')
      expect(head).toMatchObject({ bytes: 1234, etag })
      expect(head.etag).toMatch(/^"[^"]+"$/)
      expect(Math.abs(head.lastModifiedMs - Date.now())).toBeLessThan(60_000)
    })

    it('tells content headers and user metadata as they were written', async () => {
      const store = await bucket('head')
      await put(store, 'described', bytesOf(10), METADATA)
      expect((await store.head('described')).metadata).toEqual(METADATA)
    })

    it('does not take the framing of an upload for the content encoding', async () => {
      const store = await bucket('head')
      await put(store, 'framed', bytesOf(10), { checksum: true })
      await put(store, 'framed-gzip', bytesOf(10), { headers: { 'content-encoding': 'gzip' }, checksum: true })
      expect((await store.head('framed')).metadata.headers).not.toHaveProperty('content-encoding')
      expect((await store.head('framed-gzip')).metadata.headers).toHaveProperty('content-encoding', 'gzip')
    })

    it('tells the full-object CRC-32 of an object that was written with one, and none otherwise', async () => {
      const store = await bucket('head')
      await put(store, 'summed', Buffer.from('123456789'), { checksum: true })
      await put(store, 'unsummed', Buffer.from('123456789'))
      // cbf43926 is the published check value of CRC-32.
      expect((await store.head('summed')).checksum).toEqual({ crc32: 'y/Q5Jg==', type: 'FULL_OBJECT' })
      expect((await store.head('unsummed')).checksum?.type).not.toBe('COMPOSITE')
    })

    it.each([
      ['a missing key', 'head', 'nowhere', 'NO_SUCH_KEY', 3],
      ['a missing bucket', 'no-such-bucket', 'key', 'NO_SUCH_BUCKET', 3],
    ])('says of %s that it is missing', async (_, name, key, code, exitCode) => {
      await bucket('head')
      const store = open(name)
      await expect(store.head(key)).rejects.toMatchObject({ code, exitCode, retryable: false, facts: { bucket: name } })
    })

    it('says that the credentials are refused', async () => {
      await bucket('head')
      const strangers = {
        'an unknown key id': { accessKeyId: 'AKIAUNKNOWN', secretAccessKey: 'x' },
        'a wrong secret': { ...(await credentialsOf(open)), secretAccessKey: 'wrong' },
      }
      for (const credentials of Object.values(strangers)) {
        const store = open('head', { credentials: async () => credentials })
        const refusal = await store.head('some/object').catch(error => error)
        expect(refusal).toMatchObject({ code: 'CREDENTIALS_REFUSED', exitCode: 4, retryable: false })
        expect(`${refusal.message} ${refusal.hint}`).not.toContain(credentials.secretAccessKey)
      }
    })
  })

  describe('read request', () => {
    const body = bytesOf(1000)

    it.each([
      ['the first byte', { start: 0, end: 0 }],
      ['the middle', { start: 100, end: 899 }],
      ['the last byte', { start: 999, end: 999 }],
      ['everything', { start: 0, end: 999 }],
    ])('plays over plain HTTP: %s', async (_, range) => {
      const store = await bucket('read')
      const etag = await put(store, 'object', body)
      const answer = await play(await store.readRequest({ key: 'object', etag, range }))
      expect(answer.status).toBe(206)
      expect(answer.headers['content-range']).toBe(`bytes ${range.start}-${range.end}/1000`)
      expect(answer.headers.etag).toBe(etag)
      expect(answer.body.equals(body.subarray(range.start, range.end + 1))).toBe(true)
    })

    it('plays without a range: the whole object, also an empty one', async () => {
      const store = await bucket('read')
      await put(store, 'object', body)
      await put(store, 'empty', Buffer.alloc(0))
      expect((await get(store, 'object')).equals(body)).toBe(true)
      expect(await get(store, 'empty')).toHaveLength(0)
    })

    it('is refused with 412 once the object is another one', async () => {
      const store = await bucket('read')
      const etag = await put(store, 'changing', body)
      const request = await store.readRequest({ key: 'changing', etag, range: { start: 0, end: 9 } })
      await put(store, 'changing', bytesOf(1000, 'another'))
      expect((await play(request)).status).toBe(412)
    })

    it('tells of the object what its head does, and with a checksum that is kept', async () => {
      const store = await bucket('read')
      const tags = [['a', '1']]
      const etag = await put(store, 'described', body, { ...METADATA, tags, checksum: true })
      const { metadata, storageClass, encryption, tags: count } = await store.head('described')
      for (const range of [undefined, { start: 0, end: 999 }, { start: 1, end: 1 }]) {
        const { headers } = await play(await store.readRequest({ key: 'described', etag, range, checksum: true }))
        const described = attributesOf(headers)
        expect(described).toEqual({
          metadata,
          ...(storageClass && { storageClass }),
          ...(encryption && { encryption }),
          ...(count && { tags: count }),
        })
        expect(attributesOf(headersOf(described))).toEqual(described)
        if (!range) expect(headers['x-amz-checksum-crc32']).toBeDefined()
      }
    })

    it('carries no signature in its URL', async () => {
      const store = await bucket('read')
      const { url, headers } = await store.readRequest({ key: 'object', etag: '"e"', range: { start: 0, end: 1 } })
      expect(url).not.toMatch(/[?]|signature|credential/i)
      expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 /)
    })
  })

  describe('put request', () => {
    it.each([
      ['without a checksum', false],
      ['with a checksum behind the bytes', true],
    ])('plays over plain HTTP %s', async (_, checksum) => {
      const store = await bucket('put')
      for (const body of [Buffer.alloc(0), bytesOf(1), bytesOf(70_000)]) {
        const etag = await put(store, 'object', body, { checksum, ...METADATA })
        expect((await get(store, 'object')).equals(body)).toBe(true)
        expect(await store.head('object')).toMatchObject({ etag, metadata: METADATA })
      }
    })

    it('is refused when the bytes are others than the checksum says', async () => {
      const store = await bucket('put')
      const request = { key: 'corrupted', bytes: 9, attributes: { metadata: { headers: {}, user: {} } } }
      const signed = await store.putRequest({ ...request, checksum: true })
      const { trailer, ...plain } = signed
      const frames = Buffer.from(`9\r\n123456780\r\n0\r\n${trailer}:y/Q5Jg==\r\n\r\n`)
      expect((await play(plain, frames)).status).toBe(400)
      await expect(store.head('corrupted')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
    })

    it('with ifNoneMatch writes a new key, and is refused with 412 over an old one', async () => {
      const store = await bucket('put')
      const put = {
        key: 'once',
        bytes: 3,
        attributes: { metadata: { headers: {}, user: {} } },
        checksum: false,
        condition: { ifNoneMatch: true },
      }
      expect((await play(await store.putRequest(put), Buffer.from('one'))).status).toBe(200)
      expect((await play(await store.putRequest(put), Buffer.from('two'))).status).toBe(412)
      expect((await get(store, 'once')).toString()).toBe('one')
    })
  })

  it('remove takes away the object with that ETag, and where the store heeds that no other', async () => {
    const store = await bucket('remove')
    const etag = await put(store, 'object', bytesOf(10))
    if (traits().conditionalRemoval) {
      const other = store.remove({ key: 'object', etag: '"00000000000000000000000000000000"' })
      await expect(other).rejects.toMatchObject({ facts: { status: 412 }, retryable: false })
      expect((await store.head('object')).etag).toBe(etag)
    }
    await store.remove({ key: 'object', etag })
    await expect(store.head('object')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })

  describe('tags', () => {
    it('are as they were written, and none where there are none', async () => {
      const store = await bucket('tags')
      const tags = [
        ['empty', ''],
        ['project', 'Apollo 11'],
        ['signs', 'a+b-c=d._:/@e'],
      ]
      await put(store, 'tagged', bytesOf(1), { tags })
      await put(store, 'untagged', bytesOf(1))
      expect([...(await store.tags('tagged'))].sort()).toEqual(tags)
      expect(await store.tags('untagged')).toEqual([])
      expect([3, undefined]).toContain((await store.head('tagged')).tags)
      expect((await store.head('untagged')).tags).toBeUndefined()
    })

    it('of a missing object are an error', async () => {
      const store = await bucket('tags')
      await expect(store.tags('nowhere')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
    })
  })

  describe('list', () => {
    const keys = ['a', 'a/b', 'a/c', 'b', 'ä', '🎉'].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

    it('tells the objects of a prefix in the order of their bytes', async () => {
      const store = await bucket('list')
      // A file system cannot have a file and a folder of one name.
      const names = keys.map(key => `in/${key.replace(/^a$/, 'a.txt')}`)
      for (const key of [...names].reverse()) await put(store, key, bytesOf(5))
      await put(store, 'outside', bytesOf(5))
      const expected = names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(await keysOf(store, 'in/')).toEqual(expected)
      const { objects } = await store.list({ prefix: 'outside' })
      expect(objects).toEqual([
        { key: 'outside', bytes: 5, etag: (await store.head('outside')).etag, lastModifiedMs: expect.any(Number) },
      ])
    })

    it('of a prefix that nothing has is empty, and of a missing bucket is an error', async () => {
      const store = await bucket('list')
      expect(await store.list({ prefix: 'nothing/' })).toEqual({ objects: [], next: undefined })
      await expect(open('no-such-bucket').list({ prefix: '' })).rejects.toMatchObject({ code: 'NO_SUCH_BUCKET' })
    })
  })

  it('writes to a missing bucket are refused as such', async () => {
    const { status, code } = await tryPut(open('no-such-bucket'), 'key', bytesOf(1))
    expect({ status, code }).toEqual({ status: 404, code: 'NoSuchBucket' })
  })
}

/** Those that the world's own stores sign with, read off a signature. */
async function credentialsOf(open) {
  const { headers } = await open('head').readRequest({ key: 'k', etag: '"e"' })
  return { accessKeyId: /Credential=([^/]+)\//.exec(headers.authorization)[1] }
}

module.exports = { objectContract, METADATA }
