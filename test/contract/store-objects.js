'use strict'

/** Of the store contract: objects are described, read in ranges, written whole, removed and listed. */

const { NO_METADATA, answersOf, expectedAnswers, hasSums } = require('./store-abilities')
const { bytesOf, framingOf, get, play, put, tryPut } = require('../support/stores')

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

function objectContract({ bucket, open, strangers, traits }) {
  /** What the server keeps of METADATA. */
  const kept = () => traits().keeps?.(METADATA) ?? METADATA

  describe('head', () => {
    it('tells size, ETag and age of an object', async () => {
      const store = await bucket('head')
      const etag = await put(store, 'some/object', bytesOf(1234))
      const head = await store.head('some/object')
      expect(head).toMatchObject({ bytes: 1234, etag })
      expect(head.etag).toMatch(/^"[^"]+"$/)
      expect(Math.abs(head.lastModifiedMs - Date.now())).toBeLessThan(60_000)
      expect(store.roundTripMs?.() ?? 1).toBeLessThan(60_000)
    })

    it('tells the full-object CRC-32 of an object that was written with one, and none otherwise', async () => {
      const store = await bucket('head')
      await put(store, 'summed', Buffer.from('123456789'), { checksum: true })
      await put(store, 'unsummed', Buffer.from('123456789'))
      // cbf43926 is the published check value of CRC-32.
      const kept = hasSums(store) ? 'cbf43926' : undefined
      expect((await store.head('summed')).sums?.crc32).toEqual(kept)
      expect((await store.head('unsummed')).composite).toBeUndefined()
    })

    it.each([
      ['a missing key', 'head', 'nowhere', 'NO_SUCH_KEY', 3],
      ['a missing bucket', 'no-such-bucket', 'key', 'NO_SUCH_BUCKET', 3],
    ])('says of %s that it is missing', async (_, name, key, code, exitCode) => {
      await bucket('head')
      const store = await open(name)
      const { bucketless, bucketFact = text => text } = traits()
      const missing = { code: bucketless ? 'NO_SUCH_KEY' : code, exitCode, retryable: false }
      await expect(store.head(key)).rejects.toMatchObject({ ...missing, facts: { bucket: bucketFact(name) } })
    })

    it('says that the credentials are refused', async () => {
      await bucket('head')
      for (const { settings, secret } of strangers()) {
        const store = await open('head', settings)
        const refusal = await store.head('some/object').catch(error => error)
        const code = traits().denies ? 'ACCESS_DENIED' : 'CREDENTIALS_REFUSED'
        expect(refusal).toMatchObject({ code, exitCode: 4, retryable: false })
        expect(`${refusal.message} ${refusal.hint}`).not.toContain(secret)
      }
    })
  })

  describe('read request', () => {
    const body = bytesOf(1000)

    it.each([
      ['the first byte', { start: 0, end: 0 }],
      ['the last byte', { start: 999, end: 999 }],
      ['everything', { start: 0, end: 999 }],
    ])('plays over plain HTTP: %s', async (_, range) => {
      const store = await bucket('read')
      const etag = await put(store, 'object', body)
      const answer = await play(store, 'read', (await store.read({ key: 'object', etag, range })).request)
      // Ranges are HTTP's own: RFC 9110 section 14.
      expect(answer).toMatchObject({ accepted: true, status: 206, etag })
      expect(answer.headers['content-range']).toBe(`bytes ${range.start}-${range.end}/1000`)
      expect(answer.body.equals(body.subarray(range.start, range.end + 1))).toBe(true)
    })

    it('is refused as changed once the object is another one', async () => {
      const store = await bucket('read')
      const etag = await put(store, 'changing', body)
      const { request } = await store.read({ key: 'changing', etag, range: { start: 0, end: 9 } })
      await put(store, 'changing', bytesOf(1000, 'another'))
      const changed = { accepted: false, changed: true, error: { code: 'SOURCE_CHANGED' } }
      expect(await play(store, 'read', request)).toMatchObject(changed)
    })

    it('tells of the object what its head does, and with a checksum that is kept', async () => {
      const store = await bucket('read')
      if (traits().silentReads) return
      const tags = store.tags ? [['a', '1']] : []
      const etag = await put(store, 'described', body, { ...METADATA, tags, checksum: true })
      const head = await store.head('described')
      const { metadata, storageClass, encryption, tags: count } = head
      for (const range of [undefined, { start: 0, end: 999 }, { start: 1, end: 1 }]) {
        const { request } = await store.read({ key: 'described', etag, range, checksum: true })
        const { told, described } = await play(store, 'read', request)
        const { sums, composite, encrypted, versionId, ...description } = store.readDescription(told)
        const kept = { ...(storageClass && { storageClass }), ...(encryption && { encryption }) }
        expect(description).toEqual({ metadata, ...kept, ...(count && { tags: count }) })
        expect([encrypted, versionId ?? head.versionId]).toEqual([head.encrypted, head.versionId])
        expect(store.describingHeaders(description)).toEqual(described)
        if (!range && hasSums(store)) expect(sums).toEqual(head.sums)
      }
    })
  })

  describe('put request', () => {
    it.each([
      ['without a checksum', false],
      ['with a checksum, where the store takes one with the bytes', true],
    ])('plays over plain HTTP %s', async (_, checksum) => {
      const store = await bucket('put')
      for (const body of [Buffer.alloc(0), bytesOf(1), bytesOf(70_000)]) {
        const etag = await put(store, 'object', body, { checksum, ...METADATA })
        expect((await get(store, 'object')).equals(body)).toBe(true)
        expect(await store.head('object')).toMatchObject({ etag, metadata: kept() })
      }
    })

    it('is answered with the checksums that the store declares', async () => {
      const store = await bucket('put')
      if (traits().silentPuts) return
      for (const body of [Buffer.alloc(0), bytesOf(70_000)]) {
        const { told } = await tryPut(store, 'answered', body)
        expect(answersOf(store, told)).toEqual(expectedAnswers(store, body))
      }
    })

    it('is refused when the bytes are others than the checksum says', async () => {
      const store = await bucket('put')
      const attributes = { metadata: NO_METADATA }
      const { request } = await store.put({ key: 'corrupted', bytes: 9, attributes, checksum: true })
      if (store.can.sumAt !== 'trailer') return expect(framingOf(request)).toBeUndefined()
      const summed = Buffer.from('123456789')
      const answer = await play(store, 'put', request, Buffer.from('123456780'), { summed })
      expect(answer).toMatchObject({ accepted: false, status: 400 })
      await expect(store.head('corrupted')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
    })

    it('with ifNoneMatch writes a new key, and is refused over an old one where the store heeds conditions', async () => {
      const store = await bucket('put')
      const condition = { ifNoneMatch: true }
      const once = { key: 'once', bytes: 3, attributes: { metadata: NO_METADATA }, checksum: false, condition }
      const write = async text => play(store, 'put', (await store.put(once)).request, Buffer.from(text))
      expect(await write('one')).toMatchObject({ accepted: true })
      const heeds = store.heeds?.({ upload: false }) ?? false
      expect(heeds).toBe(traits().conditions)
      if (!heeds) return
      expect(await write('two')).toMatchObject({ accepted: false, error: { code: 'DESTINATION_EXISTS', exitCode: 7 } })
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

  it('tags are as they were written, and none where there are none', async () => {
    const store = await bucket('tags')
    await put(store, 'untagged', bytesOf(1))
    expect((await store.head('untagged')).tags).toBeUndefined()
    if (!store.tags) {
      const write = tryPut(store, 'tagged', bytesOf(1), { tags: [['project', 'Apollo 11']] })
      const refused = { code: 'STORE_REFUSED', facts: { status: 501 }, retryable: false }
      return expect(write).rejects.toMatchObject(refused)
    }
    const { tagSigns = 'a+b-c=d._:/@e' } = traits()
    const tags = Object.entries({ empty: '', project: 'Apollo 11', signs: tagSigns })
    await put(store, 'tagged', bytesOf(1), { tags })
    expect([...(await store.tags.read('tagged'))].sort()).toEqual(tags)
    expect(await store.tags.read('untagged')).toEqual([])
    expect([3, undefined]).toContain((await store.head('tagged')).tags)
  })

  it('list of a prefix that nothing has is empty, and of a missing bucket is an error', async () => {
    const store = await bucket('list')
    if (!store.list) return
    expect(await store.list({ prefix: 'nothing/' })).toEqual({ objects: [], next: undefined })
    const missing = await open('no-such-bucket')
    await expect(missing.list({ prefix: '' })).rejects.toMatchObject({ code: 'NO_SUCH_BUCKET' })
  })

  it('writes to a missing bucket are refused as such', async () => {
    if (traits().makesBuckets) return
    const { accepted, error } = await tryPut(await open('no-such-bucket'), 'key', bytesOf(1))
    expect({ accepted, code: error?.code }).toEqual({ accepted: false, code: 'NO_SUCH_BUCKET' })
  })
}

module.exports = { objectContract }
