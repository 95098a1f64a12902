'use strict'

/** Copies by the real program, living and killed, and what the commands of jobs and a dry run make of them. */

const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { jobFiles, journalHolds, newStateHome } = require('../support/journals')
const { openTrees } = require('../support/prefixes')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2

/** Copies by the real program, living and killed, and what the commands of jobs make of them. */
describe('jobs', () => {
  const BODY = bytesOf(22 * MiB)

  let server
  let route
  let state
  beforeAll(async () => {
    server = await startStore()
    route = await openRoute({ source: server })
    await put(route.from, 'big', BODY)
  })
  beforeEach(() => {
    state = newStateHome()
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    route.close()
    await server.close()
  })

  const start = (...args) => startXfer(args, { env: { ...route.env, XDG_STATE_HOME: state } })

  /** @param {...string} args */
  async function run(...args) {
    const ran = await start(...args).ended
    return { ...ran, events: args.includes('--json') ? eventsOf(ran) : [] }
  }

  /** A copy whose third part does not end until the faults are cleared. @param {string} key */
  async function startCopy(key) {
    server.faults.add({ operation: 'UploadPart', key, partNumber: 3, bytesPerSecond: 64 * 1024 })
    const held = eventOf(server, 'begin', event => event.operation === 'UploadPart' && event.partNumber === 3)
    const args = [
      'copy',
      's3://source/big',
      `s3://target/${key}`,
      '--engine',
      'local',
      '--chunk',
      '5',
      '--concurrency',
      '1',
    ]
    const copy = start(...args)
    await held
    await journalHolds(state, 'part', 2)
    return copy
  }

  /** @param {any} copy */
  async function kill({ child, ended }) {
    child.kill('SIGKILL')
    await ended
  }

  test('a living job is listed, and neither aborted nor cleaned away', async () => {
    const copy = await startCopy('living')
    const { events } = await run('jobs', '--json')
    const [job] = events
    expect(events).toHaveLength(2)
    expect(job).toMatchObject({ state: 'running', destination: 's3://target/living', parts: 5, bytes: BODY.length })
    const [upload] = await uploadsOf(route.to, 'living')
    expect(job.uploadId).toBe(upload.id)

    const aborted = await run('abort', job.id)
    expect(aborted).toMatchObject({ status: 1, stdout: '' })
    expect(aborted.stderr).toContain(`Process ${copy.child.pid} is at work on the job ${job.id}.`)

    // Somebody else's, at the same key.
    const foreign = await route.to.upload.create({
      key: 'living',
      attributes: { metadata: { headers: {}, user: {} } },
      checksum: false,
    })
    await new Promise(resolve => setTimeout(resolve, 1_100))
    const cleaned = await run('clean', 's3://target', '--older-than', '0.001s', '--yes', '--json')
    expect(cleaned.status).toBe(0)
    expect(Object.fromEntries(cleaned.events.map(({ uploadId, outcome }) => [uploadId, outcome]))).toMatchObject({
      [upload.id]: 'kept',
      [foreign.id]: 'aborted',
    })
    await kill(copy)
    server.faults.clear()
    const resumed = await run('resume', '--json')
    expect(resumed.status).toBe(0)
    expect(resumed.events.at(-1)).toMatchObject({ type: 'done', resumedBytes: 10 * MiB })
    expect((await get(route.to, 'living')).equals(BODY)).toBe(true)
    expect((await run('jobs')).stdout).toBe('There is no unfinished job.\n')
  })

  test('a job that was killed is listed with its progress, and aborted completely', async () => {
    await kill(await startCopy('killed'))
    const [job] = (await run('jobs', '--json')).events
    expect(job).toMatchObject({ state: 'stopped', partsDone: 2, bytesDone: 10 * MiB })
    expect(job.ended).toBeUndefined()
    const cleaned = await run('clean', 's3://target', '--older-than', '0.001s', '--yes')
    expect(cleaned.stdout).not.toContain('aborted')
    const aborted = await run('abort', job.id)
    expect(aborted).toMatchObject({
      status: 0,
      stdout: `Aborted the upload of s3://target/killed, with 2 parts of 10.0 MiB in all.\nRemoved the job ${job.id}.\n`,
    })
    expect(await uploadsOf(route.to, 'killed')).toEqual([])
    expect(await keysOf(route.to, 'killed')).toEqual([])
    expect(existsSync(job.path)).toBe(false)
  })
})

/** A dry run of a copy that an earlier run left unfinished: it says what the command would resume, and changes nothing. */
describe('a dry run', () => {
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
})
