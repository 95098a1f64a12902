'use strict'

/** What is told of jobs in a state, and who is called, asked or given up. */

let mockState
/** Calls of runners, and what they meet. */
const mockCalls = { made: [], meets: undefined }
jest.mock('../../../lib/job', () => ({ ...jest.requireActual('../../../lib/job'), openState: async () => mockState }))
jest.mock('../../../lib/engines', () => ({
  ...jest.requireActual('../../../lib/engines'),
  async startRunner(...call) {
    mockCalls.made.push(call)
    if (mockCalls.meets) throw mockCalls.meets
  },
}))

const { existsSync, writeFileSync } = require('node:fs')
const { abortJob, attach, cleanState, jobs, stopJob, work } = require('../../../lib')
const { report } = require('../../../lib/commands/jobs')
const { openUnfinished } = require('../../../lib/job')
const { folderPlace, openJournals, segmentsPlace } = require('../../../lib/journal')
const { newFolder } = require('../../support/opened')
const { createRiggedBucket } = require('../../support/rigged-bucket')
const { errorOf } = require('../../support/rigged-store')

const RUNNER = { type: 'runner', engine: 'openwhisk', where: 'there', runs: 0, gbSeconds: 0 }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const env = { HOME: '/nowhere', XFER_STATE: 's3://state/' }

/** @type {any} */
let journals
let bucket
beforeEach(() => {
  bucket = createRiggedBucket()
  const place = segmentsPlace(bucket.bucket)
  mockState = { place, async close() {} }
  journals = openJournals({ env, place })
  Object.assign(mockCalls, { made: [], meets: undefined })
})
afterEach(() => jest.restoreAllMocks())

const [source, destination] = ['s3://a/x', 's3://b/x'].map(text => ({ text, place: text }))
/** A job that nobody has, after these facts. @param {any[]} facts @param {any[]} [ranges] */
async function leave(facts, ranges) {
  const options = ranges ? { recursive: 'copy' } : {}
  const journal = await journals.create({ source, destination, options })
  for (const fact of facts) await journal.write(fact)
  await journal.close()
  const { id } = journal.state
  if (ranges) {
    const one = /** @type {any} */ (await openUnfinished({ env, place: mockState.place, emit() {} }).open(id))
    await one.split(ranges)
    await one.close()
  }
  return id
}
const HALVES = [{ until: 'm' }, { after: 'm' }]
/** Writes a fact of a job that nobody has. @param {string} id @param {object} fact */
async function note(id, fact) {
  const journal = await journals.open(id)
  await journal.write(fact)
  await journal.close()
}
const later = ms => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms)
const stateOf = async id => report(await journals.see(id))

test.each([
  ['waits for its runner', [RUNNER, { type: 'waiting' }], 61_000, undefined, { restarted: true }],
  ['waits for it since a moment', [RUNNER, { type: 'waiting' }], 59_000, undefined, undefined],
  ['waits for a worker', [{ type: 'waiting' }], 61_000, undefined, undefined],
  ['was stopped', [RUNNER, { type: 'ended', code: 'X', message: '' }], 61_000, undefined, undefined],
  ['has a runner that refuses', [RUNNER, { type: 'waiting' }], 61_000, 'OUTAGE', { runnerError: expect.any(String) }],
])('a look at a job that %s (%j, after %i ms, %s) tells %j of a call', async (_, facts, ms, code, told) => {
  const id = await leave(facts)
  if (code) mockCalls.meets = errorOf(code)
  later(ms)
  const [{ restarted, runnerError }] = /** @type {any} */ (await jobs({ env }))
  expect({ restarted, runnerError }).toEqual({ restarted: undefined, runnerError: undefined, ...told })
  const call = [expect.objectContaining({ where: 'there' }), { state: 's3://state/', job: id }, { env, count: 0 }]
  expect(mockCalls.made).toEqual(told ? [call] : [])
})

test('how a job has ended that a folder forgets is told to who watches it', async () => {
  const own = { XDG_STATE_HOME: newFolder() }
  mockState = { async close() {} }
  const journal = /** @type {any} */ (await openJournals({ env: own }).create({ source, destination, options: {} }))
  const onEvent = () => void journal.remove(errorOf('ACCESS_DENIED'))
  const ended = await attach(journal.state.id, { env: own, onEvent })
  expect(ended).toMatchObject({ state: 'failed', ended: { code: 'ACCESS_DENIED' } })
})

test('of a job that is split the runner is called for each range that waits, if all are silent', async () => {
  const id = await leave([RUNNER, { type: 'waiting' }], [{ until: 'f' }, { after: 'f', until: 'm' }, { after: 'm' }])
  await (await journals.open(`${id}.1`)).remove()
  const now = later(61_000)
  await note(`${id}.2`, { type: 'waiting' })
  await jobs({ env })
  expect(mockCalls.made).toEqual([])
  now.mockReturnValue(Date.now() + 61_000)
  await jobs({ env })
  expect(mockCalls.made).toEqual([[expect.anything(), expect.anything(), { env, count: 2 }]])
})

