'use strict'

/**
 * A customer's own key (SSE-C) at either side: on the sandbox's store, and on MinIO over TLS. It is given to no function,
 * and is in nothing that is printed or written down.
 */

const { randomBytes } = require('node:crypto')
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { makeCertificate } = require('../../bench/certificate')
const { createLocalEngine } = require('../../lib/engines/local/engine')
const { PEERS } = require('../../sandbox/peers')
const { startStore } = require('../../sandbox/store')
const { readCustomerKey } = require('../../lib/stores/s3/settings/customer-key')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, openStore, play, put, sha256 } = require('../support/s3')

const MiB = 1024 ** 2
const KEYS = { source: randomBytes(32), destination: randomBytes(32), wrong: randomBytes(32) }
const text = key => key.toString('base64')
const BOTH = { XFER_SOURCE_SSE_C_KEY: text(KEYS.source), XFER_DEST_SSE_C_KEY: text(KEYS.destination) }
const SIZES = [
  ['put', 1000],
  ['multipart', 11 * MiB],
]

let dir
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'xfer-customer-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

/** Everything below a folder. @param {string} folder */
const filesOf = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

const forms = Object.values(KEYS).flatMap(key => [
  text(key),
  text(key).slice(0, 40),
  key.toString('hex'),
  key.toString('latin1'),
])
const expectNoKey = printed => expect(forms.filter(form => printed.includes(form))).toEqual([])

let count = 0
/** @param {string[]} args @param {Record<string, string>} env */
async function run(args, env) {
  const state = env.XDG_STATE_HOME ?? join(dir, `state-${++count}`)
  mkdirSync(state, { recursive: true })
  const { status, stdout, stderr } = await runXfer([...args, '--json', '--debug'], {
    env: { ...env, XDG_STATE_HOME: state },
  })
  expectNoKey(stdout + stderr + filesOf(state))
  return { status, last: eventsOf({ stdout }).at(-1), events: eventsOf({ stdout }) }
}
const copy = (from, to, ...flags) => ['copy', `s3://source/${from}`, `s3://target/${to}`, '--chunk', '5', ...flags]

/** A server, and its bucket as whoever has the key sees it. */
const SERVERS = [
  ['the sandbox', async () => startStore({ buckets: ['source', 'target'] })],
  ...(PEERS.minio ? [['MinIO over TLS', () => startSecureMinio()]] : []),
]

async function startSecureMinio() {
  const { folder, ca: bundle } = makeCertificate(join(dir, 'certificate'))
  return { ...(await PEERS.minio({ certificate: folder })), bundle }
}

describe.each(SERVERS)('on %s', (name, start) => {
  const secure = name !== 'the sandbox'
  let server
  let env
  /** By side. */
  const stores = {}
  beforeAll(async () => {
    server = await start()
    env = { ...copyEnv(server, server), ...(server.bundle && { AWS_CA_BUNDLE: server.bundle }) }
    for (const [side, bucket] of [
      ['source', 'source'],
      ['destination', 'target'],
    ]) {
      const customerKey = await readCustomerKey(side, { text: text(KEYS[side]) }, server.endpoint)
      stores[side] = openStore(server, bucket, { side, customerKey, ca: server.ca })
      stores[`${side} without`] = openStore(server, bucket, { side, ca: server.ca })
    }
    if (secure) await makeBuckets(server)
  }, 60_000)
  afterAll(async () => {
    for (const store of Object.values(stores)) store.close()
    await server?.close()
  })

  /** What the engine itself writes and reads, so that TLS and keys are its own. @param {any} store @param {string} key @param {Buffer} bytes */
  async function seed(store, key, bytes) {
    const plain = await startStore({ buckets: ['seed'] })
    const from = openStore(plain, 'seed')
    const engine = createLocalEngine({ threads: 1, ca: server.ca })
    try {
      const etag = await put(from, 'seed', bytes)
      const { request: read } = await from.read({ key: 'seed', etag, range: { start: 0, end: bytes.length - 1 } })
      const attributes = { metadata: { headers: { 'content-type': 'text/csv' }, user: { a: 'b' } } }
      const { request: write } = await store.put({ key, bytes: bytes.length, attributes, checksum: false })
      const expected = { etag, totalBytes: bytes.length }
      const task = { partNumber: 1, bytes: bytes.length, read, write, sums: [], expect: expected }
      expect(await engine.run([task])).toMatchObject([{ bytes: bytes.length }])
    } finally {
      await engine.close()
      from.close()
      await plain.close()
    }
  }

  it.each(SIZES)('an object with a key of its own gets another one: by the route %s', async (way, size) => {
    const bytes = bytesOf(size)
    await seed(stores.source, way, bytes)
    await expect(stores['source without'].head(way)).rejects.toMatchObject({ facts: { status: 400 } })
    const { status, last } = await run(copy(way, way, '--verify', 'full'), { ...env, ...BOTH })
    expect({ status, message: last.message, route: last.route, engine: last.engine }).toEqual({
      status: 0,
      message: undefined,
      route: way,
      engine: 'local',
    })
    expect(last.proof).toContain('read-back')
    const { bytes: found, metadata, encrypted } = await stores.destination.head(way)
    expect({ found, encrypted, user: metadata.user }).toEqual({ found: size, encrypted: true, user: { a: 'b' } })
    await expect(stores['destination without'].head(way)).rejects.toMatchObject({ facts: { status: 400 } })
    // The copy has the bytes: whoever has both keys can say so.
    const verified = await run(['verify', `s3://source/${way}`, `s3://target/${way}`, '--read'], { ...env, ...BOTH })
    expect(verified).toMatchObject({ status: 0, last: { method: 'read' } })
  })

  it('another key, or none, reads nothing', async () => {
    await seed(stores.source, 'locked', bytesOf(100))
    const wrong = await run(copy('locked', 'none'), { ...env, XFER_SOURCE_SSE_C_KEY: text(KEYS.wrong) })
    expect([1, 4]).toContain(wrong.status)
    expect(['ACCESS_DENIED', 'STORE_REFUSED']).toContain(wrong.last.code)
    const none = await run(copy('locked', 'none'), env)
    expect(none).toMatchObject({
      status: 1,
      last: { code: 'STORE_REFUSED', message: expect.stringMatching(/encrypt/i) },
    })
  })
})

