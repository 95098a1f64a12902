'use strict'

/** Copies by the real program, living and killed, and what the commands of jobs and a dry run make of them. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { journalHolds, leaveUpload, newStateHome } = require('../support/journals')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { MiB, bytesOf, get, put, uploadsOf } = require('../support/s3')

const BODY = bytesOf(22 * MiB)
const COPY = 'copy s3://source/big s3://target/living --engine local'

let server
let route
let state
beforeAll(async () => {
  server = await startStore()
  route = await openRoute({ source: server })
  state = newStateHome()
  await put(route.from, 'big', BODY)
})

const start = (...args) => startXfer(args, { env: { ...route.env, XDG_STATE_HOME: state } })

/** @param {...string} args */
async function run(...args) {
  const ran = await start(...args).ended
  return { ...ran, events: args.includes('--json') ? eventsOf(ran) : [] }
}

test('a living job is listed, and neither aborted nor cleaned away', async () => {
  // Its third part does not end until the faults are cleared.
  server.faults.add({ operation: 'UploadPart', partNumber: 3, bytesPerSecond: 64 * 1024 })
  const held = eventOf(server, 'begin', event => event.operation === 'UploadPart' && event.partNumber === 3)
  const copy = start(...`${COPY} --chunk 5 --concurrency 1`.split(' '))
  await held
  await journalHolds(state, 'part', 2)
  const { events } = await run('jobs', '--json')
  const [job] = events
  expect(events).toHaveLength(2)
  expect(job).toMatchObject({ state: 'running', destination: 's3://target/living', parts: 5, bytes: BODY.length })
  const [upload] = await uploadsOf(route.to, 'living')
  expect(job.uploadId).toBe(upload.id)

  const aborted = await run('abort', job.id)
  expect(aborted).toMatchObject({ status: 75, stdout: '' })
  expect(aborted.stderr).toContain(`Process ${copy.child.pid} is at work on the job ${job.id}.`)

  // Somebody else's, at the same key.
  const foreign = await leaveUpload(route.to, 'living', 0)
  await new Promise(resolve => setTimeout(resolve, 1_100))
  const cleaned = await run('clean', 's3://target', '--older-than', '0.001s', '--yes', '--json')
  expect(cleaned.status).toBe(0)
  expect(Object.fromEntries(cleaned.events.map(({ uploadId, outcome }) => [uploadId, outcome]))).toMatchObject({
    [upload.id]: 'kept',
    [foreign.id]: 'aborted',
  })
  copy.child.kill('SIGKILL')
  await copy.ended
  server.faults.clear()
  expect(await run(...`${COPY} --chunk 8 --dry-run`.split(' '))).toMatchObject({
    stdout: 'Would copy 12.0 MiB (10.0 MiB were there already) from s3://source/big to s3://target/living.\n',
    stderr: expect.stringContaining(`\nWould resume ${job.id}: 2 parts with 10.0 MiB are already there.\n`),
  })
  const resumed = await run('resume', '--json')
  expect(resumed.status).toBe(0)
  expect(resumed.events.at(-1)).toMatchObject({ type: 'done', resumedBytes: 10 * MiB })
  expect((await get(route.to, 'living')).equals(BODY)).toBe(true)
  expect((await run('jobs')).stdout).toBe('There is no unfinished job.\n')
})
