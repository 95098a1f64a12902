'use strict'

/** `xfer clean`, with the real program and real stores, and uploads that were left over on purpose. */

const { openStore, startStore } = require('../support/opened')
const { leaveJob, leaveUpload, newStateHome } = require('../support/journals')
const { eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
const { uploadsOf } = require('../support/s3')

const HOUR_MS = 3_600_000
const ALL = ['--older-than', '0.001s', '--yes']

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
const leaveAll = (store, keys) => Promise.all(keys.map(key => leaveUpload(store, key, 1, 10)))

/** Stores tell the time in whole seconds: until the clock says that all is older than those and a little. */
const age = (ms = 1_100) => new Promise(resolve => setTimeout(resolve, ms))

test('with --yes aborts what is below the prefix, but what is of a job, and goes on after one that cannot be aborted', async () => {
  const { server, store } = await start()
  const [upload] = await leaveAll(store, ['dir/job'])
  await leaveAll(store, [...Array.from({ length: 30 }, (_, i) => `dir/${i % 3}`), 'dir/denied', 'other'])
  const home = newStateHome()
  const job = await leaveJob(home, { server, bucket: 'target', key: 'dir/job', upload })
  server.faults.add({ operation: 'AbortMultipartUpload', key: 'dir/denied', status: 403, code: 'AccessDenied' })
  await age()
  const denied = await clean(server, ['s3://target/dir/', ...ALL, '--json'], home)
  expect([denied.status, denied.events.pop()]).toMatchObject([4, { type: 'error', code: 'ACCESS_DENIED' }])
  const ends = denied.events.map(({ key, outcome, error }) => `${key} ${error?.code ?? outcome}`)
  const aborted = [0, 1, 2].flatMap(n => Array(10).fill(`dir/${n} aborted`))
  expect(ends.sort()).toEqual([...aborted, 'dir/denied ACCESS_DENIED', 'dir/job kept'])
  for (const key of ['dir/0', 'dir/1', 'dir/2']) expect(await uploadsOf(store, key)).toEqual([])
  expect(await uploadsOf(store, 'other')).toHaveLength(1)
  server.faults.clear()
  const { status, events } = await clean(server, ['s3://target/dir/', ...ALL, '--json'], home)
  const done = { type: 'done', location: 's3://target/dir/', olderThanMs: 1, aborted: 1 }
  expect([status, events.at(-1)]).toMatchObject([0, done])
  const { stdout } = await clean(server, ['s3://target/dir/', ...ALL], home)
  expect(stdout).toContain(`s3://target/dir/job  ${upload.id} (job ${job.id})\n`)
  expect(stdout).toContain('Kept 1 upload of jobs: see xfer jobs; xfer abort gives a job up.')
})

test('leaves what is not older than a day, by the clock of the store', async () => {
  for (const [outcome, hours] of Object.entries({ left: 36, young: 12 })) {
    const accounts = [{ accessKeyId: 'id', secretAccessKey: 'secret' }]
    const dir = newStateHome()
    const first = await start({ dir, accounts })
    await leaveAll(first.store, ['old'])
    await first.server.close()
    const { server } = await start({ dir, accounts, clockSkewMs: hours * HOUR_MS })
    const { status, events } = await clean(server, ['s3://target', '--json'])
    expect([status, events.at(-1)]).toMatchObject([0, { left: 0, young: 0, [outcome]: 1 }])
  }
})
