'use strict'

/** Google Cloud Storage, as the sandbox's store answers in its mode google. */

const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { gzipSync } = require('node:zlib')
const { readCustomerKey } = require('../../lib/stores/s3/settings/customer-key')
const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { openGoogleStore } = require('../support/google')
const { jobFiles, journalHolds, newStateHome } = require('../support/journals')
const { startDeployed } = require('../support/platform')
const { eventsOf, runXfer, startXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, openStore, put, uploadsOf } = require('../support/s3')
const gs = require('../support/stores')

const MiB = 1024 ** 2

/** Copies to, from and within Google Cloud Storage, as the sandbox's store answers in its mode `google`. */
describe('copies', () => {
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
    const endpoints = Object.fromEntries(
      ['SOURCE', 'DEST'].map(side => [`XFER_${side}_GS_ENDPOINT_URL`, store.endpoint]),
    )
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
        detail: expect.stringMatching(
          /a wrong Content-MD5, which xfer never sends.*although the condition did not hold/,
        ),
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
})

/** Commands besides plain copies with Google Cloud Storage, as the sandbox's store answers in its mode `google`. */
describe('commands', () => {
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
    await gs.put(store, 'object', BODY)
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
      expect((await gs.get(store, key)).equals(BODY)).toBe(true)
      expect(await uploadsOf(store, key)).toEqual([])
      expect(journals()).toEqual([])
    },
  )

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

  test('an object that was made of parts has no MD5, and its copy is proved by its CRC-32C', async () => {
    expect(await xfer(copyArgs('of-parts', '--engine', 'local'))).toMatchObject({ status: 0 })
    const { sums } = await store.head('of-parts')
    expect(sums).toEqual({ crc32c: expect.stringMatching(/^[0-9a-f]{8}$/) })
    const again = await xfer(['copy', 'gs://bucket/of-parts', 'gs://bucket/again', '--engine', 'local'])
    expect(again.status).toBe(0)
    expect(again.last.proof).toEqual(expect.arrayContaining(['store-crc32c', 'source-crc32c']))
    expect((await gs.get(store, 'again')).equals(BODY)).toBe(true)
  })

  test("a customer's own key encrypts and decrypts, and no function gets it", async () => {
    const key = randomBytes(32).toString('base64')
    const given = { XFER_DEST_GS_SSE_C_KEY: key }
    const engine = (name, to) => xfer(copyArgs(to, '--engine', name), given)
    const there = await engine('local', 'secret')
    expect(there.status).toBe(0)
    expect(there.last.proof).toContain('store-crc32c')
    const refused = [
      await engine('openwhisk', 'refused'),
      await xfer(['copy', 'gs://bucket/secret', 'gs://bucket/open']),
    ]
    expect(refused.map(({ last }) => last.code)).toEqual(['USAGE', 'STORE_REFUSED'])
    const back = await xfer(['copy', 'gs://bucket/secret', 'gs://bucket/open', '--engine', 'local'], {
      XFER_SOURCE_GS_SSE_C_KEY: key,
    })
    expect(back.status).toBe(0)
    expect((await gs.get(store, 'open')).equals(BODY)).toBe(true)
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
      expect((await gs.get(store, 'by-s3')).equals(BODY)).toBe(true)
      const again = await xfer(['copy', 's3://bucket/object', 's3://bucket/by-s3', '--no-clobber', ...flags], env)
      expect(again).toMatchObject({ status: 7, last: { code: 'DESTINATION_EXISTS' } })
      await gs.put(store, 's3-from/a', Buffer.alloc(1))
      google.stepClock(-60_000)
      await gs.put(store, 's3-to/b', Buffer.alloc(1))
      google.stepClock(60_000)
      const sync = await xfer(['sync', 's3://bucket/s3-from/', 's3://bucket/s3-to/', '--delete'], env)
      expect(sync).toMatchObject({ status: 0, last: { objects: { copied: 1, deleted: 1 } } })
      expect(await keysOf(store, 's3-to/')).toEqual(['s3-to/a'])
    })
  })
})
