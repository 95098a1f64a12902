'use strict'

/** A client, and what the calls of one process share. */

const { readFileSync, writeFileSync } = require('node:fs')
const net = require('node:net')
const { join } = require('node:path')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { createClient, upload } = require('../../lib')
const { makeHome } = require('../support/home')
const { newStateHome } = require('../support/journals')
const { bareEnv, sideEnv } = require('../support/run-xfer')
const { openStore, startStore } = require('../support/opened')
const { restartableStore } = require('../support/restartable')
const { bytesOf, createBuckets, get, keysOf } = require('../support/s3')

let server
let store
let env
beforeAll(async () => {
  server = await startStore()
  await createBuckets(server, 'calls')
  store = openStore(server, 'calls')
  env = { ...bareEnv, ...sideEnv('SOURCE', server), ...sideEnv('DEST', server), XDG_STATE_HOME: newStateHome() }
})
afterEach(() => jest.restoreAllMocks())

/** @param {number} i */
const stream = i => Readable.from([bytesOf(1000, String(i))])

test('a hundred uploads at once have the right bytes, and share connections', async () => {
  const connect = jest.spyOn(net.Socket.prototype, 'connect')
  const names = Array.from({ length: 100 }, (_, i) => `at-once/${i}`)
  const done = await Promise.all(names.map((name, i) => upload(stream(i), `s3://calls/${name}`, { env })))
  expect(done.every(({ proof }) => proof.includes('store-crc32'))).toBe(true)
  expect(await get(store, names[42])).toEqual(bytesOf(1000, '42'))
  expect((await keysOf(store, 'at-once/')).length).toBe(100)
  // Each makes four requests.
  expect(connect.mock.calls.length).toBeLessThan(250)
})

test('a client keeps its connections from one call to the next, and ends them when it is closed', async () => {
  const connect = jest.spyOn(net.Socket.prototype, 'connect')
  const client = createClient({ env })
  await client.upload(stream(0), 's3://calls/kept')
  await expect(client.upload(stream(0), 's3://calls/refused/')).rejects.toMatchObject({ code: 'USAGE' })
  const first = connect.mock.calls.length
  for (let i = 1; i < 4; i++) await client.upload(stream(i), 's3://calls/kept')
  expect(connect.mock.calls.length).toBe(first)
  await client.close()
  await client.upload(stream(4), 's3://calls/kept')
  expect(connect.mock.calls.length).toBeGreaterThan(first)
})

test('a call gets the defaults that it and its stores have, and its own options override them', async () => {
  const client = createClient({ env, clobber: false, concurrency: 3, source: { versionId: 'none', region: 'nowhere' } })
  await client.upload(stream(1), 's3://calls/once')
  await expect(client.upload(stream(2), 's3://calls/once')).rejects.toMatchObject({ code: 'DESTINATION_EXISTS' })
  await client.upload(stream(3), 's3://calls/once', { clobber: true })
  // A list knows neither `clobber`, nor a version of what it lists.
  const entries = []
  for await (const { name } of client.list('s3://calls/once')) entries.push(name)
  expect(entries).toEqual(['once'])
  await client.close()
})

