'use strict'

/** Commands besides plain copies with Google Cloud Storage, as the sandbox's store answers in its mode `google`. */

const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { startStore } = require('../../sandbox/store')
const { readCustomerKey } = require('../../lib/stores/s3/settings/customer-key')
const { eventOf } = require('../support/events')
const { openGoogleStore } = require('../support/google')
const { jobFiles, journalHolds, newStateHome } = require('../support/journals')
const { startDeployed } = require('../support/platform')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put, uploadsOf } = require('../support/stores')

const MiB = 1024 ** 2
const BODY = bytesOf(21 * MiB, 'body')

let google
let platform
let store
/** The home of the journals of one test. */
let state

beforeAll(async () => {
  ;[google, platform] = await Promise.all([
    startStore({ mode: 'google', buckets: ['bucket'], deletions: 'not-implemented' }),
    startDeployed(),
  ])
  store = openGoogleStore(google, 'bucket')
  await put(store, 'object', BODY)
})
beforeEach(() => {
  state = newStateHome()
})
afterEach(() => google.faults.clear())
afterAll(async () => {
  store?.close()
  await Promise.all([google?.close(), platform?.close()])
})

/** @param {string[]} args @param {Record<string, string>} [env] */
function start(args, env = {}) {
  return startXfer([...args, '--json'], {
    env: {
      ...{ XDG_STATE_HOME: state, APIHOST: platform.apihost, AUTH: platform.auth },
      ...{ GS_ACCESS_KEY_ID: google.accessKeyId, GS_SECRET_ACCESS_KEY: google.secretAccessKey },
      ...{ XFER_SOURCE_GS_ENDPOINT_URL: google.endpoint, XFER_DEST_GS_ENDPOINT_URL: google.endpoint },
      ...env,
    },
  })
}

/** @param {string[]} args @param {Record<string, string>} [env] */
async function xfer(args, env) {
  const run = await start(args, env).ended
  const events = eventsOf(run)
  return { ...run, events, last: events.at(-1) }
}

const copyArgs = (key, ...flags) => ['copy', 'gs://bucket/object', `gs://bucket/${key}`, '--chunk', '5', ...flags]
const journals = () => jobFiles(state).filter(name => name.endsWith('.journal'))

/** A copy that is killed when three of its five parts are written down. @param {string} key @param {string} engine */
async function leave(key, engine) {
  google.faults.add({ operation: 'UploadPart', key, partNumber: 4, stall: MiB })
  const held = eventOf(google, 'begin', event => event.operation === 'UploadPart' && event.partNumber === 4)
  const { child, ended } = start(copyArgs(key, '--concurrency', '1', '--engine', engine))
  await held
  await journalHolds(state, 'part', 3)
  child.kill('SIGKILL')
  await ended
  google.faults.clear()
  expect(await uploadsOf(store, key)).toHaveLength(1)
}

test.each(['local', 'openwhisk'])(
  'a copy that is killed is gone on with, with the engine %s, and copies no part again',
  async engine => {
    const key = `killed-${engine}`
    await leave(key, engine)
    const written = []
    const note = ({ operation, status, partNumber }) => {
      if (operation === 'UploadPart' && status === 200) written.push(partNumber)
    }
    google.on('request', note)
    const { status, last } = await xfer(['resume'])
    google.off('request', note)
    expect({ status, last }).toMatchObject({ status: 0, last: { type: 'done', resumedBytes: 15 * MiB } })
    expect(last.proof).toContain('store-crc32c')
    expect(written.toSorted()).toEqual([4, 5])
    expect((await get(store, key)).equals(BODY)).toBe(true)
    expect(await uploadsOf(store, key)).toEqual([])
    expect(journals()).toEqual([])
  },
)

test('that many deletions in one request are refused is remembered', async () => {
  const keys = Array.from({ length: 1_003 }, (_, i) => `many/${String(i).padStart(4, '0')}`)
  for (let at = 0; at < keys.length; at += 50) {
    await Promise.all(keys.slice(at, at + 50).map(key => put(store, key, Buffer.alloc(1))))
  }
  await put(store, 'kept/a', Buffer.alloc(1))
  const before = google.requests.DeleteObjects ?? 0
  const sync = await xfer(['sync', 'gs://bucket/kept/', 'gs://bucket/many/', '--delete', '--max-delete', '1003'])
  expect(sync).toMatchObject({ status: 0, last: { objects: { copied: 1, deleted: keys.length } } })
  expect(await keysOf(store, 'many/')).toEqual(['many/a'])
  expect(google.requests.DeleteObjects).toBe(before + 1)
})

