'use strict'

/** Jobs that lie in a bucket: machines that die, sleep, or come too late, and workers that share one job in ranges. */

const { writeFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { newFolder, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { openMachine } = require('../support/machines')
const { eventsOf } = require('../support/run-xfer')
const { MiB, bytesOf, createBuckets, get, keysOf, put } = require('../support/s3')

const BODY = bytesOf(22 * MiB)
const NAMES = Array.from({ length: 30 }, (_, i) => `o${String(i).padStart(2, '0')}`)

let server
let route
let state
let count = 0
beforeAll(async () => {
  server = await startStore()
  route = await openRoute({ source: server })
  await put(route.from, 'big', BODY)
  for (const name of NAMES) await put(route.from, `ranges/${name}`, Buffer.from(name))
  await createBuckets(server, 'state')
})
beforeEach(async () => {
  state = `s3://state/team-${++count}`
})
afterEach(() => server.faults.clear())

/** @param {string} name */
const machine = name => openMachine(route.env, name, state)

const copyOf = key => `copy s3://source/big s3://target/${key} --engine local --chunk 5 --concurrency 1`.split(' ')
/** A copy whose third part does not end until the faults are cleared, once the state has the first two. */
async function startHeld(one, key, bytesPerSecond = 700 * 1024) {
  server.faults.add({ operation: 'UploadPart', key, partNumber: 3, bytesPerSecond })
  const held = eventOf(server, 'begin', event => event.operation === 'UploadPart' && event.partNumber === 3)
  const copy = one.start(...copyOf(key))
  await held
  // Lines that nobody waits for are written after two seconds.
  for (;;) {
    const { events } = await machine('looker').run('jobs')
    if (events[0].partsDone >= 2) return copy
  }
}

test('a machine that slept while it was taken over completes nothing, and ends with 75', async () => {
  const [one, other] = [machine('one'), machine('other')]
  const copy = await startHeld(one, 'slept')
  copy.child.kill('SIGSTOP')
  server.faults.clear()
  expect((await other.run(...copyOf('slept'), '--take')).status).toBe(0)
  await put(route.to, 'slept', Buffer.from('a later one'))
  const asked = new Set()
  server.on('begin', ({ operation, bucket, key }) => bucket === 'target' && key === 'slept' && asked.add(operation))
  copy.child.kill('SIGCONT')
  const { status, stdout } = await copy.ended
  expect(status).toBe(75)
  expect(JSON.parse(stdout.trim().split('\n').at(-1))).toMatchObject({ code: 'JOB_TAKEN', exitCode: 75 })
  // A part may have been on its way, or a part of an upload that is gone.
  expect([...asked].filter(operation => !/^(?:UploadPart|Head|Get|List)/.test(operation))).toEqual([])
  expect(String(await get(route.to, 'slept'))).toBe('a later one')
})

test('a machine that slept deletes nothing below a prefix', async () => {
  const [one, other] = [machine('one'), machine('other')]
  await put(route.from, 'tree/a', Buffer.from('a'))
  await put(route.to, 'sync/extra', Buffer.from('extra'))
  server.faults.add({ operation: 'PutObject', key: 'sync/a', delayMs: 4_000, nth: 1 })
  const held = eventOf(server, 'begin', event => event.operation === 'PutObject' && event.key === 'sync/a')
  const sync = ['sync', 's3://source/tree/', 's3://target/sync/', '--delete', '--engine', 'local', '--route', 'engine']
  const slow = one.start(...sync)
  await held
  slow.child.kill('SIGSTOP')
  expect((await other.run(...sync, '--take')).status).toBe(0)
  expect(await keysOf(route.to, 'sync/')).toEqual(['sync/a'])
  await put(route.to, 'sync/extra', Buffer.from('of somebody'))
  slow.child.kill('SIGCONT')
  const ended = await slow.ended
  expect([ended.status, eventsOf(ended).at(-1).code]).toEqual([75, 'JOB_TAKEN'])
  expect(await keysOf(route.to, 'sync/')).toEqual(['sync/a', 'sync/extra'])
})

test('a state below the prefixes is neither copied nor deleted', async () => {
  const one = machine('one')
  state = 's3://target/mixed/.xfer'
  const own = machine('own')
  await put(route.from, 'mixed/a', Buffer.from('a'))
  await put(route.to, 'mixed/extra', Buffer.from('extra'))
  const sync = ['sync', 's3://source/mixed/', 's3://target/mixed/', '--delete', '--engine', 'local']
  expect((await own.run(...sync)).status).toBe(0)
  const left = await keysOf(route.to, 'mixed/')
  expect(left.filter(key => !key.startsWith('mixed/.xfer/'))).toEqual(['mixed/a'])
  expect(left.length).toBeGreaterThan(2)
  const back = ['copy', '-r', 's3://target/mixed/', 's3://source/back/', '--engine', 'local']
  expect([(await own.run(...back)).status, await keysOf(route.from, 'back/')]).toEqual([0, ['back/a']])
  expect((await one.run('jobs')).events).toEqual([expect.objectContaining({ type: 'done', jobs: 0 })])
})

test('a job that runs elsewhere is given up once it has stopped, and removed from the state when it is asked for', async () => {
  const [one, other] = [machine('one'), machine('other')]
  const copy = await startHeld(one, 'given-up', 100 * 1024)
  const [{ id }] = (await other.run('jobs')).events
  const kept = await other.run('clean', 's3://target/given-up', '--yes', '--older-than', '1ms')
  expect(kept.events[0]).toMatchObject({ outcome: 'kept', job: id })
  const given = other.run('abort', id)
  expect((await copy.ended).status).toBe(130)
  expect(await given).toMatchObject({ status: 0, last: { job: id, uploads: [{ outcome: 'aborted' }] } })
  server.faults.clear()
  expect((await one.run('jobs')).events[0]).toMatchObject({ id, state: 'failed', ended: { code: 'INTERRUPTED' } })
  expect((await one.run('clean')).last).toMatchObject({ type: 'done', jobs: 0 })
  // A process that slept may not know yet that it is over.
  expect((await one.run('clean', '--older-than', '1ms')).last).toMatchObject({ jobs: 0 })
})

test('a job that runs elsewhere is watched to its end, and stopped', async () => {
  const [one, other] = [machine('one'), machine('other')]
  const copy = await startHeld(one, 'watched', 100 * 1024)
  const [{ id }] = (await other.run('jobs')).events
  const watching = other.start('attach', id)
  const stopping = other.run('stop', id.slice(0, -2))
  expect((await copy.ended).status).toBe(130)
  server.faults.clear()
  expect(await stopping).toMatchObject({ status: 0, last: { state: 'stopped', ended: { code: 'INTERRUPTED' } } })
  const watched = await watching.ended
  expect(watched.status).toBe(130)
  const states = eventsOf(watched).map(({ state: now }) => now)
  expect([states[0], states.at(-1)]).toEqual(['running', 'stopped'])
  // What was asked of it then is not asked of who goes on with it.
  expect([(await other.run('resume', id)).status, (await one.run('attach', id)).status]).toEqual([0, 0])
  expect((await one.run('stop', id)).last).toMatchObject({ code: 'NO_SUCH_JOB' })
})

/** Leaves a job that is split in ranges of names, for workers to copy side by side. @param {string} to */
const split = to =>
  `sync s3://source/ranges/ s3://target/${to}/ --delete --engine local --route engine --split 3 --detach`.split(' ')
/** The names that are written below a prefix from now on. @param {string} to */
function writesTo(to) {
  const names = []
  server.on('begin', ({ operation, key }) => {
    if (operation === 'PutObject' && key.startsWith(`${to}/`)) names.push(key.slice(to.length + 1))
  })
  return names
}

test('each range is copied once, by whichever worker; then the job looks at all of it, and deletes', async () => {
  const [laptop, one, other] = ['laptop', 'one', 'other'].map(machine)
  await put(route.to, 'all/extra', Buffer.from('extra'))
  const { status, last } = await laptop.run(...split('all'))
  expect([status, last]).toMatchObject([0, { type: 'detached', ranges: 3 }])
  const [waiting] = (await laptop.run('jobs')).events
  expect(waiting).toMatchObject({ id: last.job, state: 'waiting', copied: { objects: 0 } })
  expect(waiting.ranges.map(({ state: now }) => now)).toEqual(['waiting', 'waiting', 'waiting'])
  // Left to others once more, it is the same.
  for (const again of [['resume', last.job, '--detach'], split('all')]) {
    expect(await laptop.run(...again)).toMatchObject({ status: 0, last: { type: 'detached', job: last.job } })
  }
  const writes = writesTo('all')
  const only = ['work', '--once', '--only', last.job]
  const worked = await Promise.all([one.run(...only), other.run(...only)])
  expect(worked.map(({ status: of }) => of)).toEqual([0, 0])
  const done = worked.flatMap(({ events }) => events.flatMap(({ job, outcome }) => (outcome === 'done' ? [job] : [])))
  expect(done.sort()).toEqual([last.job, ...[1, 2, 3].map(n => `${last.job}.${n}`)])
  expect(writes.sort()).toEqual(NAMES)
  expect(await keysOf(route.to, 'all/')).toEqual(NAMES.map(name => `all/${name}`))
  const { events } = await laptop.run('jobs')
  expect(events).toMatchObject([{ id: last.job, state: 'done', copied: { objects: 30 } }, { jobs: 1 }])
})

test('a worker that is killed is taken over, and nothing is copied twice but what it had under way', async () => {
  const [laptop, one, other] = ['laptop', 'here', 'here'].map(machine)
  const { job } = (await laptop.run(...split('killed'))).last
  const writes = writesTo('killed')
  server.faults.add({ operation: 'PutObject', key: 'killed/o15', delayMs: 60_000, nth: 1 })
  const held = eventOf(server, 'begin', ({ operation, key }) => operation === 'PutObject' && key === 'killed/o15')
  const killed = one.start('work', '--once', '--concurrency', '1')
  await held
  killed.child.kill('SIGKILL')
  await killed.ended
  server.faults.clear()
  const [{ state: now, ranges }] = (await laptop.run('jobs')).events
  expect([now, ranges.map(range => range.state)]).toEqual(['running', ['done', 'running', 'waiting']])
  expect((await other.run('work', '--once', '--only', job)).status).toBe(0)
  expect(await keysOf(route.to, 'killed/')).toEqual(NAMES.map(name => `killed/${name}`))
  expect(writes.filter(name => name < 'o10').length).toBe(10)
  expect((await laptop.run('attach', job)).status).toBe(0)
})

test('each range has a manifest, and that of the job is an index of them, which is verified as one', async () => {
  const [laptop, worker] = ['laptop', 'worker'].map(machine)
  await put(route.to, 'proved/extra', Buffer.from('extra'))
  const location = 's3://target/audit/night.ndjson'
  const { job } = (await laptop.run(...split('proved'), '--manifest-out', location)).last
  expect((await worker.run('work', '--once', '--only', job)).status).toBe(0)
  const files = ['night.1', 'night.2', 'night.3', 'night'].map(name => `audit/${name}.ndjson`)
  expect(await keysOf(route.to, 'audit/')).toEqual(files)
  const lines = String(await get(route.to, 'audit/night.ndjson'))
    .trim()
    .split('\n')
  const own = lines.map(line => JSON.parse(line)).map(({ action, name, type }) => [action ?? type, name])
  expect(own).toEqual([
    ['manifest', undefined],
    ['delete', 'extra'],
    ['seal', undefined],
  ])
  const verify = () => laptop.run('verify', '--manifest', location, '--engine', 'local')
  expect(await verify()).toMatchObject({ status: 0, last: { pairs: { equal: 30, differing: 0 } } })
  await put(route.to, 'proved/o20', Buffer.from('another'))
  expect(await verify()).toMatchObject({ status: 8, last: { pairs: { equal: 29, differing: 1 } } })
  // What it was made from can be copied by it, also from files.
  const folder = newFolder()
  for (const file of files) writeFileSync(join(folder, basename(file)), await get(route.to, file))
  const again = 'copy -r s3://source/ranges/ s3://target/again/ --engine local --manifest'.split(' ')
  expect((await laptop.run(...again, join(folder, 'night.ndjson'))).last).toMatchObject({ objects: { copied: 30 } })
})
