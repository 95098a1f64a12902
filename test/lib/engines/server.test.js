'use strict'

const { createServerEngine } = require('../../../lib/engines')
const { startStore } = require('../../../sandbox/store')
const { eventOf } = require('../../support/events')
const { bytesOf, get, openStore, put } = require('../../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB)
const NOTHING = { metadata: { headers: {}, user: {} } }

let server
let store
let engine
let from
beforeAll(async () => {
  server = await startStore({ buckets: ['first'] })
  store = openStore(server, 'first')
  engine = createServerEngine(store.serverCopy, store.endpoint)
  from = { bucket: 'first', key: 'source', etag: await put(store, 'source', BODY, { checksum: true }) }
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  store.close()
  await server.close()
})

const partOf = (uploadId, partNumber, start, bytes) => ({
  partNumber,
  bytes,
  copy: { part: { from, key: 'copy', uploadId, partNumber, range: { start, end: start + bytes - 1 } } },
})

it('plays each task by one call, in any number, and no byte comes here', async () => {
  const { id } = await store.upload.create({ key: 'copy', attributes: NOTHING, checksum: true })
  const before = { ...server.requests }
  const outcomes = await engine.run([partOf(id, 1, 0, 5 * MiB), partOf(id, 2, 5 * MiB, 6 * MiB)])
  expect(outcomes).toEqual(
    [5, 6].map((size, i) => ({
      partNumber: i + 1,
      bytes: size * MiB,
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      sums: { crc32: expect.stringMatching(/^[0-9a-f]{8}$/) },
      timing: { startedAtMs: expect.any(Number), firstByteMs: 0, totalMs: expect.any(Number) },
    })),
  )
  expect(server.requests.UploadPartCopy - (before.UploadPartCopy ?? 0)).toBe(2)
  expect(server.requests.GetObject).toBe(before.GetObject)
  const parts = outcomes.map(({ partNumber, etag, bytes, sums }) => ({ partNumber, etag, bytes, sums }))
  await store.upload.complete({ key: 'copy', uploadId: id, parts, bytes: BODY.length })
  expect((await get(store, 'copy')).equals(BODY)).toBe(true)
})

it('copies a whole object', async () => {
  const object = { from, key: 'whole', attributes: NOTHING, keep: { metadata: true, tags: true }, checksum: false }
  const [outcome] = await engine.run([{ partNumber: 1, bytes: BODY.length, copy: { object } }])
  expect(outcome).toMatchObject({ etag: from.etag, object: { etag: from.etag } })
  expect((await get(store, 'whole')).equals(BODY)).toBe(true)
})

it('tells of each task that failed what the store said, and of the others what they did', async () => {
  const { id } = await store.upload.create({ key: 'copy', attributes: NOTHING, checksum: false })
  server.faults.add({ operation: 'UploadPartCopy', partNumber: 2, status: 503 })
  const [one, two] = await engine.run([partOf(id, 1, 0, 5 * MiB), partOf(id, 2, 5 * MiB, 6 * MiB)])
  expect(one.etag).toBeDefined()
  expect(two).toMatchObject({ partNumber: 2, error: { side: 'write', known: { code: 'STORE_THROTTLED' } } })
  await store.upload.abort({ key: 'copy', uploadId: id })
})

it('rejects when it is aborted', async () => {
  const { id } = await store.upload.create({ key: 'copy', attributes: NOTHING, checksum: false })
  server.faults.add({ operation: 'UploadPartCopy', answerDelayMs: 60_000 })
  const begun = eventOf(server, 'begin', ({ operation }) => operation === 'UploadPartCopy')
  const abort = new AbortController()
  const running = engine.run([partOf(id, 1, 0, 5 * MiB)], { signal: abort.signal })
  await begun
  abort.abort()
  await expect(running).rejects.toMatchObject({ code: 'INTERRUPTED' })
  await expect(engine.run([], { signal: abort.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

it('allows a number of calls at once, and nothing holds them back else', async () => {
  expect(await engine.limits()).toMatchObject({ concurrent: 100, perMinute: Infinity, payloadBytes: Infinity })
  expect(engine).toMatchObject({
    name: 'server',
    reach: 'network',
    runsOn: 'store',
    can: { cancel: false, once: true },
    where: server.endpoint,
  })
  await engine.close()
})
