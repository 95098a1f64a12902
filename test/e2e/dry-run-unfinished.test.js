'use strict'

/** A dry run of a copy that an earlier run left unfinished: it says what the command would resume, and changes nothing. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { jobFiles, journalHolds, newStateHome } = require('../support/journals')
const { openTrees } = require('../support/prefixes')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(30 * MiB)
const COPY = ['copy', 's3://origin/big', 's3://target/big', '--engine', 'local']

let source
let destination
let trees
let env
beforeEach(async () => {
  ;[source, destination] = await Promise.all([startStore(), startStore()])
  trees = await openTrees({ source, destination })
  env = { ...trees.env, XDG_STATE_HOME: newStateHome() }
  await put(trees.from, 'big', BODY)
})
afterEach(async () => {
  trees.close()
  await Promise.all([source.close(), destination.close()])
})

const start = args => startXfer(args, { env })
const journals = () =>
  jobFiles(env.XDG_STATE_HOME).map(name => readFileSync(join(env.XDG_STATE_HOME, 'xfer', 'jobs', name), 'utf8'))
const jobId = () => jobFiles(env.XDG_STATE_HOME)[0].replace('.journal', '')

/** What requests write at the destination from now on. @returns {string[]} */
function watchWrites() {
  const seen = []
  destination.on('begin', ({ operation, method }) => {
    if (!['GET', 'HEAD'].includes(method) && !/^(Get|Head|List)/.test(operation)) seen.push(operation)
  })
  return seen
}

/** A copy whose fourth part is under way. */
async function startSome() {
  destination.faults.add({ operation: 'UploadPart', partNumber: 4, stall: 1 * MiB })
  const held = eventOf(destination, 'begin', event => event.operation === 'UploadPart' && event.partNumber === 4)
  const started = start([...COPY, '--chunk', '5', '--concurrency', '1'])
  await held
  await journalHolds(env.XDG_STATE_HOME, 'part', 3)
  return started
}

/** The same, killed. */
async function leaveSome() {
  const { child, ended } = await startSome()
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
}

/** A dry run, that changes neither the journal nor the destination. @param {string[]} args */
async function dryRun(args) {
  const before = journals()
  const writes = watchWrites()
  const ended = await start([...args, '--dry-run']).ended
  expect(journals()).toEqual(before)
  expect(writes).toEqual([])
  return { ...ended, events: args.includes('--json') ? eventsOf(ended) : [] }
}

test('it shows the plan of the job, and what is there already', async () => {
  await leaveSome()
  const { status, stderr, stdout } = await dryRun([...COPY, '--chunk', '8'])
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: 'Would copy 15.0 MiB (15.0 MiB were there already) from s3://origin/big to s3://target/big.\n',
  })
  expect(stderr).toMatch(/^30.0 MiB in 6 parts of 5.00 MiB, /m)
  expect(stderr).toContain(`\nWould resume ${jobId()}: 3 parts with 15.0 MiB are already there.\n`)
  const { events } = await dryRun([...COPY, '--json'])
  const resume = { type: 'resume', job: jobId(), parts: 3, bytes: 15 * MiB }
  expect(events.find(({ type }) => type === 'resume')).toMatchObject(resume)
  expect(events.at(-1)).toMatchObject({ type: 'done', dryRun: true, resumedBytes: 15 * MiB, partBytes: 5 * MiB })
})
