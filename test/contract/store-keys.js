'use strict'

/** Of the store contract: a key arrives at the server as it was given, or the server refuses it. */

const { PATH_KEYS, PLAIN_KEYS } = require('../support/keys')
const { NO_METADATA } = require('./store-abilities')
const { bytesOf, get, keysOf, play, tryPut, uploadsOf } = require('../support/stores')

function keyContract({ bucket, traits }) {
  describe('a key', () => {
    it.each(PLAIN_KEYS)('with %s is taken as it stands', async (_, key) => {
      const store = await bucket('keys')
      const body = bytesOf(10, key)
      expect(await tryPut(store, key, body)).toMatchObject({ accepted: true })
      expect(await store.head(key)).toMatchObject({ bytes: 10 })
      expect((await get(store, key)).equals(body)).toBe(true)
      if (store.list) expect(await keysOf(store)).toContain(key)
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
      if (traits().pathKeys) expect(accepted).toBe(true)
      if (traits().pathKeys && store.list) expect(await keysOf(store)).toContain(key)
    })
  })
}

module.exports = { keyContract }
