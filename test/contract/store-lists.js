'use strict'

/**
 * Of the store contract: a key arrives at the server as it was given, or the server refuses it; lists begin where they are asked
 * to, in pages as large as they are asked for.
 */

const { PATH_KEYS, PLAIN_KEYS } = require('../support/keys')
const { all, bytesOf, get, keysOf, play, put, tryPut, uploadsOf } = require('../support/stores')
const { NO_METADATA } = require('./store-abilities')

/** Keys that a document, or who reads it, would change; and those that an encoding of addresses may. */
const NASTY = [' in front', 'a+b', 'a%20b', 'a&amp;b', 'a<b>"\'', 'tab\there', 'line\nend', 'return\rhere', 'ä', '😀']
/** What a store may refuse for a name; a key that it has taken it has to list. */
const WILD = ['\u0001', 'a\u007fb', '\u0085', '\u2028', '\ufeff', '\\', ' ', '\n', 'a ', '\u{10fffd}', '\ue000']

function keyContract({ bucket, traits }) {
  describe('a key', () => {
    it.each(PLAIN_KEYS)('with %s is taken as it stands', async (_, key) => {
      const store = await bucket('keys')
      const body = bytesOf(10, key)
      expect(await tryPut(store, key, body)).toMatchObject({ accepted: true })
      expect(await store.head(key)).toMatchObject({ bytes: 10 })
      expect((await get(store, key)).equals(body)).toBe(true)
      if (store.list) expect(await keysOf(store)).toContain(key)
      if (store.limits.maxParts === 1) return
      const upload = { key, attributes: { metadata: NO_METADATA }, checksum: false, bytes: body.length }
      const { id } = await store.upload.create(upload)
      const part = { key, uploadId: id, partNumber: 1, start: 0, bytes: body.length, checksum: false }
      expect(await play(store, 'part', (await store.upload.part(part)).request, body)).toMatchObject({ accepted: true })
      expect(await uploadsOf(store, key)).toEqual([expect.objectContaining({ key, id })])
      await store.upload.abort?.({ key, uploadId: id })
    })

    it.each(PATH_KEYS)('with %s is taken as it stands, or refused, and not for its signature', async (_, key) => {
      const store = await bucket('path-keys')
      const body = bytesOf(10, key)
      const refused = error => ({ accepted: false, status: 400, error })
      const { accepted, status, error } = await tryPut(store, key, body).catch(refused)
      if (accepted) expect((await get(store, key)).equals(body)).toBe(true)
      else expect(`${status} ${error?.exitCode}`).toMatch(/^(400|409) (?!4)/)
      if (!traits().pathKeys) return
      expect(accepted).toBe(true)
      if (store.list) expect(await keysOf(store)).toContain(key)
    })
  })
}

function listContract({ bucket, traits }) {
  const order = () => (traits().utf16 ? byUtf16 : byBytes)

  describe('pages of a list', () => {
    const keys = ['a', 'b', 'b/1', 'b/2', 'b0', 'c', 'ä', '\ufb01', '😀'].map(name => `in/${name}`)

    async function filled() {
      const store = await bucket('pages')
      // Some cannot have a file and a folder of one name.
      for (const key of keys) await put(store, key.replace('in/b/', 'in/b-/'), bytesOf(1))
      await put(store, 'outside', bytesOf(1))
      return { store, sorted: keys.map(key => key.replace('in/b/', 'in/b-/')).sort(order()) }
    }

    it('hold as many as they are asked to, and go on by their markers', async () => {
      const { store, sorted } = await filled()
      const { entries, pages } = await all(marker => store.list({ prefix: 'in/', marker, most: 2 }), 'objects')
      expect(entries.map(({ key }) => key)).toEqual(sorted)
      expect(pages).toBe(5)
    })

    it('begin with the first key above the one that they are to begin behind, whether there is one or not', async () => {
      const { store, sorted } = await filled()
      const behind = ['in/', 'in/a', 'in/aa', 'in/b', 'in/b-', 'in/b-/1', 'in/bzz', 'in/c', 'in/zz', 'in/😀', 'in/😀a']
      for (const after of behind) {
        const { objects } = await store.list({ prefix: 'in/', after })
        const found = objects.map(({ key }) => key)
        expect({ after, found }).toEqual({ after, found: sorted.filter(key => order()(key, after) > 0) })
      }
    })

    it('of one level have what lies deeper as prefixes, once', async () => {
      const { store } = await filled()
      const level = { prefix: 'in/', delimiter: '/', most: 3 }
      const objects = await all(marker => store.list({ ...level, marker }), 'objects')
      const page = async marker => ({ prefixes: [], ...(await store.list({ ...level, marker })) })
      const { entries, pages } = await all(page, 'prefixes')
      const names = ['a', 'b', 'b0', 'c', 'ä', '\ufb01', '😀'].map(name => `in/${name}`)
      expect(objects.entries.map(({ key }) => key)).toEqual(names.sort(order()))
      expect([...new Set(entries)]).toEqual(['in/b-/'])
      expect(pages).toBeGreaterThan(1)
    })

    it('say what each object is, and nothing of the usual storage class', async () => {
      const { store } = await filled()
      const { objects } = await store.list({ prefix: 'in/a', most: 1 })
      const { etag, sums } = await store.head('in/a')
      const told = {
        ...(store.can.keepsTimes && { changedMs: expect.any(Number) }),
        ...(objects[0].sums && { sums }),
        ...(store.can.listsMetadata && { metadata: expect.any(Object) }),
      }
      const known = { key: 'in/a', bytes: 1, etag, lastModifiedMs: expect.any(Number), storageClass: undefined }
      expect(objects).toEqual([{ ...known, ...told }])
    })
  })

  it('keys are listed as they were written, whatever characters they hold', async () => {
    const store = await bucket('nasty')
    for (const key of NASTY) expect(await tryPut(store, key, bytesOf(1))).toMatchObject({ accepted: true })
    const wild = []
    for (const key of traits().tame ? [] : WILD) if ((await tryPut(store, key, bytesOf(1))).accepted) wild.push(key)
    const { entries } = await all(marker => store.list({ prefix: '', marker, most: 5 }), 'objects')
    const doubtful = entries.filter(object => object.doubtful)
    const told = entries.filter(object => !object.doubtful).map(({ key }) => key)
    const unwritable = wild.filter(key => traits().unlistable?.test(key))
    expect(told).toEqual([...NASTY, ...wild].filter(key => !unwritable.includes(key)).sort(order()))
    expect(doubtful).toHaveLength(unwritable.length)
  })
}

/** @param {string} a @param {string} b */
const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** @param {string} a @param {string} b */
const byUtf16 = (a, b) => (a < b ? -1 : Number(a > b))

module.exports = { keyContract, listContract }