test('what a call gives of a side goes before what the client has, and the rest of that stays', async () => {
  const { endpoint: endpointUrl, region } = server
  const destination = { endpointUrl: 'http://127.0.0.1:1', region }
  const none = { XFER_DEST_REGION: '', XFER_SOURCE_ACCESS_KEY_ID: '', XFER_SOURCE_SECRET_ACCESS_KEY: '' }
  const inherited = Object.create({ ...env, ...none })
  const client = createClient({ env: inherited, source: { credentials: server }, destination })
  const own = { env: undefined, destination: { endpointUrl, region: undefined } }
  await client.upload(stream(1), 's3://calls/aside', own)
  expect(await keysOf(store, 'aside')).toEqual(['aside'])
  const head = noSignRequest => client.head('s3://calls/aside', { source: { noSignRequest } })
  await head(false)
  await expect(head(true)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  await client.close()
})

test('what a caller does with its options after a call is of the next one', async () => {
  const options = { env, metadataSet: { n: 'one' } }
  const uploads = ['one', 'two'].map(n => {
    options.metadataSet.n = n
    return upload(stream(1), `s3://calls/of-${n}`, options)
  })
  await Promise.all(uploads)
  const found = await Promise.all(['of-one', 'of-two'].map(key => store.head(key)))
  expect(found.map(({ metadata }) => metadata.user)).toEqual([{ n: 'one' }, { n: 'two' }])
})

test.each([
  [{ concurency: 3 }, /createClient has no option "concurency"/],
  [{ source: { regoin: 'x' } }, /createClient: source has no option "regoin"/],
  [null, /the options are null, not an object/],
  [{ source: null }, /source is null, not an object/],
  [{ env: ['x'] }, /env is an array, not an object/],
])('an option that no call has is refused: %j', (defaults, message) => {
  expect(() => createClient(defaults)).toThrow(message)
})

describe('of the uploads of a client to one place', () => {
  const put = (key, more) => client.upload(bytesOf(1000), `s3://calls/${key}`, more)
  const fail = (key, more) => server.faults.add({ operation: 'PutObject', key, ...more })
  let client
  beforeAll(async () => {
    client = createClient({ env })
    await put('known')
  })
  afterAll(() => client.close())
  afterEach(() => server.faults.clear())

  test('each tells, counts and names what is of it alone', async () => {
    fail('tried', { first: 1, status: 500, code: 'InternalError' })
    fail('refused', { status: 403, code: 'AccessDenied' })
    const told = {}
    const [refused, tried, other] = await Promise.allSettled(
      ['refused', 'tried', 'other'].map(key => {
        told[key] = []
        return put(key, { onEvent: ({ type }) => type !== 'progress' && told[key].push(type) })
      }),
    )
    expect(refused.reason.facts).toMatchObject({ location: 's3://calls/refused', key: 'refused' })
    expect([tried, other].map(({ value }) => value.usage.requests.destination)).toEqual([{ PUT: 2 }, { PUT: 1 }])
    expect(told).toMatchObject({ tried: ['plan', 'retry', 'part', 'done'] })
    expect(told).toMatchObject({ other: ['plan', 'part', 'done'] })
  })

  test('one that is ended ends alone, at once', async () => {
    await expect(put('folder/', { timeout: '1h' })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(put('other', { expectSha256: '0'.repeat(64) })).rejects.toMatchObject({ code: 'INPUT_DIFFERS' })
    fail('stalled', { stall: true, cutAfterBytes: 1 })
    const stop = new AbortController()
    const stalled = put('stalled', { signal: stop.signal })
    // The second one goes when that is under way.
    for (const name of ['beside', 'behind']) await put(name)
    stop.abort()
    await expect(stalled).rejects.toMatchObject({ code: 'INTERRUPTED' })
    // What its failure may mean is being asked for.
    fail('failing', { status: 500 })
    server.faults.add({ operation: ['HeadBucket', 'ListObjectsV2'], delayMs: 60_000 })
    const failing = put('failing', { timeout: '100ms' }).catch(({ code }) => code)
    expect(await Promise.race([failing, delay(8_000, 'late', { ref: false })])).toBe('TIMED_OUT')
  })

  test('those under way go on when the client is closed, and those to come have their own', async () => {
    fail('going', { delayMs: 100 })
    const own = createClient({ env })
    let going
    const closed = new Promise(resolve => {
      const onEvent = ({ type }) => type === 'plan' && resolve(own.close())
      going = own.upload(stream(1), 's3://calls/going', { onEvent })
    })
    await closed
    await Promise.all([going, own.upload(stream(1), 's3://calls/after')])
  })

  test('those after an outage that lasted too long do not fail for it', async () => {
    const { server: now, down, up, close } = await restartableStore({ buckets: ['calls'] })
    const own = createClient({ env: { ...bareEnv, ...sideEnv('DEST', now()) }, outageTimeout: '1s', retries: 0 })
    const one = more => own.upload(stream(1), 's3://calls/one', more)
    await one()
    await down()
    // Of one whose connection was cut it is not known whether it was written.
    const all = await Promise.all([one(), one(), one()].map(upload => upload.catch(error => error)))
    const lost = all.filter(({ code }) => code === 'OUTAGE')
    expect(new Set(lost).size).toBeGreaterThan(1)
    for (const { facts } of lost) expect([facts.key, facts.location]).toEqual([undefined, undefined])
    await up()
    await one()
    // Nobody waits for the end of the next one, and nothing keeps the process.
    const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length
    await down()
    const before = timers()
    await expect(one({ timeout: '50ms' })).rejects.toMatchObject({ code: 'TIMED_OUT' })
    expect(timers()).toBe(before)
    await own.close()
    await close()
  })
})

describe('an upload', () => {
  const put = (bytes, more) => upload(bytes, 's3://calls/ended', { env, memory: '32MiB', ...more })

  test('ends though what it reads does not, and though others have the memory', async () => {
    let go
    const gate = new Promise(resolve => {
      go = resolve
    })
    async function* waiting() {
      yield bytesOf(1000)
      await gate
    }
    const ended = new AbortController()
    async function* silent() {
      ended.abort()
      await new Promise(() => {})
    }
    await expect(put(silent(), { signal: ended.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    const others = [1, 2, 3].map(() => put(waiting()))
    // It has 8 MiB until it knows that it needs 16.
    const stop = new AbortController()
    const own = Object.defineProperty({ ...env }, 'XFER_DEST_REGION', { get: () => stop.abort() ?? server.region })
    const larger = put(stream(1), { env: own, chunk: '16MiB', signal: stop.signal })
    await expect(larger).rejects.toMatchObject({ code: 'INTERRUPTED' })
    others.push(put(waiting()))
    await expect(put(stream(1), { timeout: '50ms' })).rejects.toMatchObject({ code: 'TIMED_OUT' })
    go()
    await Promise.all(others)
  })

  test('takes what can be read once only once, and what is read already not at all', async () => {
    const once = (async function* () {
      yield bytesOf(1)
    })()
    const locked = new Blob(['x']).stream()
    locked.getReader()
    await put(once)
    for (const used of [once, locked]) await expect(put(used)).rejects.toMatchObject({ code: 'USAGE' })
  })
})

test('a client reads profiles, and asks their programs, once in five minutes; each call without a client does so anew', async () => {
  const { endpoint, accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = server
  const home = makeHome({ 'answer.json': JSON.stringify({ Version: 1, AccessKeyId, SecretAccessKey }) })
  const config = join(home, 'config')
  const program = `credential_process = sh -c "echo >> ${home}/asked; cat ${home}/answer.json"`
  const write = region => writeFileSync(config, `[profile p]\n${program}\nregion = ${region}\n`)
  const own = { ...bareEnv, AWS_CONFIG_FILE: config, AWS_PROFILE: 'p', AWS_ENDPOINT_URL: endpoint, HOME: home }
  const options = { env: { ...own, XDG_STATE_HOME: home } }
  const put = (given, by = client.upload) => by(stream(1), 's3://calls/asked', given)
  const asked = () => readFileSync(join(home, 'asked'), 'utf8').length
  const now = jest.spyOn(Date, 'now')
  let client = createClient(options)
  write(server.region)
  await Promise.all([put(), put(), put()])
  const keysOf = secretAccessKey => ({ credentials: Object.create({ accessKeyId: AccessKeyId, secretAccessKey }) })
  await put({ destination: keysOf(SecretAccessKey) })
  await expect(put({ destination: keysOf('other') })).rejects.toMatchObject({ code: 'CREDENTIALS_REFUSED' })
  write('no_region')
  await put()
  expect(asked()).toBe(1)
  // A function may answer each call otherwise.
  const refusal = { code: 'USAGE', message: expect.stringMatching(/region "no_region"/) }
  await expect(put({ destination: { credentials: () => server } })).rejects.toMatchObject(refusal)
  await expect(put(options, upload)).rejects.toMatchObject(refusal)
  now.mockReturnValue(Date.now() + 6 * 60_000)
  await expect(put()).rejects.toMatchObject(refusal)
  write(server.region)
  await put()
  // Refused ones are replaced at once.
  server.addAccount({ accessKeyId: 'OTHER', secretAccessKey: 'other' })
  writeFileSync(
    join(home, 'answer.json'),
    JSON.stringify({ Version: 1, AccessKeyId: 'OTHER', SecretAccessKey: 'other' }),
  )
  server.faults.add({ operation: 'PutObject', first: 1, status: 400, code: 'ExpiredToken' })
  await put()
  await client.close()
  client = createClient(options)
  await put()
  await client.close()
  expect(asked()).toBe(4)
  await Promise.all([put(options, upload), put(options, upload)])
  expect(asked()).toBe(6)
})
