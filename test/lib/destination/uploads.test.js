'use strict'

/** Aborting uploads of a real store, while parts of them land. */

const { startStore } = require('../../../sandbox/store')
const { abortUntilGone, findLost } = require('../../../lib/destination')
const { bytesOf, openStore, play, uploadsOf } = require('../../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(5 * MiB)

let server
let store
beforeAll(async () => {
  server = await startStore({ buckets: ['bucket'] })
  store = openStore(server, 'bucket')
})
afterAll(async () => {
  store.close()
  await server.close()
})

const create = key => store.upload.create({ key, attributes: { metadata: { headers: {}, user: {} } }, checksum: false })
const upload = async (key, uploadId, partNumber) =>
  play((await store.upload.part({ key, uploadId, partNumber, bytes: BODY.length, checksum: false })).request, BODY)

test('an upload with parts is no more, and of one that is no more nothing is said', async () => {
  const { id } = await create('plain')
  expect((await upload('plain', id, 1)).status).toBe(200)
  expect(await abortUntilGone(store, 'plain', id)).toBe('aborted')
  expect(await uploadsOf(store, 'plain')).toEqual([])
  expect(await abortUntilGone(store, 'plain', id)).toBe('gone')
})

test('parts that land after an abort are aborted too', async () => {
  const { id } = await create('late')
  const left = [{ partNumber: 1 }, { partNumber: 2 }]
  let aborts = 0
  const upload = {
    async abort(input, options) {
      if (++aborts === 3) await store.upload.abort(input, options)
    },
    parts: async (input, options) => (aborts < 3 ? { parts: left.slice(0, 1) } : store.upload.parts(input, options)),
  }
  expect(await abortUntilGone({ upload }, 'late', id)).toBe('aborted')
  expect(aborts).toBe(3)
  expect(await uploadsOf(store, 'late')).toEqual([])
})

test('without permission to list, the abort alone is enough', async () => {
  const rule = server.faults.add({ operation: 'ListParts', status: 403, code: 'AccessDenied' })
  const { id } = await create('unlisted')
  expect(await abortUntilGone(store, 'unlisted', id)).toBe('aborted')
  rule.remove()
  expect(await uploadsOf(store, 'unlisted')).toEqual([])
})

test('a missing permission to abort is reported', async () => {
  const rule = server.faults.add({ operation: 'AbortMultipartUpload', status: 403, code: 'AccessDenied' })
  const { id } = await create('denied')
  await expect(abortUntilGone(store, 'denied', id)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  rule.remove()
  expect(await abortUntilGone(store, 'denied', id)).toBe('aborted')
})

test('an abort is waited for no longer than its signal allows', async () => {
  const signal = AbortSignal.timeout(300)
  const stubborn = { upload: { abort: async () => {}, parts: async () => ({ parts: [{ partNumber: 1 }] }) } }
  await expect(abortUntilGone(stubborn, 'key', 'id', signal)).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

describe('of a creation whose answer was lost', () => {
  const MINUTE_MS = 60_000
  const NOW = Date.UTC(2026, 0, 1)

  /** A store that lists these uploads of one key, each without a part. @param {any[]} uploads @param {string[]} [withParts] */
  const listing = (uploads, withParts = []) => ({
    upload: {
      pending: async () => ({ uploads: uploads.map(upload => ({ key: 'key', initiatedMs: NOW, ...upload })) }),
      parts: async ({ uploadId }) => ({ parts: withParts.includes(uploadId) ? [{ partNumber: 1 }] : [] }),
    },
  })
  const find = (store, more = {}) =>
    findLost({ store, key: 'key', createdMs: NOW, known: new Set(), ours: ['ours'], ...more })
  const ours = { id: 'ours', initiator: 'us' }

  test.each([
    ['of the same user may be it', { initiator: 'us' }, ['one']],
    ['of which the store tells no user may be it', {}, ['one']],
    ['of which it tells no time may be it', { initiatedMs: undefined }, ['one']],
    ['of another user is not', { initiator: 'them' }, []],
    ['of long before is not', { initiatedMs: NOW - 5 * MINUTE_MS }, []],
    ['of long after is not', { initiatedMs: NOW + 60 * MINUTE_MS }, []],
    ['of another key is not', { key: 'key2' }, []],
  ])('one %s', async (_, upload, expected) => {
    expect(await find(listing([ours, { id: 'one', ...upload }]))).toEqual(expected)
  })

  test('one with a part is not, nor one that somebody knows', async () => {
    const uploads = [{ id: 'begun' }, { id: 'known' }, { id: 'young' }]
    expect(await find(listing(uploads, ['begun']), { known: new Set(['known']) })).toEqual(['young'])
  })
})
