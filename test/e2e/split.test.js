'use strict'

/** A job that is split in ranges of names, which workers copy side by side. */

const { writeFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { newFolder, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { openMachine } = require('../support/machines')
const { createBuckets, get, keysOf, put } = require('../support/s3')

const NAMES = Array.from({ length: 30 }, (_, i) => `o${String(i).padStart(2, '0')}`)

let server
let route
let state
let count = 0
beforeAll(async () => {
  server = await startStore()
  route = await openRoute({ source: server })
  await createBuckets(server, 'state')
  for (const name of NAMES) await put(route.from, `tree/${name}`, Buffer.from(name))
})
beforeEach(() => {
  state = `s3://state/team-${++count}`
})
afterEach(() => server.faults.clear())

/** @param {string} name */
const machine = name => openMachine(route.env, name, state)
const sync = to => `sync s3://source/tree/ s3://target/${to}/ --delete --engine local --route engine`.split(' ')
const split = to => [...sync(to), '--split', '3', '--detach']
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
  const ofDone = writes.filter(name => name < 'o10')
  expect(ofDone.length).toBe(10)
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
  const again = `copy -r s3://source/tree/ s3://target/again/ --manifest ${join(folder, 'night.ndjson')} --engine local`
  expect((await laptop.run(...again.split(' '))).last).toMatchObject({ objects: { copied: 30 } })
})
