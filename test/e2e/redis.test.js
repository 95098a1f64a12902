'use strict'

/** Copies to and from keys of a real Redis, by the real program and by the library. Left out where Redis is not installed. */

const { readFileSync, readdirSync, statSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { Redis } = require('ioredis')
const xfer = require('../../lib')
const { keep, newFolder, startStore } = require('../support/opened')
const { startRelay } = require('../support/relay')
const { bareEnv, eventsOf, runXfer, sideEnv, startXfer } = require('../support/run-xfer')
const { MiB, bytesOf, createBuckets } = require('../support/s3')
const { startRedis } = require('../support/servers')
const { AUTHORITY, SERVER } = require('../support/tls')

const suite = startRedis ? describe : describe.skip

suite('keys of Redis', () => {
  let server
  let client
  let store
  let dir
  let env
  beforeAll(async () => {
    ;[server, store] = await Promise.all([keep(startRedis()), startStore()])
    client = new Redis({ port: server.port, password: server.password })
    keep({ close: () => client.disconnect() })
    await createBuckets(store, 'bucket')
    dir = newFolder()
    env = passwords(server.password)
  })
  afterEach(() => client.flushall())

  const passwords = password => ({ XFER_SOURCE_REDIS_PASSWORD: password, XFER_DEST_REDIS_PASSWORD: password })
  const at = (key, port = server.port) => `redis://127.0.0.1:${port}/0/${key}`
  /** @param {string} name @param {Buffer} bytes */
  const file = (name, bytes) => {
    const path = join(dir, name)
    writeFileSync(path, bytes)
    return path
  }
  const copied = async (args, more = {}) => {
    const run = await runXfer(['copy', ...args, '--json'], { env: { ...env, ...more } })
    return { ...run, events: eventsOf(run), last: eventsOf(run).at(-1) }
  }
  const partials = () => client.keys('*:partial:*')

  test('file, Redis, S3 and back: the bytes, the content headers and the user metadata are the same', async () => {
    const bytes = bytesOf(3 * MiB + 1)
    const path = file('first.csv', bytes)
    const headers = ['--header', 'Cache-Control=max-age=60', '--metadata-set', 'color=blau ü']
    const first = await copied([path, at('a/first.csv'), ...headers])
    expect(first.last).toMatchObject({ type: 'done', proof: ['read-back'] })
    expect((await client.getBuffer('a/first.csv')).equals(bytes)).toBe(true)
    expect(await client.hget('a/first.csv:xfer', 'user:color')).toBe('blau ü')
    expect((await copied([at('a/first.csv'), 's3://bucket/second'], sideEnv('DEST', store))).status).toBe(0)
    expect((await copied(['s3://bucket/second', at('third')], sideEnv('SOURCE', store))).status).toBe(0)
    const { headers: kept, metadata } = await xfer.head(at('third'), { env: { ...bareEnv, ...env } })
    expect(kept).toEqual({ 'content-type': 'text/csv', 'cache-control': 'max-age=60' })
    expect(metadata.color).toBe('blau ü')
    expect((await copied([at('third'), join(dir, 'last')])).status).toBe(0)
    expect(readFileSync(join(dir, 'last')).equals(bytes)).toBe(true)
    expect(statSync(join(dir, 'last')).mtimeMs).toBeCloseTo(statSync(path).mtimeMs, 0)
    expect(await partials()).toEqual([])
  })

  test('--ttl: the key and what is beside end by themselves; without it they stay', async () => {
    const path = file('ttl', bytesOf(10))
    expect((await copied([path, at('ttl'), '--ttl', '1h'])).status).toBe(0)
    for (const key of ['ttl', 'ttl:xfer']) {
      const ms = await client.pttl(key)
      expect(ms).toBeGreaterThan(3_500_000)
      expect(ms).toBeLessThanOrEqual(3_600_000)
    }
    expect((await copied([path, at('ttl')])).status).toBe(0)
    expect([await client.pttl('ttl'), await client.pttl('ttl:xfer')]).toEqual([-1, -1])
    const elsewhere = await copied([path, join(dir, 'x'), '--ttl', '1h'])
    expect(elsewhere).toMatchObject({ status: 2, last: { code: 'USAGE' } })
  })

  test('what another program writes has no metadata of the copy before, and a list is never replaced', async () => {
    await copied([file('a.txt', bytesOf(10)), at('key')])
    await client.set('key', 'another')
    const { headers, metadata, bytes } = await xfer.head(at('key'), { env: { ...bareEnv, ...env } })
    expect({ headers, metadata, bytes }).toEqual({ headers: {}, metadata: {}, bytes: 7 })
    await client.lpush('list', 'entry')
    const run = await copied([join(dir, 'a.txt'), at('list')])
    const message = expect.stringContaining('WRONGTYPE')
    expect(run).toMatchObject({ status: 1, last: { code: 'REDIS_REFUSED', message } })
    expect(await client.lrange('list', 0, -1)).toEqual(['entry'])
  })

  test('a wrong password ends with status 4, and no password is printed or journalled', async () => {
    const path = file('secret', bytesOf(20 * MiB))
    const state = newFolder()
    const wrong = await copied([path, at('key'), '--debug'], passwords('SECRET-and-wrong'))
    expect(wrong).toMatchObject({ status: 4, last: { code: 'CREDENTIALS_REFUSED' } })
    const unknown = await copied([path, at('key').replace('//', '//nobody@')], passwords('SECRET-and-wrong'))
    expect(unknown).toMatchObject({ status: 4, last: { code: 'CREDENTIALS_REFUSED' } })
    const none = await copied([path, at('key').replace('//', '//nobody@')], passwords(''))
    expect(none).toMatchObject({ status: 4, last: { code: 'NO_CREDENTIALS' } })
    const inPlace = await copied([path, at('key').replace('//', '//me:SECRET@')])
    expect(inPlace).toMatchObject({ status: 2, last: { code: 'BAD_LOCATION' } })
    // Beyond what it may hold: the job stays.
    await client.config('SET', 'maxmemory', String(10 * MiB))
    const full = await copied([path, at('key').replace('//', '//default@'), '--chunk', '8'], { XDG_STATE_HOME: state })
    await client.config('SET', 'maxmemory', '0')
    expect(full).toMatchObject({ status: 1, last: { code: 'REDIS_REFUSED', message: expect.stringContaining('OOM') } })
    const journals = readdirSync(state, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    expect(journals.length).toBeGreaterThan(0)
    const kept = journals.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('')
    const printed = [wrong, unknown, none, inPlace, full].map(({ stdout, stderr }) => stdout + stderr).join('')
    expect(printed + kept).not.toMatch(/SECRET|xfer-test-password/)
    // The journal has the user, and the environment the password.
    expect((await runXfer(['resume', '--json'], { env: { ...env, XDG_STATE_HOME: state } })).status).toBe(0)
    expect((await client.getBuffer('key')).equals(readFileSync(path))).toBe(true)
  })

  test('an interrupt ends the copy, and what it has written goes', async () => {
    const path = file('interrupted', bytesOf(5 * MiB))
    const { child, ended } = startXfer(['copy', path, at('interrupted'), '--bandwidth', '1M', '--json'], { env })
    while ((await partials()).length === 0) await delay(20)
    child.kill('SIGINT')
    expect([(await ended).status, await client.keys('*')]).toEqual([130, []])
  })

  test('rediss:// speaks TLS, and checks the certificate', async () => {
    const relay = await keep(startRelay(server.port, { key: SERVER, cert: SERVER }))
    const path = file('tls', bytesOf(1000))
    const place = `rediss://localhost:${relay.port}/0/tls`
    expect((await copied([path, place, '--retries', '0'])).last).toMatchObject({ code: 'CERTIFICATE_REFUSED' })
    expect((await copied([path, place, '--ca-bundle', AUTHORITY])).status).toBe(0)
    expect((await client.getBuffer('tls')).length).toBe(1000)
  })

  test('a user needs the commands that the guide lists; what it may not do ends with status 4', async () => {
    const guide = readFileSync(join(__dirname, '../../docs/guides/redis.md'), 'utf8')
    const [, rules] = /ACL SETUSER xfer on (?:\S+) (~[\s\S]*?)\n\n/.exec(guide)
    const more = passwords('a-password-of-xfer')
    await client.call('ACL', 'SETUSER', 'xfer', 'on', '>a-password-of-xfer', ...rules.trim().split(/[\s\\]+/))
    const place = key => at(key).replace('//', '//xfer@')
    const bytes = bytesOf(20 * MiB)
    const path = file('acl', bytes)
    expect((await copied([path, place('photos/a'), '--chunk', '8', '--ttl', '1h'], more)).last).toMatchObject({
      type: 'done',
    })
    expect((await copied([path, place('photos/b')], more)).last).toMatchObject({ type: 'done' })
    expect((await copied([place('photos/a'), join(dir, 'back')], more)).last).toMatchObject({ type: 'done' })
    expect(readFileSync(join(dir, 'back')).equals(bytes)).toBe(true)
    expect((await runXfer(['rm', place('photos/b')], { env: { ...env, ...more } })).status).toBe(0)
    expect((await copied([path, place('private')], more)).last).toMatchObject({ code: 'ACCESS_DENIED', exitCode: 4 })
    await client.call('ACL', 'DELUSER', 'xfer')
  })
})
