'use strict'

/** Jobs that are left in a state, run by whoever works there, and watched from elsewhere. */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { attach, copy, copyPrefix, jobs, resume, stopJob, work } = require('../../../lib')
const { openRoute } = require('../../support/copies')
const { newFolder, startStore } = require('../../support/opened')
const { copyEnv, runXfer, stateEnv } = require('../../support/run-xfer')
const { createBuckets, get, keysOf, put } = require('../../support/s3')

const BODY = Buffer.alloc(6 * 1024 ** 2, 'x')

let store
let route
/** A store that keeps no tags. */
let odd
beforeAll(async () => {
  store = await startStore()
  route = await openRoute({ source: store })
  await createBuckets(store, 'state')
  await put(route.from, 'big', BODY)
  odd = await startStore({ serverName: 'Oddity/1.0', tagging: 'ignored', buckets: ['odd'] })
  for (const name of ['a', 'b', 'c'])
    await put(route.from, `tree/${name}`, Buffer.from(name), { tags: name === 'a' ? [['team', 'blue']] : [] })
})
afterEach(() => store.faults.clear())

let count = 0
/** A state of its own. */
function newState() {
  const env = { ...stateEnv(route.env), ...route.env, XFER_STATE: `s3://state/team-${++count}` }
  return { ...env, XDG_STATE_HOME: newFolder() }
}
const HOW = { engine: 'local', detach: true }

test('a job waits, is run by who works on the state, and its proof is told to who looks', async () => {
  const env = newState()
  const left = await copy('s3://source/big', 's3://target/one', { ...HOW, env })
  const job = left.detached.job
  expect(await jobs({ env })).toMatchObject([{ id: job, state: 'waiting' }])
  expect(await keysOf(route.to, 'one')).toEqual([])
  const watching = attach(job, { env })
  const events = []
  const onEvent = event => void events.push(event)
  expect(await work({ env, once: true, onEvent })).toMatchObject({ done: 1, failed: 0 })
  expect(events).toMatchObject([
    { type: 'taken', job },
    { type: 'worked', job, outcome: 'done' },
  ])
  expect(await watching).toMatchObject({ state: 'done', bytes: BODY.length, proof: [expect.any(String)] })
  expect(BODY.equals(await get(route.to, 'one'))).toBe(true)
  expect(await work({ env, once: true })).toEqual({ done: 0, left: 0, failed: 0, unfinished: 0 })
})

test('what its runs have told, and which objects failed, is told to who looks later', async () => {
  const env = { ...newState(), ...copyEnv(store, odd) }
  store.faults.add({ operation: 'GetObject', key: 'tree/b', status: 403 })
  const { detached } = await copyPrefix('s3://source/tree/', 's3://odd/told/', { ...HOW, env })
  expect(await work({ env, once: true })).toMatchObject({ failed: 1 })
  const failed = await attach(detached.job, { env })
  expect(failed).toMatchObject({
    state: 'stopped',
    ended: { code: 'OBJECTS_FAILED' },
    notices: [{ code: 'TAGS_NOT_COPIED', message: expect.stringContaining('told/a') }],
    failures: [{ name: 'b', code: 'ACCESS_DENIED', message: expect.stringContaining('source') }],
  })
  const printed = (await runXfer(['attach', detached.job], { env })).stdout.split('\n')
  const failure = expect.stringMatching(/^ {2}b: The source denies access/)
  const lines = [`  ${failed.notices[0].message}`, failure, `  ${failed.ended.message}`]
  expect(printed).toEqual(expect.arrayContaining(lines))
  store.faults.clear()
  await resume(detached.job, { env })
  const done = await attach(detached.job, { env })
  expect(done).toMatchObject({ state: 'done', copied: { objects: 3 }, notices: failed.notices })
  expect(done).not.toHaveProperty('failures')
})

const KEYS = { accessKeyId: 'a', secretAccessKey: 'b' }
test.each([
  ['a file of this machine', copy, '/etc/hostname', {}, /does not have \/etc\/hostname/],
  ['a list of failures', copyPrefix, 's3://source/tree/', { failures: '/tmp/f' }, /--failures/],
  ['credentials', copy, 's3://source/big', { source: { credentials: KEYS } }, /written down nowhere/],
  ['ranges without workers', copyPrefix, 's3://source/tree/', { split: '3', detach: false }, /workers/],
  ['one object in ranges', copy, 's3://source/big', { split: '2' }, /split/],
  ['no state', copy, 's3://source/big', { state: '' }, /place where that finds it/],
])('%s cannot be left to others', async (_, call, from, options, message) => {
  const env = newState()
  if (options.state === '') delete env.XFER_STATE
  const { state: _state, ...others } = options
  const refused = expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) })
  await expect(call(from, 's3://target/x/', { ...HOW, ...others, env })).rejects.toEqual(refused)
})

