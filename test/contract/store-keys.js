'use strict'

/** Of the store contract: a key arrives at the server as it was given, or the server refuses it. */

const { PATH_KEYS, PLAIN_KEYS } = require('../support/keys')
const { bytesOf, get, keysOf, tryPut } = require('../support/s3')

function keyContract({ bucket, traits }) {
  describe('a key', () => {
    it.each(PLAIN_KEYS)('with %s is taken as it stands', async (_, key) => {
      const store = await bucket('keys')
      const body = bytesOf(10, key)
      expect(await tryPut(store, key, body)).toMatchObject({ status: 200 })
      expect(await store.head(key)).toMatchObject({ bytes: 10 })
      expect((await get(store, key)).equals(body)).toBe(true)
      expect(await keysOf(store)).toContain(key)
      const { id } = await store.createUpload({
        key,
        attributes: { metadata: { headers: {}, user: {} } },
        checksum: false,
      })
      const { uploads } = await store.listUploads({ prefix: key })
      expect(uploads).toEqual([expect.objectContaining({ key, id })])
      await store.abortUpload({ key, uploadId: id })
    })

    it.each(PATH_KEYS)('with %s is taken as it stands, or refused, and not for its signature', async (_, key) => {
      const store = await bucket('path-keys')
      const body = bytesOf(10, key)
      const { status, code } = await tryPut(store, key, body)
      if (status === 200) expect((await get(store, key)).equals(body)).toBe(true)
      if (traits().pathKeys) expect(await keysOf(store)).toContain(key)
      else expect(`${status} ${code}`).toMatch(/^(200|400|409) (?!Signature)/)
    })
  })
}

module.exports = { keyContract }
