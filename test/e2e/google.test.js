'use strict'

/** Google Cloud Storage, as the sandbox's store answers in its mode google. */

const { randomBytes } = require('node:crypto')
const { gzipSync } = require('node:zlib')
const { readCustomerKey } = require('../../lib/stores/s3/settings')
const { keep, openStore, startDeployed, startStore } = require('../support/opened')
const { openGoogleStore } = require('../support/google')
const { newStateHome } = require('../support/journals')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { MiB, bytesOf, get, keysOf } = require('../support/s3')
const gs = require('../support/stores')

const BODY = bytesOf(21 * MiB, 'body')
let s3
let google
let platform
let from
let store
beforeAll(async () => {
  ;[s3, google, platform] = await Promise.all([
    startStore({ buckets: ['bucket'] }),
    startStore({ mode: 'google', buckets: ['bucket'], deletions: 'not-implemented' }),
    startDeployed(),
  ])
  from = openStore(s3, 'bucket')
  store = keep(openGoogleStore(google, 'bucket'))
  await gs.put(store, 'object', BODY)
})

/** @param {string[]} args @param {Record<string, string>} [env] */
async function xfer(args, env) {
  const run = await runXfer([...args, '--json'], {
    env: {
      ...{ AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey },
      ...{ AWS_ENDPOINT_URL: s3.endpoint, APIHOST: platform.apihost, AUTH: platform.auth },
      ...{ GS_ACCESS_KEY_ID: google.accessKeyId, GS_SECRET_ACCESS_KEY: google.secretAccessKey },
      ...{ XFER_SOURCE_GS_ENDPOINT_URL: google.endpoint, XFER_DEST_GS_ENDPOINT_URL: google.endpoint },
      ...{ XDG_STATE_HOME: newStateHome(), ...env },
    },
  })
  return { ...run, last: eventsOf(run).at(-1) }
}

test('an object with the Content-Encoding gzip is read as it is stored', async () => {
  const bytes = gzipSync(BODY)
  await gs.put(store, 'zipped', bytes, { headers: { 'content-encoding': 'gzip' } })
  const copy = ['copy', 'gs://bucket/zipped', 's3://bucket/zipped', '--engine', 'local', '--chunk', '5MiB']
  expect(await xfer(copy)).toMatchObject({ status: 0 })
  expect((await get(from, 'zipped')).equals(bytes)).toBe(true)
})

test('within Google one request copies an object of any size, and the CRC-32C that it keeps proves it', async () => {
  const before = { ...google.requests }
  const args = ['copy', '--route', 'auto', 'gs://bucket/object', 'gs://bucket/copied', '--chunk', '5MiB']
  const { status, last } = await xfer(args)
  expect({ status, proof: last.proof }).toEqual({ status: 0, proof: expect.arrayContaining(['stored-crc32c']) })
  expect(google.requests.CopyObject).toBe((before.CopyObject ?? 0) + 1)
  expect(google.requests.UploadPartCopy).toBe(before.UploadPartCopy)
})

test('that many deletions in one request are refused is remembered', async () => {
  const keys = Array.from({ length: 1_003 }, (_, i) => `many/${String(i).padStart(4, '0')}`)
  // What has an ETag that this run wrote, and the time of this run, is taken for its own.
  google.stepClock(-60_000)
  for (let at = 0; at < keys.length; at += 50) {
    await Promise.all(keys.slice(at, at + 50).map(key => gs.put(store, key, Buffer.alloc(1))))
  }
  google.stepClock(60_000)
  await gs.put(store, 'kept/a', Buffer.alloc(1))
  const before = google.requests.DeleteObjects ?? 0
  const sync = await xfer(['sync', 'gs://bucket/kept/', 'gs://bucket/many/', '--delete', '--max-delete', '1003'])
  expect(sync).toMatchObject({ status: 0, last: { objects: { copied: 1, deleted: keys.length } } })
  expect(await keysOf(store, 'many/')).toEqual(['many/a'])
  expect(google.requests.DeleteObjects).toBe(before + 1)
})

test("a customer's own key encrypts and decrypts, and no function gets it", async () => {
  const key = randomBytes(32).toString('base64')
  const given = { XFER_DEST_GS_SSE_C_KEY: key }
  const engine = (name, to) =>
    xfer(['copy', 'gs://bucket/object', `gs://bucket/${to}`, '--chunk', '5', '--engine', name], given)
  const there = await engine('local', 'secret')
  expect(there.status).toBe(0)
  expect(there.last.proof).toContain('store-crc32c')
  const refused = [await engine('openwhisk', 'refused'), await xfer(['copy', 'gs://bucket/secret', 'gs://bucket/open'])]
  expect(refused.map(({ last }) => last.code)).toEqual(['USAGE', 'STORE_REFUSED'])
  const back = await xfer(['copy', 'gs://bucket/secret', 'gs://bucket/open', '--engine', 'local'], {
    XFER_SOURCE_GS_SSE_C_KEY: key,
  })
  expect(back.status).toBe(0)
  expect((await gs.get(store, 'open')).equals(BODY)).toBe(true)
  const customerKey = await readCustomerKey('destination', { text: key }, google.endpoint)
  const keyed = keep(openGoogleStore(google, 'bucket', { customerKey }))
  expect((await keyed.head('secret')).bytes).toBe(BODY.length)
})