const TREE = /** @type {const} */ (['s3://source/tree/', 's3://target/again/'])
test.each([
  ['a file of this machine', { failures: '/tmp/f' }],
  ['credentials', { source: { credentials: KEYS } }],
])('a job that waits is as it was if the same command is refused for %s', async (_, options) => {
  const env = newState()
  const { detached } = await copyPrefix(...TREE, { ...HOW, split: '2', env })
  await expect(copyPrefix(...TREE, { ...HOW, ...options, env })).rejects.toMatchObject({ code: 'USAGE' })
  expect(await jobs({ env })).toMatchObject([{ id: detached.job, state: 'waiting' }])
  expect(await work({ env, once: true })).toMatchObject({ done: 3, failed: 0 })
})

test('a split job that was stopped is as it was if xfer resume --detach is refused', async () => {
  const env = newState()
  const { detached } = await copyPrefix(...TREE, { ...HOW, split: '2', env })
  await stopJob(detached.job, { env })
  const refused = resume(detached.job, { detach: true, failures: '/tmp/f', env })
  await expect(refused).rejects.toMatchObject({ code: 'USAGE' })
  const [state, ranges] = ['stopped', [{ state: 'stopped' }, { state: 'stopped' }]]
  expect(await jobs({ env })).toMatchObject([{ state, ranges }])
})

test('a job whose manifest is a file of this machine is not left to others later', async () => {
  const env = newState()
  store.faults.add({ operation: 'GetObject', key: 'tree/b', status: 403 })
  const begun = copyPrefix(...TREE, { engine: 'local', route: 'engine', manifestOut: join(newFolder(), 'm'), env })
  await expect(begun).rejects.toMatchObject({ code: 'OBJECTS_FAILED' })
  const refused = { code: 'USAGE', message: expect.stringMatching(/--manifest-out/) }
  await expect(copyPrefix(...TREE, { ...HOW, env })).rejects.toMatchObject(refused)
  expect(await jobs({ env })).toMatchObject([{ state: 'stopped' }])
})

test('a job that waits goes on waiting if it could not be left once more', async () => {
  const env = newState()
  const leave = () => copy('s3://source/big', 's3://target/again', { ...HOW, env })
  await leave()
  store.faults.add({ operation: 'HeadObject', key: 'big', status: 403 })
  await expect(leave()).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  expect(await jobs({ env })).toMatchObject([{ state: 'waiting' }])
})

test('xfer resume leaves to others only what another machine could run', async () => {
  const env = newState()
  const file = join(newFolder(), 'big')
  writeFileSync(file, BODY)
  for (const [from, own] of [
    [file, env],
    ['s3://source/big', { ...env, XFER_STATE: '' }],
  ]) {
    store.faults.add({ operation: 'UploadPart', status: 403 })
    const stopped = copy(from, 's3://target/later', { engine: 'local', route: 'engine', chunk: '5MiB', env: own })
    const { facts } = await stopped.catch(error => error)
    store.faults.clear()
    await expect(resume(facts.job, { detach: true, env: own })).rejects.toMatchObject({ code: 'USAGE' })
    expect(await jobs({ env: own })).toMatchObject([{ id: facts.job, state: 'stopped' }])
  }
})

test('nothing is left of a copy that could not begin', async () => {
  const env = newState()
  await expect(copy('s3://source/none', 's3://target/none', { ...HOW, env })).rejects.toMatchObject({
    code: 'NO_SUCH_KEY',
  })
  expect(await work({ env, once: true })).toMatchObject({ done: 0, failed: 0 })
})

test('a store that may ignore conditions holds no jobs', async () => {
  const other = await startStore({ serverName: 'Oddity/1.0', buckets: ['state'], conditions: false })
  const env = { ...newState(), ...stateEnv(copyEnv(store, other)) }
  const refused = { code: 'STATE_UNSAFE', exitCode: 2, message: expect.stringContaining('Oddity/1.0') }
  await expect(jobs({ env })).rejects.toMatchObject(refused)
})

test('a job whose worker is stopped has not failed, and is left to the next one', async () => {
  const env = newState()
  await copy('s3://source/big', 's3://target/stopped', { ...HOW, route: 'engine', env })
  store.faults.add({ operation: 'GetObject', key: 'big', stall: true })
  const over = new AbortController()
  const stop = ({ operation, key }) => operation === 'GetObject' && key === 'big' && over.abort()
  store.on('begin', stop)
  expect(await work({ env, signal: over.signal })).toMatchObject({ failed: 0, unfinished: 1 })
  store.off('begin', stop)
  expect(await jobs({ env })).toMatchObject([{ state: 'waiting' }])
})

test('a worker that can look at its state no more hands back what its other lanes run, and then fails', async () => {
  const env = newState()
  await copy('s3://source/big', 's3://target/back', { ...HOW, route: 'engine', env })
  await copy('s3://source/tree/a', 's3://target/small', { ...HOW, env })
  store.faults.add({ operation: 'GetObject', key: 'big', stall: true })
  const onEvent = ({ outcome }) =>
    outcome === 'done' && store.faults.add({ operation: 'ListObjectsV2', bucket: 'state', status: 403 })
  await expect(work({ env, atOnce: 2, onEvent })).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  store.faults.clear()
  expect((await jobs({ env })).map(({ state }) => state).sort()).toEqual(['done', 'waiting'])
})
