'use strict'

const { createRequests } = require('../../../lib/doctor/deep-requests')
const { openStore, startStore } = require('../../support/opened')
const { get, put } = require('../../support/s3')

test('what was tried leaves no version, and nothing of others goes', async () => {
  const server = await startStore({ buckets: [{ name: 'kept', versions: true }] })
  const store = openStore(server, 'kept')
  await put(store, 'mine', Buffer.from('mine'))
  const how = { within: '', engine: /** @type {any} */ ({}), signal: AbortSignal.timeout(60_000) }
  const requests = createRequests(store, how)
  const key = `${requests.prefix}name`
  const versions = []
  for (const text of ['first', 'second']) {
    await requests.put('name', text)
    versions.push((await store.head(key)).versionId)
  }
  expect(new Set(versions).size).toBe(2)
  expect(await requests.clean()).toEqual([])
  for (const versionId of versions)
    await expect(store.head(key, { versionId })).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  expect((await get(store, 'mine')).toString()).toBe('mine')
})