test('an object that was made of parts has no MD5, and its copy is proved by its CRC-32C', async () => {
  expect(await xfer(copyArgs('of-parts', '--engine', 'local'))).toMatchObject({ status: 0 })
  const { sums } = await store.head('of-parts')
  expect(sums).toEqual({ crc32c: expect.stringMatching(/^[0-9a-f]{8}$/) })
  const again = await xfer(['copy', 'gs://bucket/of-parts', 'gs://bucket/again', '--engine', 'local'])
  expect(again.status).toBe(0)
  expect(again.last.proof).toEqual(expect.arrayContaining(['store-crc32c', 'source-crc32c']))
  expect((await get(store, 'again')).equals(BODY)).toBe(true)
})

test("a customer's own key encrypts and decrypts, and no function gets it", async () => {
  const key = randomBytes(32).toString('base64')
  const given = { XFER_DEST_GS_SSE_C_KEY: key }
  const engine = (name, to) => xfer(copyArgs(to, '--engine', name), given)
  const there = await engine('local', 'secret')
  expect(there.status).toBe(0)
  expect(there.last.proof).toContain('store-crc32c')
  const refused = [await engine('openwhisk', 'refused'), await xfer(['copy', 'gs://bucket/secret', 'gs://bucket/open'])]
  expect(refused.map(({ last }) => last.code)).toEqual(['USAGE', 'STORE_REFUSED'])
  const back = await xfer(['copy', 'gs://bucket/secret', 'gs://bucket/open', '--engine', 'local'], {
    XFER_SOURCE_GS_SSE_C_KEY: key,
  })
  expect(back.status).toBe(0)
  expect((await get(store, 'open')).equals(BODY)).toBe(true)
  const customerKey = await readCustomerKey('destination', { text: key }, google.endpoint)
  const keyed = openGoogleStore(google, 'bucket', { customerKey })
  expect((await keyed.head('secret')).bytes).toBe(BODY.length)
  keyed.close()
})

describe('s3:// with the endpoint of Google', () => {
  /** A proxy that leads to the sandbox's store in place of storage.googleapis.com: the host's name chooses the dialect. */
  let proxy
  let env
  /** The hosts that were asked for. */
  const hosts = new Set()
  beforeAll(async () => {
    proxy = http.createServer((request, response) => {
      const { host, pathname, search } = new URL(request.url)
      hosts.add(host)
      const { method, headers } = request
      const to = { host: '127.0.0.1', port: google.port, method, path: pathname + search, headers, setHost: false }
      const onward = http.request(to, answer => {
        response.writeHead(answer.statusCode, answer.rawHeaders)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      request.pipe(onward)
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    env = {
      AWS_ENDPOINT_URL: 'http://storage.googleapis.com',
      AWS_ACCESS_KEY_ID: google.accessKeyId,
      AWS_SECRET_ACCESS_KEY: google.secretAccessKey,
      HTTP_PROXY: `http://127.0.0.1:${proxy.address().port}`,
    }
  })
  afterAll(async () => {
    proxy?.closeAllConnections()
    await new Promise(resolve => proxy?.close(resolve))
  })

  test('is proved, lists, and deletes as gs:// does', async () => {
    const flags = ['--chunk', '5', '--engine', 'local']
    const there = await xfer(['copy', 's3://bucket/object', 's3://bucket/by-s3', ...flags], env)
    expect(there.status).toBe(0)
    expect([...hosts]).toEqual(['storage.googleapis.com'])
    expect(there.last.proof).toEqual(expect.arrayContaining(['store-crc32c', 'source-crc32c']))
    expect((await get(store, 'by-s3')).equals(BODY)).toBe(true)
    const again = await xfer(['copy', 's3://bucket/object', 's3://bucket/by-s3', '--no-clobber', ...flags], env)
    expect(again).toMatchObject({ status: 7, last: { code: 'DESTINATION_EXISTS' } })
    await put(store, 's3-from/a', Buffer.alloc(1))
    await put(store, 's3-to/b', Buffer.alloc(1))
    const sync = await xfer(['sync', 's3://bucket/s3-from/', 's3://bucket/s3-to/', '--delete'], env)
    expect(sync).toMatchObject({ status: 0, last: { objects: { copied: 1, deleted: 1 } } })
    expect(await keysOf(store, 's3-to/')).toEqual(['s3-to/a'])
  })
})
