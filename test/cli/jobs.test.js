'use strict'

/** xfer jobs, abort, resume and clean, with the real program, real stores, and jobs and uploads of earlier runs. */

const { existsSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { keep, openStore, startStore } = require('../support/opened')
const { leaveJob, leaveUpload, newStateHome, openJob } = require('../support/journals')
const { eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
const { uploadsOf } = require('../support/s3')

/** `xfer jobs` and `xfer abort`, with the real program, a real store, and jobs of earlier runs. */
describe('jobs', () => {
  const MiB = 1024 ** 2
  const ENDED = { type: 'ended', code: 'INTERRUPTED', message: 'The copy was interrupted.' }

  let server
  let store
  beforeAll(async () => {
    server = await startStore({ buckets: ['target'], pageSize: 100, minPartBytes: 1 })
    store = openStore(server, 'target')
  })

  /** @param {string} home @param {string[]} args @param {object} [env] */
  function run(home, args, env = {}) {
    const { endpoint, accessKeyId, secretAccessKey } = server
    const access = { XFER_DEST_ACCESS_KEY_ID: accessKeyId, XFER_DEST_SECRET_ACCESS_KEY: secretAccessKey }
    expect(endpoint).toMatch(/^http/)
    return runXfer(args, { env: { XDG_STATE_HOME: home, ...access, ...env } })
  }

  /** @param {Promise<any>} running */
  async function said(running) {
    const { status, stdout, stderr } = await running
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout
  }

  const job = (key, more = {}) => ({ server, bucket: 'target', key, ...more })

  test('xfer jobs lists what was left, what runs, and what cannot be read', async () => {
    const home = newStateHome()
    const upload = {
      id: 'an-upload',
      parts: [1, 2].map(partNumber => ({ partNumber, bytes: 5 * MiB, etag: '"e"', sums: { crc32: '00000001' } })),
    }
    const killed = await leaveJob(home, job('killed', { upload }))
    const ended = await leaveJob(home, job('ended', { upload, facts: [ENDED] }))
    const early = await leaveJob(home, job('early'))
    const running = await keep(openJob(home, job('runs', { upload })))
    const damaged = join(home, 'xfer', 'jobs', '20200101T000000Z-000000.journal')
    writeFileSync(damaged, 'nonsense\n')
    const text = await said(run(home, ['jobs']))
    const blocks = text
      .split(/\n(?=\S)/)
      .map(block => block.trimEnd().replace(/last written .* ago/, 'last written … ago'))
    expect(blocks.slice(0, 4).sort()).toEqual(
      [
        `${killed.id}  stopped  s3://source/big → s3://target/killed\n  2 of 20 parts, 10.0 MiB of 100 MiB; last written … ago\n  It was killed, or the machine went down.`,
        `${ended.id}  stopped  s3://source/big → s3://target/ended\n  2 of 20 parts, 10.0 MiB of 100 MiB; last written … ago\n  The copy was interrupted.`,
        `${early.id}  stopped  s3://source/big → s3://target/early\n  not planned yet; last written … ago\n  It was killed, or the machine went down.`,
        `${running.state.id}  running  s3://source/big → s3://target/runs\n  2 of 20 parts, 10.0 MiB of 100 MiB; last written … ago`,
      ].sort(),
    )
    expect(blocks[4]).toContain(`20200101T000000Z-000000  damaged\n  The journal ${damaged} cannot be used: `)
    expect(blocks[5]).toBe('To continue one: xfer resume JOB. To give one up: xfer abort JOB.')
    const events = eventsOf({ stdout: await said(run(home, ['jobs', '--json'])) })
    expect(events.pop()).toMatchObject({ type: 'done', jobs: 5 })
    expect(events.every(({ type, time }) => type === 'job' && new Date(time).toISOString() === time)).toBe(true)
    const by = id => events.find(event => event.id === id)
    expect(by(ended.id)).toMatchObject({
      state: 'stopped',
      source: 's3://source/big',
      destination: 's3://target/ended',
      path: ended.path,
      bytes: 100 * MiB,
      parts: 20,
      bytesDone: 10 * MiB,
      partsDone: 2,
      uploadId: 'an-upload',
      ended: { code: 'INTERRUPTED', message: 'The copy was interrupted.', atMs: expect.any(Number) },
    })
    expect(by(running.state.id)).toMatchObject({ state: 'running' })
    expect(by('20200101T000000Z-000000')).toMatchObject({
      state: 'damaged',
      path: damaged,
      problem: expect.any(String),
    })
  })

  describe('xfer abort', () => {
    test('removes what was uploaded, a thousand parts and all, and the job', async () => {
      const home = newStateHome()
      const upload = await leaveUpload(store, 'thousand', 1000, 10)
      const other = await leaveUpload(store, 'other')
      const { id, path } = await leaveJob(home, job('thousand', { upload }))
      expect(await said(run(home, ['abort', id]))).toBe(
        `Aborted the upload of s3://target/thousand, with 1,000 parts of 9.77 KiB in all.\nRemoved the job ${id}.\n`,
      )
      expect(await uploadsOf(store, 'thousand')).toEqual([])
      expect(await uploadsOf(store, 'other')).toMatchObject([{ id: other.id }])
      expect(existsSync(path)).toBe(false)
      const again = await run(home, ['abort', id])
      expect(again).toMatchObject({ status: 3, stderr: expect.stringContaining(`no unfinished job "${id}"`) })
    })
  })
})

/** `xfer clean`, with the real program and real stores, and uploads that were left over on purpose. */
describe('clean', () => {
  const HOUR_MS = 3_600_000

  /** A store with a bucket. @param {object} [options] */
  async function start(options = {}) {
    const server = await startStore({ buckets: ['target'], pageSize: 7, minPartBytes: 1, ...options })
    const store = openStore(server, 'target')
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
    const [living, stopped, nobodys] = await leaveAll(store, ['a', 'b', 'c'])
    const home = newStateHome()
    const at = key => ({ server, bucket: 'target', key })
    const journal = await openJob(home, { ...at('a'), upload: living })
    const left = await leaveJob(home, { ...at('b'), upload: stopped })
    await age()
    const { status, events } = await clean(server, ['s3://target', '--older-than', '0.001s', '--yes', '--json'], home)
    expect(status).toBe(0)
    expect(events.pop()).toMatchObject({ type: 'done', kept: 2, aborted: 1 })
    expect(Object.fromEntries(events.map(({ uploadId, outcome, job }) => [uploadId, [outcome, job]]))).toEqual({
      [living.id]: ['kept', journal.state.id],
      [stopped.id]: ['kept', left.id],
      [nobodys.id]: ['aborted', undefined],
    })
    for (const key of ['a', 'b']) expect(await uploadsOf(store, key)).toHaveLength(1)
    await journal.close()
    const { stdout } = await clean(server, ['s3://target/a', '--older-than', '0.001s', '--yes'], home)
    expect(stdout).toContain(`s3://target/a  ${living.id} (job ${journal.state.id})\n`)
    expect(stdout).toContain('Kept 1 upload of jobs: see xfer jobs; xfer abort gives a job up.')
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
})
