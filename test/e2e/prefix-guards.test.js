'use strict'

/** What keeps `sync --delete` from emptying a destination, and what a copy of nothing ends with. */

const { eventOf } = require('../support/events')
const { newStateHome } = require('../support/journals')
const { sizesOf, openKeptTrees } = require('../support/prefixes')
const { startXfer } = require('../support/run-xfer')
const { put } = require('../support/s3')

let destination
let trees
beforeEach(async () => {
  ;({ destination, trees } = await openKeptTrees())
})

const namesOf = (many, beginning = 'n') =>
  Array.from({ length: many }, (_, i) => beginning + String(i).padStart(3, '0'))
/** @param {string[]} names of objects that the destination alone has */
async function fillTarget(names) {
  for (const name of names) await put(trees.to, `tree/${name}`, Buffer.from(name))
}
const fillSource = names => trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, name])))
const left = async () => Object.keys(await sizesOf(trees.to)).length
const last = ({ status, last: { type, code, exitCode } }) => ({ status, type, code, exitCode })
const REFUSED = (code, exitCode = 1) => ({ status: exitCode, type: 'error', code, exitCode })

test.each([
  ['sync', '--max-delete', '3'],
  ['sync', '--delete', '--max-delete', '101%'],
  ['sync', '--delete', '--max-delete', ''],
])('%s %s %s %s is refused', async (...args) => {
  const { status, last } = await trees.run(args)
  expect([status, last.code]).toEqual([2, 'USAGE'])
  expect(last.message).toContain('--max-delete')
})

test('a job that goes on keeps the limit it was begun with, and counts all there is', async () => {
  const env = { XDG_STATE_HOME: newStateHome() }
  await fillSource(namesOf(30))
  await fillTarget(namesOf(10, 'gone'))
  destination.faults.add({ operation: 'PutObject', key: 'tree/n029', delayMs: 60_000 })
  const begun = eventOf(destination, 'begin', ({ key }) => key === 'tree/n029')
  const { child, ended } = trees.start(['sync', '--delete', '--max-delete', '9'], { env })
  await begun
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
  const resumed = await startXfer(['resume', '--json', '--engine', 'local'], { env: { ...trees.env, ...env } }).ended
  expect(resumed.status).toBe(1)
  expect(JSON.parse(resumed.stdout.trim().split('\n').at(-1))).toMatchObject({ code: 'TOO_MANY_DELETIONS' })
  expect(await left()).toBe(40)
  const again = await trees.run(['sync', '--delete', '--max-delete', '10'], { env })
  expect([again.status, await left()]).toEqual([0, 30])
})

test('a job that goes on with a source that is empty by now deletes nothing', async () => {
  const env = { XDG_STATE_HOME: newStateHome() }
  const names = namesOf(20)
  await fillSource(names)
  destination.faults.add({ operation: 'PutObject', key: 'tree/n019', delayMs: 60_000 })
  const begun = eventOf(destination, 'begin', ({ key }) => key === 'tree/n019')
  const { child, ended } = trees.start(['sync', '--delete'], { env })
  await begun
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
  const before = await left()
  await trees.from.removeAll(names.map(name => `tree/${name}`))
  const run = await trees.run(['sync', '--delete'], { env })
  // The store may have kept some of what the killed process had sent.
  expect([last(run), (await left()) >= before]).toEqual([REFUSED('NOTHING_FOUND', 3), true])
})