const listed = (id, more = {}) => ({
  ...{ id, path: id, running: false, left: [], parts: new Map(), createdMs: 1, updatedMs: 1, options: {} },
  ...{ source: { text: 'a' }, destination: { text: 'b' }, ...more },
})
const tell = job => report(/** @type {any} */ (job))
const OWNER = { pid: 1, host: 'h' }
const ENDED = { code: 'X', message: 'm', atMs: 1 }

test.each([
  [{ over: { atMs: 1 } }, 'done', undefined],
  [{ over: ENDED }, 'failed', 'X'],
  [{ running: true, owner: OWNER, ended: ENDED }, 'running', undefined],
  [{ waiting: true }, 'waiting', undefined],
  [{ runner: RUNNER, owner: OWNER }, 'waiting', undefined],
  [{ owner: OWNER }, 'stopped', undefined],
  [{ runner: RUNNER, owner: OWNER, ended: ENDED }, 'stopped', 'X'],
  [{ ending: ENDED }, 'stopped', 'X'],
])('a job of which is known %j is told as %s, ended by %s', (more, state, code) => {
  const told = tell(listed('j', more))
  expect([told.state, told.ended?.code]).toEqual([state, code])
})

const done = { over: { atMs: 1 } }
test.each([
  [{}, [{ running: true }, { waiting: true }], 'running'],
  [{}, [done, { waiting: true }], 'waiting'],
  [{}, [done, done], 'waiting'],
  [{}, [done, undefined], 'stopped'],
  [{}, [done, {}], 'stopped'],
  [{}, [done, { problem: 'p' }], 'stopped'],
  [{ ended: ENDED }, [done, { waiting: true }], 'stopped'],
  [{ running: true }, [done, done], 'running'],
])('a split job (%j) whose ranges are %j is %s', (own, ranges, state) => {
  const all = ranges.map((more, i) => more && listed(`j.${i + 1}`, more))
  expect(tell(listed('j', { ...own, ranges: all })).state).toBe(state)
})

test('a split job has used, copied and told what all its ranges have', () => {
  const notices = [{ code: 'N', message: 'm' }]
  const failed = name => ({ name, code: 'ACCESS_DENIED', message: 'No.' })
  const range = (runs, more) => ({
    runner: { ...RUNNER, runs, gbSeconds: 2, calls: 3, functionGbSeconds: 4 },
    told: { notices, failures: [failed(`of-${runs}`)] },
    options: { recursive: 'copy' },
    prefix: { copied: { objects: 1, bytes: 5 }, objects: new Map([['a', { parts: new Map([[1, { bytes: 7 }]]) }]]) },
    ...more,
  })
  const ranges = [listed('j.1', range(1, { updatedMs: 9, ended: ENDED })), listed('j.2', range(2, done))]
  expect(tell(listed('j', { runner: { ...RUNNER, runs: 1, gbSeconds: 1 }, ranges }))).toMatchObject({
    runner: { runs: 4, gbSeconds: 5, calls: 6, functionGbSeconds: 8 },
    ...{ copied: { objects: 2, bytes: 10 }, bytesDone: 7, partsDone: 1, updatedMs: 9, ended: { code: 'X' } },
    ...{ notices, failures: ['of-1', 'of-2'].map(failed) },
  })
})

test.each([
  ['a job', undefined, 1],
  ['a split job and what waits of it', HALVES, 3],
])('%s that waits is stopped at once, and then given up', async (_, ranges, count) => {
  const id = await leave([{ type: 'waiting' }], ranges)
  expect(await stopJob(id, { env })).toMatchObject({ state: 'stopped', ended: { code: 'INTERRUPTED' } })
  expect(await work({ env, once: true })).toMatchObject({ done: 0, failed: 0 })
  const { ranges: stopped = [] } = await stateOf(id)
  expect(stopped.map(({ state }) => state)).toEqual(Array(count - 1).fill('stopped'))
  expect(await abortJob(id, { env })).toMatchObject({ job: id, uploads: [], maybeCompleted: false })
  const given = { state: 'failed', ended: { message: 'It was given up with xfer abort.' } }
  for (const one of [id, `${id}.1`, `${id}.2`].slice(0, count)) expect(await stateOf(one)).toMatchObject(given)
  await expect(stopJob(id, { env })).rejects.toMatchObject({ code: 'NO_SUCH_JOB' })
})

test.each([true, false])('a range that ends while its job is given up (taken: %s) is no error', async take => {
  const id = await leave([{ type: 'waiting' }], HALVES)
  const before = async () => await (await journals.open(`${id}.1`)).remove()
  // It is seen first, and then opened.
  bucket.rule({ call: 'list', of: `jobs/${id}.1/`, nth: 2, before })
  expect(await abortJob(id, { env, take })).toMatchObject({ job: id })
  const ended = await Promise.all([id, `${id}.1`, `${id}.2`].map(stateOf))
  expect(ended.map(({ state }) => state)).toEqual(['failed', 'done', 'failed'])
})

