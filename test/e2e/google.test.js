'use strict'

/** Copies to, from and within Google Cloud Storage, as the sandbox's store answers in its mode `google`. */

const { gzipSync } = require('node:zlib')
const { startStore } = require('../../sandbox/store')
const { openGoogleStore } = require('../support/google')
const { startDeployed } = require('../support/platform')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, openStore, put } = require('../support/s3')
const gs = require('../support/stores')

const MiB = 1024 ** 2
const SMALL = bytesOf(1000, 'small')
const LARGE = bytesOf(11 * MiB, 'large')
const LONGEST_MS = 60_000

let s3
let google
let platform
let from
let to
beforeAll(async () => {
  s3 = await startStore({ buckets: ['bucket'] })
  google = await startStore({ mode: 'google', buckets: ['bucket'] })
  platform = await startDeployed()
  from = openStore(s3, 'bucket')
  to = openGoogleStore(google, 'bucket')
}, LONGEST_MS)
afterAll(async () => {
  from?.close()
  to?.close()
  await Promise.all([s3?.close(), google?.close(), platform?.close()])
})

/** Stores of one test. @type {Array<{ close(): unknown }>} */
const opened = []
/** @param {object} options of the sandbox's store */
async function startGoogle(options) {
  const server = await startStore({ mode: 'google', buckets: ['bucket'], ...options })
  opened.push(server)
  return server
}
afterEach(async () => {
  // A failed test must not leave a server behind.
  await Promise.all(opened.splice(0).map(one => one.close()))
})

/** @param {string[]} args @param {{ store?: any, env?: Record<string, string> }} [how] store: Google's */
async function xfer(args, { store = google, env = {} } = {}) {
  const endpoints = Object.fromEntries(['SOURCE', 'DEST'].map(side => [`XFER_${side}_GS_ENDPOINT_URL`, store.endpoint]))
  const run = await runXfer([...args, '--json'], {
    env: {
      ...{
        AWS_ACCESS_KEY_ID: s3.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
        AWS_ENDPOINT_URL: s3.endpoint,
      },
      ...{ GS_ACCESS_KEY_ID: store.accessKeyId, GS_SECRET_ACCESS_KEY: store.secretAccessKey },
      ...endpoints,
      ...{ APIHOST: platform.apihost, AUTH: platform.auth },
      ...env,
    },
  })
  const events = eventsOf(run)
  return { ...run, events, last: events.at(-1) }
}

describe.each(['local', 'openwhisk'])('with the engine %s', engine => {
  const flags = ['--engine', engine, '--chunk', '5MiB']

  test.each([
    ['small', SMALL],
    ['large', LARGE],
    ['empty', Buffer.alloc(0)],
  ])('a %s object is proved there by its CRC-32C, and back by what the source keeps', async (name, bytes) => {
    const key = `${engine}-${name}`
    await put(from, key, bytes)
    const there = await xfer(['copy', `s3://bucket/${key}`, `gs://bucket/${key}`, ...flags])
    expect(there).toMatchObject({ status: 0, last: { type: 'done' } })
    expect(there.last.proof).toContain('store-crc32c')
    expect((await gs.get(to, key)).equals(bytes)).toBe(true)
    const back = await xfer(['copy', `gs://bucket/${key}`, `s3://bucket/${key}-back`, ...flags])
    expect(back).toMatchObject({ status: 0 })
    expect(back.last.proof).toContain('source-crc32c')
    expect((await get(from, `${key}-back`)).equals(bytes)).toBe(true)
  })
})

test('an object with the Content-Encoding gzip arrives as it is stored, and is read as it is stored', async () => {
  const bytes = gzipSync(LARGE)
  await put(from, 'zipped', bytes, { headers: { 'content-encoding': 'gzip' } })
  const flags = ['--engine', 'local', '--chunk', '5MiB']
  expect(await xfer(['copy', 's3://bucket/zipped', 'gs://bucket/zipped', ...flags])).toMatchObject({ status: 0 })
  expect(await xfer(['verify', 's3://bucket/zipped', 'gs://bucket/zipped', '--read'])).toMatchObject({ status: 0 })
  expect(await xfer(['copy', 'gs://bucket/zipped', 's3://bucket/unzipped', ...flags])).toMatchObject({ status: 0 })
  expect((await get(from, 'unzipped')).equals(bytes)).toBe(true)
  expect((await from.head('unzipped')).metadata.headers).toMatchObject({ 'content-encoding': 'gzip' })
})

