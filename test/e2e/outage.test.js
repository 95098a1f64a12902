'use strict'

/** A store or the platform is away for longer than all attempts of a part or a control call would take. */

const { eventOf } = require('../support/events')
const { newStateHome } = require('../support/journals')
const { keep } = require('../support/opened')
const { restartablePlatform, restartableStore } = require('../support/restartable')
const { sizesOf, openTrees } = require('../support/prefixes')
const { bytesOf, put } = require('../support/s3')
const { startXfer } = require('../support/run-xfer')

const MiB = 1024 ** 2
/** One retry bridges two seconds at most. */
const OUTAGE_MS = 6_000
jest.setTimeout(120_000)

let ends
let trees
/** @param {'local' | 'openwhisk'} engine @param {{ source?: object }} [options] */
async function setUp(engine, options = {}) {
  ends = {
    source: await keep(restartableStore(options.source)),
    destination: await keep(restartableStore()),
    platform: engine === 'openwhisk' ? await keep(restartablePlatform()) : undefined,
  }
  const [source, destination, platform] = Object.values(ends).map(end => end?.server())
  trees = await openTrees({ source, destination, platform })
  return { source, destination, platform }
}

/** What the outage was told to be, and nothing failed of the copy. */
function expectWaited({ status, events, last }, peer) {
  expect({ status, last }).toMatchObject({ status: 0, last: { type: 'done' } })
  const told = events.filter(({ type }) => type === 'outage')
  expect(told.length).toBeGreaterThan(1)
  expect(told.every(event => event.peer === peer)).toBe(true)
  expect(told.at(-1)).toMatchObject({ over: true })
  expect(told.at(-1).forMs).toBeGreaterThan(OUTAGE_MS / 2)
  expect(events.some(({ type, away }) => type === 'progress' && away?.[0].peer === peer)).toBe(true)
  expect(events.filter(({ type }) => type === 'failure')).toEqual([])
}

test.each([
  ['local', 'destination'],
  ['openwhisk', 'platform'],
])('on the engine %s an outage of the %s fails no object of a sync', async (engine, peer) => {
  // Slow enough that there is something left to do.
  const slowly = { faults: [{ operation: 'GetObject', delayMs: 50 }] }
  const { source } = await setUp(engine, { source: slowly })
  const names = Array.from({ length: 400 }, (_, i) => `tree/n${String(i).padStart(3, '0')}`)
  for (const name of names) await put(trees.from, name, bytesOf(1_000, name))
  const half = eventOf(source, 'begin', ({ operation }) => operation === 'GetObject', 100)
  const run = trees.run(['sync', '--concurrency', '8', '--retries', '1'])
  await half
  await ends[peer].outage(OUTAGE_MS)
  const ended = await run
  expectWaited(ended, peer)
  expect(ended.last.objects).toMatchObject({ copied: 400, failed: 0 })
  expect(Object.keys(await sizesOf(trees.to, 'tree/'))).toEqual(names)
})

test('an outage that lasts longer than --outage-timeout ends the job, which can be gone on with', async () => {
  const slowly = { faults: [{ operation: 'GetObject', bytesPerSecond: 10 * MiB, shared: true }] }
  const { destination } = await setUp('local', { source: slowly })
  await put(trees.from, 'large', bytesOf(40 * MiB))
  const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'UploadPart', 3)
  const env = { ...trees.env, XDG_STATE_HOME: newStateHome() }
  const copy = 'copy s3://origin/large s3://target/large --chunk 5 --engine local'.split(' ')
  const started = startXfer([...copy, '--concurrency', '2', '--outage-timeout', '3s'], { env })
  await begun
  await ends.destination.down()
  const { status, stderr } = await started.ended
  expect(status).toBe(1)
  expect(stderr).toMatch(/Note: The destination at \S+ has not answered for \d/)
  expect(stderr).toMatch(/xfer: The destination at \S+ has not answered for 3 s: /)
  expect(stderr).toMatch(/go on with: xfer resume/)
  await ends.destination.up()
  expect(await startXfer(copy, { env }).ended).toMatchObject({ status: 0 })
})