test('of a split job a damaged journal is named to who goes on with it, and to who gives it up, which ends the job', async () => {
  const id = await leave([], HALVES)
  const copied = { objects: 3, bytes: 30 }
  await note(`${id}.1`, { type: 'ranges', ranges: [], copied })
  bucket.objects.set(`jobs/${id}.2/00000001`, Buffer.from('nonsense\n'))
  const problem = expect.stringContaining(`${id}.2 cannot be used`)
  const refused = { code: 'BAD_JOURNAL', message: problem, hint: expect.stringContaining(`xfer abort ${id},`) }
  await expect(openUnfinished({ env, place: mockState.place, emit() {} }).open(id)).rejects.toMatchObject(refused)
  expect(await abortJob(id, { env })).toMatchObject({ job: id, copied, unread: [{ job: `${id}.2`, problem }] })
  expect(await stateOf(id)).toMatchObject({ state: 'failed', copied })
  expect([...bucket.objects.keys()]).toContain(`asks/${id}.2`)
})

test('with a job in a folder the manifest beside it is given up', async () => {
  const place = folderPlace({ folder: newFolder() })
  mockState = { place, async close() {} }
  const { path, state, close } = /** @type {any} */ (
    await openJournals({ env, place }).create({ source, destination, options: {} })
  )
  await close()
  writeFileSync(`${path}.manifest`, '')
  await abortJob(state.id, { env })
  expect(existsSync(`${path}.manifest`)).toBe(false)
})

test.each([
  [false, [], ['.1', '.2']],
  [false, [1], ['.2']],
  [false, [1, 2], ['']],
  [true, [1], []],
  [true, [1, 2], []],
])('of a split job (stopped as a whole: %s) with ranges %j over a worker takes %j', async (stopped, over, takes) => {
  const id = await leave([{ type: 'waiting' }], HALVES)
  for (const n of over) await (await journals.open(`${id}.${n}`)).remove()
  if (stopped) await note(id, { type: 'ended', code: 'X', message: '' })
  const taken = []
  const onEvent = ({ type, job }) => type === 'taken' && taken.push(job)
  await work({ env: { ...env, AWS_EC2_METADATA_DISABLED: 'true' }, once: true, onEvent })
  expect(taken).toEqual(takes.map(end => id + end))
})

const onLinux = process.platform === 'linux' ? test : test.skip
onLinux.each([
  ['of this machine', undefined, 'INTERRUPTED', [[process.ppid, 'SIGTERM']]],
  ['of another container with this name', ' pid:[1] ', 'JOB_RUNNING', []],
])('who stops a job in a folder sends a process %s no signal that is not for it', async (_, space, code, signals) => {
  const own = { XDG_STATE_HOME: newFolder() }
  mockState = { async close() {} }
  const folder = openJournals({ env: own })
  const { write, close, state } = /** @type {any} */ (await folder.create({ source, destination, options: {} }))
  const { owner: takes, host, processStart } = /** @type {any} */ (await folder.see(state.id)).owner
  const start = space && { processStart: processStart.replace(/ .* /, space) }
  await write({ type: 'claim', owner: 'o', takes, host, pid: process.ppid, ...start })
  await close()
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true)
  await expect(stopJob(state.id, { env: own, signal: AbortSignal.abort() })).rejects.toMatchObject({ code })
  expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual(signals)
})

test('whoever runs a range is asked to stop it', async () => {
  const id = await leave([{ type: 'waiting' }], HALVES)
  const range = await journals.open(`${id}.1`)
  await expect(stopJob(id, { env, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect([...bucket.objects.keys()].filter(name => name.startsWith('asks/'))).toEqual([`asks/${id}.1`])
  await range.close()
  expect((await journals.see(id)).ranges[1].ended).toMatchObject({ code: 'INTERRUPTED' })
})

test.each([
  [undefined, 29 * DAY_MS, true, 0],
  [undefined, 31 * DAY_MS, true, 1],
  ['2h', 3 * HOUR_MS, true, 1],
  ['2h', HOUR_MS, true, 0],
  ['1s', HOUR_MS / 2, true, 0],
  ['2h', 3 * HOUR_MS, false, 1],
])('a job that is over is removed (--older-than %s, after %i ms, --yes %s): %i', async (olderThan, ms, yes, count) => {
  const id = await leave([])
  await leave([{ type: 'waiting' }])
  await (await journals.open(id)).remove()
  later(ms)
  expect(await jobs({ env })).toHaveLength(ms > 30 * DAY_MS ? 1 : 2)
  expect((await cleanState({ env, yes, olderThan })).map(job => job.id)).toEqual(Array(count).fill(id))
  jest.restoreAllMocks()
  expect(await journals.list()).toHaveLength(yes && count ? 1 : 2)
})