test('a header that Google does not keep, and tags, are left out and told', async () => {
  const headers = { expires: 'Wed, 21 Oct 2037 07:28:00 GMT' }
  await put(from, 'described', SMALL, { headers, tags: [['a', '1']], user: { color: 'blue' } })
  const { status, events } = await xfer(['copy', 's3://bucket/described', 'gs://bucket/described'])
  expect(status).toBe(0)
  const { notices, noticeCodes } = events.find(({ type }) => type === 'plan')
  expect(noticeCodes).toEqual(['ATTRIBUTES_NOT_COPIED'])
  expect(notices[0]).toMatch(/expires/i)
  expect(notices[0]).toContain('its tags')
  // Nothing is read back.
  expect(events.filter(({ type }) => type === 'notice')).toEqual([])
  expect((await to.head('described')).metadata.user).toEqual({ color: 'blue' })
})

describe('a condition', () => {
  test.each([
    ['put', SMALL, 'atomic'],
    ['part of several', LARGE, 'checked'],
  ])('of an object of one %s holds, and is said to be kept as it is', async (way, bytes, condition) => {
    await put(from, `condition-${bytes.length}`, bytes)
    const copy = (...flags) =>
      xfer([
        'copy',
        `s3://bucket/condition-${bytes.length}`,
        `gs://bucket/condition-${bytes.length}`,
        '--engine',
        'local',
        '--chunk',
        '5MiB',
        ...flags,
      ])
    expect(await copy('--no-clobber')).toMatchObject({ status: 0, last: { condition } })
    expect(await copy('--no-clobber')).toMatchObject({ status: 7, last: { code: 'DESTINATION_EXISTS' } })
    const { etag } = await to.head(`condition-${bytes.length}`)
    expect(await copy('--if-match', etag)).toMatchObject({ status: 0, last: { condition } })
    expect(await copy('--if-match', '"0"')).toMatchObject({ status: 7, last: { code: 'DESTINATION_CHANGED' } })
  })
})

test('within Google one request copies an object of any size, and the CRC-32C that it keeps proves it', async () => {
  await gs.put(to, 'within', LARGE)
  const before = { ...google.requests }
  const args = ['copy', '--route', 'auto', 'gs://bucket/within', 'gs://bucket/copied', '--chunk', '5MiB']
  const { status, last } = await xfer(args)
  expect({ status, proof: last.proof }).toEqual({ status: 0, proof: expect.arrayContaining(['stored-crc32c']) })
  expect(google.requests.CopyObject).toBe((before.CopyObject ?? 0) + 1)
  expect(google.requests.UploadPartCopy).toBe(before.UploadPartCopy)
})

describe('doctor', () => {
  const writing = ({ events }) => events.find(({ name }) => name === 'destination writing')

  test('tries what a copy relies on, and leaves nothing', async () => {
    const run = await xfer(['doctor', 's3://bucket', 'gs://bucket/tried'])
    expect(writing(run)).toMatchObject({
      ok: true,
      detail: expect.stringMatching(
        /its CRC-32C and MD5.*refuses a part with a wrong Content-MD5.*whose condition does not hold.*many objects with one request/,
      ),
    })
    const { objects, uploads } = await google.look('bucket')
    expect({ objects: objects.filter(({ key }) => key.includes('tried')), uploads }).toEqual({
      objects: [],
      uploads: [],
    })
  })

  test('says what does not hold', async () => {
    const odd = await startGoogle({ conditions: false, checksumCheck: false })
    const found = writing(await xfer(['doctor', 's3://bucket', 'gs://bucket/tried'], { store: odd }))
    expect(found).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/a wrong Content-MD5, which xfer never sends.*although the condition did not hold/),
    })
    expect((await odd.look('bucket')).objects).toEqual([])
  })

  test('says that the organisation forbids HMAC keys', async () => {
    const strict = await startGoogle({ hmacKeys: false })
    const run = await xfer(['doctor', 's3://bucket', 'gs://bucket/tried'], { store: strict })
    expect(run.status).toBe(4)
    expect(writing(run)).toMatchObject({ ok: false })
    expect(JSON.stringify(writing(run))).toContain('storage.restrictAuthTypes')
  })
})
