'use strict'

/** Whether a store that nobody knows checks the checksums of parts: seen with an upload of its own, and aborted. */

const { createTrust } = require('../../../lib/destination')
const { openStore, startStore } = require('../../support/opened')
const { bytesOf, get, keysOf, put, uploadsOf } = require('../../support/s3')

const UNKNOWN = { serverName: 'Oddity/1.0', buckets: ['bucket'] }

async function storeOf(options) {
  const server = await startStore({ ...UNKNOWN, ...options })
  return { server, store: openStore(server, 'bucket') }
}

/** Faults at one part of an upload. */
const OF_PART = partNumber => ({ operation: 'UploadPart', partNumber })
const BUSY = { status: 409, code: 'OperationAborted' }
const TAKEN = { status: 400, code: 'BadDigest', afterWork: true }

/** What a journal was told. */
function journalOf() {
  const facts = []
  return { facts, write: async fact => void facts.push(fact), uploads: async () => [] }
}

test.each([
  ['checks', {}, true],
  ['takes wrong ones', { checksumCheck: false }, false],
  ['takes wrong ones, and echoes them of uploads', { checksumCheck: false, checksumEcho: 'uploads' }, false],
  ['finds wrong ones at the completion alone', { checksumCheck: 'completion' }, false],
  ['knows no checksums', { checksums: false }, false],
  ['takes wrong ones, and is busy', { checksumCheck: false, faults: [{ ...OF_PART(2), ...BUSY }] }, false],
  ['keeps the framing of a part', { framing: 'kept' }, false],
  ['keeps the framing, and says that it refuses', { framing: 'kept', faults: [{ ...OF_PART(2), status: 400 }] }, false],
  ['says that it refuses what it takes', { checksumCheck: false, faults: [{ ...OF_PART(2), ...TAKEN }] }, false],
  ['refuses the right one too', { faults: [{ ...OF_PART(1), status: 400, code: 'Odd' }] }, false],
  ['loses the right one', { checksumCheck: false, faults: [{ ...OF_PART(1), status: 200 }] }, false],
  ['redirects the wrong one', { checksumCheck: false, faults: [{ ...OF_PART(2), status: 307 }] }, false],
  ['checks, and is busy before', { faults: [{ ...OF_PART(1), nth: 1, status: 503, code: 'SlowDown' }] }, true],
  ['checks, and is broken between', { faults: [{ ...OF_PART(2), nth: 1, status: 500, code: 'Odd' }] }, true],
  ['checks, and has too many between', { faults: [{ ...OF_PART(2), nth: 1, status: 429, code: 'Odd' }] }, true],
  ['is broken each time', { checksumCheck: false, faults: [{ ...OF_PART(2), status: 500, code: 'Odd' }] }, false],
  ['refuses uploads', { faults: [{ operation: 'CreateMultipartUpload', status: 403, code: 'AccessDenied' }] }, false],
])('a store that %s', async (_, options, checks) => {
  const { store } = await storeOf(options)
  const journal = journalOf()
  expect(await createTrust(store, { retries: 1 }).part({ key: 'some/key', journal })).toBe(checks)
  expect([await uploadsOf(store, 'some/key.xfer-canary'), await keysOf(store, '')]).toEqual([[], []])
  const begun = journal.facts.filter(({ type }) => type === 'left').map(({ upload }) => upload)
  expect(begun[0]).toBe('')
  const gone = journal.facts.filter(({ type }) => type === 'gone').map(({ upload }) => upload)
  expect(gone.toSorted()).toEqual(begun.toSorted())
})

test('a store that checks another checksum does not check the CRC-32', () => {
  const checks = checked => createTrust(/** @type {any} */ ({ can: { sums: { checked } } })).put()
  expect([['crc32c', 'crc32'], ['crc32c'], []].map(checks)).toEqual([true, false, false])
})

test('a store that has not answered yet is asked for its name, once, and is known by it', async () => {
  const { server, store } = await storeOf({ serverName: 'MinIO' })
  const trust = createTrust(store)
  expect(await Promise.all(['a', 'b'].map(key => trust.part({ key })))).toEqual([true, true])
  expect(server.requests).toEqual({ ListObjectsV2: 1 })
  expect(trust.put()).toBe(true)
})

test('one that may not be listed tells its name too, and an abort ends the question', async () => {
  const denied = { operation: 'ListObjectsV2', status: 403, code: 'AccessDenied' }
  const { server, store } = await storeOf({ serverName: 'MinIO', faults: [denied] })
  expect(await createTrust(store).known({ prefix: '' })).toBe(true)
  expect(server.requests.CreateMultipartUpload).toBeUndefined()
  const other = await storeOf({ faults: [{ operation: 'ListObjectsV2', stall: true }] })
  const signal = AbortSignal.timeout(200)
  await expect(createTrust(other.store).part({ key: 'key', signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(other.server.requests.CreateMultipartUpload).toBeUndefined()
})

test('it is found out once, and no object is written', async () => {
  const { server, store } = await storeOf({})
  const trust = createTrust(store)
  expect(await Promise.all(['a', 'b', 'c'].map(key => trust.part({ key })))).toEqual([true, true, true])
  const { AbortMultipartUpload, ...requests } = server.requests
  expect(requests).toMatchObject({ CreateMultipartUpload: 1, UploadPart: 2 })
  expect(AbortMultipartUpload).toBeGreaterThan(0)
  expect(server.requests.PutObject).toBeUndefined()
  expect(trust.put()).toBe(false)
})

test('an object that is there stays there, where an abort deletes the object of its key', async () => {
  const { server, store } = await storeOf({ abortDeletes: true })
  await put(store, 'key', bytesOf(100))
  expect(await createTrust(store).part({ key: 'key' })).toBe(true)
  expect(server.requests.AbortMultipartUpload).toBeGreaterThan(0)
  expect((await get(store, 'key')).equals(bytesOf(100))).toBe(true)
})

test('an upload that cannot be aborted is told of', async () => {
  const denied = { operation: 'AbortMultipartUpload', status: 403, code: 'AccessDenied' }
  const { store } = await storeOf({ faults: [denied] })
  const said = []
  const trust = createTrust(store, { emit: ({ message }) => said.push(message) })
  expect(await trust.part({ key: 'key' })).toBe(true)
  const [upload] = await uploadsOf(store, 'key.xfer-canary')
  expect(said).toEqual([expect.stringContaining(upload.id ?? upload)])
})

test('an abort does not wait for it', async () => {
  const { store } = await storeOf({ faults: [{ operation: 'UploadPart', stall: true }] })
  const asked = createTrust(store).part({ key: 'key', signal: AbortSignal.timeout(300) })
  await expect(asked).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(await uploadsOf(store, 'key.xfer-canary')).toEqual([])
})