async function makeBuckets(server) {
  const { S3Client, CreateBucketCommand } = require('@aws-sdk/client-s3')
  const { NodeHttpHandler } = require('@smithy/node-http-handler')
  const https = require('node:https')
  const { endpoint, region, accessKeyId, secretAccessKey, ca } = server
  const requestHandler = new NodeHttpHandler({ httpsAgent: new https.Agent({ ca }) })
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials, requestHandler })
  for (const Bucket of ['source', 'target']) await client.send(new CreateBucketCommand({ Bucket }))
  client.destroy()
}

describe('a key', () => {
  let server
  let platform
  let route
  let env
  beforeAll(async () => {
    ;[server, platform] = await Promise.all([startStore(), startDeployed()])
    route = await openRoute({ source: server })
    env = copyEnv(server, server, platform)
    await put(route.from, 'large', bytesOf(16 * MiB))
    await put(route.from, 'small', bytesOf(100))
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    route?.close()
    await Promise.all([server?.close(), platform?.close()])
  })
  const DEST = { XFER_DEST_SSE_C_KEY: text(KEYS.destination) }

  it('is given to no function: one that is asked for is refused before anything is asked', async () => {
    const before = { ...server.requests }
    const { status, last, events } = await run(copy('small', 'none', '--engine', 'openwhisk'), { ...env, ...DEST })
    expect({ status, code: last.code, events: events.length }).toEqual({ status: 2, code: 'USAGE', events: 1 })
    expect(last.message).toContain("A customer's own key (SSE-C) was given for the destination")
    expect(server.requests).toEqual(before)
  })

  it('is stored nowhere, and has to be given again for a resume', async () => {
    const state = join(dir, 'resumed')
    const kept = { ...env, XDG_STATE_HOME: state }
    server.faults.add({ operation: 'UploadPart', partNumber: 3, status: 400, code: 'InvalidArgument' })
    expect((await run(copy('large', 'resumed', '--concurrency', '1'), { ...kept, ...DEST })).status).toBe(1)
    server.faults.clear()
    const without = await run(['resume'], kept)
    expect({ status: without.status, code: without.last.code }).toEqual({ status: 2, code: 'USAGE' })
    expect(without.last.hint).toContain('XFER_DEST_SSE_C_KEY or --dest-sse-c-key-file')
    expect(await run(copy('large', 'resumed'), kept)).toMatchObject({ status: 2, last: { code: 'USAGE' } })
    const { status, last } = await run(['resume'], { ...kept, ...DEST })
    expect({ status, resumed: last.resumedBytes > 0 }).toEqual({ status: 0, resumed: true })
    const customerKey = await readCustomerKey('destination', { text: DEST.XFER_DEST_SSE_C_KEY }, server.endpoint)
    const store = openStore(server, 'target', { customerKey })
    const { etag } = await store.head('resumed')
    const { body } = await play((await store.read({ key: 'resumed', etag })).request)
    store.close()
    expect(sha256(body)).toBe(sha256(bytesOf(16 * MiB)))
  })

  it('is not sent over plain HTTP to another machine', async () => {
    const elsewhere = { ...env, ...DEST, XFER_DEST_ENDPOINT_URL: 'http://store.invalid:9000' }
    const { status, last } = await run(copy('small', 'none'), elsewhere)
    expect({ status, code: last.code }).toEqual({ status: 2, code: 'USAGE' })
    expect(last.message).toContain('is not sent to the destination http://store.invalid:9000')
  })
})
