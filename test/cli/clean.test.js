'use strict'

/** `xfer clean`, with the real program and real stores, and uploads that were left over on purpose. */

const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { leaveJob, leaveUpload, newStateHome, openJob } = require('../support/journals')
const { eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
const { createBuckets, openStore, uploadsOf } = require('../support/s3')
const { SERVERS } = require('../support/servers')

const HOUR_MS = 3_600_000

/** @type {any[]} */
const open = []
afterAll(async () => {
  for (const member of open) await member.close()
})

/** A store with a bucket. @param {object} [options] */
async function start(options = {}) {
  const server = await startStore({ buckets: ['target'], pageSize: 7, minPartBytes: 1, ...options })
  const store = openStore(server, 'target')
  open.push(server, store)
  return { server, store }
}

/** @param {any} server @param {string[]} args @param {string} [home] @returns {Promise<any>} */
async function clean(server, args, home = newStateHome()) {
  const ran = await runXfer(['clean', ...args], { env: { XDG_STATE_HOME: home, ...sideEnv('DEST', server) } })
  return { ...ran, events: args.includes('--json') ? eventsOf(ran) : [] }
}

/** @param {any} store @param {string[]} keys */
async function leaveAll(store, keys) {
  const left = []
  for (const key of keys) left.push(await leaveUpload(store, key, 1, 10))
  return left
}

/** Stores tell the time in whole seconds: until the clock says that all is older than those and a little. */
const age = (ms = 1_100) => new Promise(resolve => setTimeout(resolve, ms))

describe('xfer clean', () => {
  test('lists what was left over, on every page, and aborts nothing', async () => {
    const { server, store } = await start()
    const keys = Array.from({ length: 40 }, (_, i) => `dir/${i % 10}`)
    await leaveAll(store, [...keys, 'other', 'dirt'])
    await age()
    const { status, stdout, stderr } = await clean(server, ['s3://target/dir/', '--older-than', '0.001s'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.pop()).toBe('Found 40 uploads older than 0.001s: repeat the command with --yes to abort them.')
    expect(lines).toHaveLength(40)
    expect(new Set(lines).size).toBe(40)
    for (const line of lines) expect(line).toMatch(/^left {5}\d{4}-\d\d-\d\dT[\d:]+Z {2}s3:\/\/target\/dir\/\d {2}\S+$/)
    expect(await uploadsOf(store, 'dir/3')).toHaveLength(4)
  })

  test('with --yes aborts them, and only those', async () => {
    const { server, store } = await start()
    await leaveAll(store, [...Array.from({ length: 30 }, (_, i) => `dir/${i % 3}`), 'other'])
    await age()
    const { status, events } = await clean(server, ['s3://target/dir/', '--older-than', '0.001s', '--yes', '--json'])
    expect(status).toBe(0)
    const { type, time, ...done } = events.pop()
    expect([type, new Date(time).toISOString()]).toEqual(['done', time])
    expect(done).toEqual({
      location: 's3://target/dir/',
      olderThanMs: 1,
      aborted: 30,
      gone: 0,
      left: 0,
      kept: 0,
      undated: 0,
      young: 0,
    })
    expect(events).toHaveLength(30)
    for (const event of events) {
      expect(event).toMatchObject({ type: 'upload', outcome: 'aborted', key: expect.stringMatching(/^dir\/[012]$/) })
    }
    for (const key of ['dir/0', 'dir/1', 'dir/2']) expect(await uploadsOf(store, key)).toEqual([])
    expect(await uploadsOf(store, 'other')).toHaveLength(1)
  })

  test('removes an upload of a thousand parts whole', async () => {
    const { server, store } = await start({ pageSize: 1000 })
    const { id } = await leaveUpload(store, 'thousand', 1000, 10)
    const { stdout } = await clean(server, ['s3://target', '--older-than', '0.001s', '--yes'])
    expect(stdout).toMatch(/\nAborted 1 upload under s3:\/\/target\/\.\n$/)
    await expect(store.upload.parts({ key: 'thousand', uploadId: id })).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
  })

  test('leaves what is not older than a day, by the clock of the store', async () => {
    for (const [hours, outcome] of [
      [36, 'left'],
      [12, 'young'],
    ]) {
      const accounts = [{ accessKeyId: 'id', secretAccessKey: 'secret' }]
      const dir = newStateHome()
      const first = await start({ dir, accounts })
      await leaveAll(first.store, ['old'])
      await first.server.close()
      const { server } = await start({ dir, accounts, clockSkewMs: hours * HOUR_MS })
      const { status, events } = await clean(server, ['s3://target', '--json'])
      expect(status).toBe(0)
      expect(events.at(-1)).toMatchObject({ left: 0, young: 0, [outcome]: 1 })
    }
  })

  test('keeps what is of a job, whether that runs or not', async () => {
    const { server, store } = await start()
    const [living, stopped, former, nobodys, spoilt] = await leaveAll(store, ['a', 'b', 'b', 'c', 'd'])
    const home = newStateHome()
    const at = key => ({ server, bucket: 'target', key })
    const journal = await openJob(home, { ...at('a'), upload: living })
    const facts = [{ type: 'upload', id: stopped.id, checksums: false }]
    const left = await leaveJob(home, { ...at('b'), upload: former, facts })
    // Of this one nothing but its upload can be read any more.
    const damaged = await leaveJob(home, { ...at('d'), upload: spoilt })
    writeFileSync(damaged.path, readFileSync(damaged.path, 'utf8').slice(1))
    // And of these there is no upload yet, or nobody knows of it.
    const [asked] = await leaveAll(store, ['e'])
    const asking = await leaveJob(home, { ...at('e'), facts: [{ type: 'creating', atMs: Date.now() }] })
    await age()
    const { status, events } = await clean(server, ['s3://target', '--older-than', '0.001s', '--yes', '--json'], home)
    expect(status).toBe(0)
    expect(events.pop()).toMatchObject({ type: 'done', kept: 5, aborted: 1 })
    const outcomes = Object.fromEntries(events.map(({ uploadId, outcome, job }) => [uploadId, [outcome, job]]))
    expect(outcomes).toEqual({
      [living.id]: ['kept', journal.state.id],
      [stopped.id]: ['kept', left.id],
      [former.id]: ['kept', left.id],
      [spoilt.id]: ['kept', damaged.id],
      [asked.id]: ['kept', asking.id],
      [nobodys.id]: ['aborted', undefined],
    })
    for (const key of ['a', 'd', 'e']) expect(await uploadsOf(store, key)).toHaveLength(1)
    expect(await uploadsOf(store, 'b')).toHaveLength(2)
    await journal.close()
    const { stdout } = await clean(server, ['s3://target/a', '--older-than', '0.001s', '--yes'], home)
    expect(stdout).toContain(`s3://target/a  ${living.id} (job ${journal.state.id})\n`)
    expect(stdout).toContain('Kept 1 upload of jobs: see xfer jobs; xfer abort gives a job up.')
  })

  test('aborts nothing while there is a journal that cannot be read', async () => {
    const { server, store } = await start()
    await leaveAll(store, ['a'])
    const home = newStateHome()
    mkdirSync(join(home, 'xfer', 'jobs', 'odd.journal'), { recursive: true })
    await age()
    const { status, stderr } = await clean(server, ['s3://target', '--older-than', '0.001s', '--yes'], home)
    expect(status).toBe(2)
    expect(stderr).toContain(
      'odd.journal cannot be used: it cannot be read, and may be of an upload that must be kept.',
    )
    expect(await uploadsOf(store, 'a')).toHaveLength(1)
  })

  test('goes on after one that cannot be aborted, and says so', async () => {
    const { server, store } = await start()
    await leaveAll(store, ['a', 'b', 'c'])
    server.faults.add({ operation: 'AbortMultipartUpload', key: 'b', status: 403, code: 'AccessDenied' })
    await age()
    const { status, events } = await clean(server, ['s3://target', '--older-than', '0.001s', '--yes', '--json'])
    expect(status).toBe(4)
    expect(events.pop()).toMatchObject({ type: 'error', code: 'ACCESS_DENIED' })
    expect(Object.fromEntries(events.map(({ key, outcome, error }) => [key, error?.code ?? outcome]))).toEqual({
      a: 'aborted',
      b: 'ACCESS_DENIED',
      c: 'aborted',
    })
  })

  test('finds nothing where there is nothing', async () => {
    const { server } = await start()
    const { status, stdout } = await clean(server, ['s3://target/none'])
    expect(status).toBe(0)
    expect(stdout).toBe('There is no unfinished upload under s3://target/none.\n')
  })

  test('says of what it keeps why, and never that there is nothing', async () => {
    const { server, store } = await start()
    const [upload] = await leaveAll(store, ['jobs'])
    const home = newStateHome()
    await leaveJob(home, { server, bucket: 'target', key: 'jobs', upload })
    const young = await clean(server, ['s3://target'], home)
    expect(young.stdout).toBe(
      'Kept 1 upload of the last 24h: see --older-than.\nNothing to abort under s3://target/.\n',
    )
    await age()
    const ofJob = await clean(server, ['s3://target', '--older-than', '0.001s', '--yes'], home)
    expect(ofJob.stdout.split('\n').slice(1)).toEqual([
      'Kept 1 upload of jobs: see xfer jobs; xfer abort gives a job up.',
      'Nothing to abort under s3://target/.',
      '',
    ])
  })

  test('says that an upload was gone by the time it was to be aborted', async () => {
    const { server, store } = await start()
    const [{ id }] = await leaveAll(store, ['a'])
    await age()
    server.faults.add({ operation: 'AbortMultipartUpload', status: 404, code: 'NoSuchUpload' })
    const { stdout } = await clean(server, ['s3://target', '--older-than', '0.001s', '--yes'])
    expect(stdout).toMatch(
      new RegExp(`^gone .* ${id}\n1 upload was gone already\\.\nNothing to abort under s3://target/\\.\n$`),
    )
  })

  test.each([
    [{ status: 403, code: 'AccessDenied' }, 4, 's3:ListBucketMultipartUploads on the bucket'],
    [{ status: 501, code: 'NotImplemented' }, 1, 'it does not list the multipart uploads of a bucket'],
    [{ status: 404, code: 'NoSuchKey' }, 1, 'it does not list the multipart uploads of a bucket'],
  ])('says clearly that a bucket does not list (%j)', async (fault, exit, words) => {
    const { server } = await start()
    server.faults.add({ operation: 'ListMultipartUploads', ...fault })
    const { status, stderr } = await clean(server, ['s3://target'])
    expect(status).toBe(exit)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('undefined')
  })
})

describe.each(SERVERS)('xfer clean on $name', ({ start }) => {
  let server
  let store
  beforeAll(async () => {
    server = await start()
    await createBuckets(server, 'target')
    store = openStore(server, 'target')
  })
  afterAll(async () => {
    store.close()
    await server.close()
  })

  test('aborts what was left over under a prefix, more than a page of it, and nothing else', async () => {
    const create = key =>
      store.upload.create({ key, attributes: { metadata: { headers: {}, user: {} } }, checksum: false })
    const keys = Array.from({ length: 1050 }, (_, i) => `dir/${i % 300}`)
    for (let i = 0; i < keys.length; i += 25) await Promise.all(keys.slice(i, i + 25).map(create))
    await create('other')
    // versitygw tells the time in whole seconds, and looks at the clock once a second.
    await age(3_000)
    const { status, events } = await clean(server, ['s3://target/dir/', '--older-than', '0.05s', '--yes', '--json'])
    expect(status).toBe(0)
    expect(events.at(-1)).toMatchObject({ type: 'done', aborted: 1050, young: 0, undated: 0 })
    for (const key of ['dir/0', 'dir/17', 'dir/299']) expect(await uploadsOf(store, key)).toEqual([])
    expect(await uploadsOf(store, 'other')).toHaveLength(1)
  }, 240_000)
})
