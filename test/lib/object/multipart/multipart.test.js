'use strict'

/** The route `multipart` against a real store whose ETags are no checksums (as with SSE-KMS), and late twins. */

const { createTrust, findWritten } = require('../../../../lib/destination')
const { createLocalEngine } = require('../../../../lib/engines/local/engine')
const { writeMultipart } = require('../../../../lib/object/multipart')
const { NO_JOURNAL } = require('../../../../lib/job')
const { startStore } = require('../../../../sandbox/store')
const { bytesOf, sumsOf, get, openStore, play, put, uploadsOf } = require('../../../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(12 * MiB)
const PARTS = [0, 5, 10].map((start, i) => ({
  partNumber: i + 1,
  start: start * MiB,
  bytes: i === 2 ? 2 * MiB : 5 * MiB,
}))
const NO_METADATA = { headers: {}, user: {} }
const bodyOf = ({ start, bytes }) => BODY.subarray(start, start + bytes)

let server
let store
let engine
beforeAll(async () => {
  server = await startStore({ buckets: ['bucket'], md5Etags: false })
  store = openStore(server, 'bucket')
  engine = createLocalEngine({ threads: 1 })
  await put(store, 'source', BODY)
})
afterAll(async () => {
  store.close()
  await engine.close()
  await server.close()
})

/** Copies `source` to a key with the engine as `run` changes it. */
async function copyWith(key, run) {
  const side = { store, key, text: `s3://bucket/${key}` }
  return await writeMultipart({
    job: {
      source: { store, key: 'source', text: 's3://bucket/source' },
      destination: side,
      engine: { ...engine, run },
      settings: { verify: 'auto', proved: true, retries: 0, condition: {} },
      trust: createTrust(store),
      run: { journal: NO_JOURNAL, emit() {} },
      keepsUploads: () => false,
    },
    object: await store.head('source'),
    attributes: { metadata: NO_METADATA },
    plan: { route: 'multipart', bytes: BODY.length, partBytes: 5 * MiB, parts: PARTS, notices: [] },
    concurrency: 3,
    limits: await engine.limits(),
    restart() {},
    reading: () => () => {},
  })
}

test('a twin that comes late and changes the ETag of its part does no harm', async () => {
  const twins = []
  const written = await copyWith('twins', async (tasks, options) => {
    const outcomes = await engine.run(tasks, options)
    const [{ partNumber, write }] = tasks
    const { status, headers } = await play(write, bodyOf(PARTS[partNumber - 1]))
    twins.push([outcomes[0].etag, headers.etag, status])
    return outcomes
  })
  for (const [first, second, status] of twins) {
    expect(status).toBe(200)
    expect(second).not.toBe(first)
  }
  expect(twins).toHaveLength(3)
  expect(written.sums).toMatchObject(sumsOf(BODY))
  expect((await get(store, 'twins')).equals(BODY)).toBe(true)
})

test('a part that somebody wrote over with other bytes ends the copy, and nothing is left', async () => {
  const copied = copyWith('spoilt', async (tasks, options) => {
    const outcomes = await engine.run(tasks, options)
    const [{ partNumber, write }] = tasks
    if (partNumber === 2) await play(write, bytesOf(5 * MiB, 'other'))
    return outcomes
  })
  await expect(copied).rejects.toMatchObject({ code: 'INTEGRITY', exitCode: 8 })
  await expect(store.head('spoilt')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  expect(await uploadsOf(store, 'spoilt')).toEqual([])
})

describe('parts at the destination that no journal knows', () => {
  let place
  const write = async (part, bytes = bodyOf(part), checksum = true) => {
    const { key, uploadId } = place
    const { partNumber } = part
    const { request } = await store.upload.part({ key, uploadId, partNumber, bytes: bytes.length, checksum })
    return (await play(request, bytes)).headers.etag
  }
  const begin = async checksum => {
    const { id } = await store.upload.create({ key: 'unknown', attributes: { metadata: NO_METADATA }, checksum })
    place = { store, key: 'unknown', uploadId: id }
  }
  afterEach(() => store.upload.abort({ key: 'unknown', uploadId: place.uploadId }))

  test('those that are there count as copied', async () => {
    await begin(true)
    const etag = await write(PARTS[1])
    await write(PARTS[2])
    const found = await findWritten(place, PARTS.slice(0, 2), undefined, { checked: true })
    expect(found).toMatchObject([{ partNumber: 2, bytes: 5 * MiB, etag, sums: sumsOf(bodyOf(PARTS[1])) }])
    expect(found).toHaveLength(1)
  })

  test('one of another size does not', async () => {
    await begin(true)
    await write(PARTS[0], bytesOf(100))
    expect(await findWritten(place, PARTS)).toEqual([])
  })

  test('one without a checksum does not, because its content is unknown', async () => {
    await begin(false)
    await write(PARTS[0], bodyOf(PARTS[0]), false)
    expect(await findWritten(place, PARTS)).toEqual([])
  })
})
