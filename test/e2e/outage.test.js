'use strict'

/** A store or the platform is away for longer than all attempts of a part or a control call would take. */

const { eventOf } = require('../support/events')
const { newStateHome } = require('../support/journals')
const { keep, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { restartablePlatform, restartableStore } = require('../support/restartable')
const { sizesOf, openTrees } = require('../support/prefixes')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

/** One retry bridges two seconds at most. */
const OUTAGE_MS = 6_000
test.each([
  ['local', 'destination'],
  ['openwhisk', 'platform'],
])('on the engine %s an outage of the %s fails no object of a sync', async (engine, peer) => {
  const ends = {
    // Slow enough that there is something left to do.
    source: await keep(restartableStore({ faults: [{ operation: 'GetObject', delayMs: 50 }] })),
    destination: await keep(restartableStore()),
    platform: engine === 'openwhisk' ? await keep(restartablePlatform()) : undefined,
  }
  const [source, destination, platform] = Object.values(ends).map(end => end?.server())
  const trees = await openTrees({ source, destination, platform })
  const names = Array.from({ length: 400 }, (_, i) => `tree/n${String(i).padStart(3, '0')}`)
  for (const name of names) await put(trees.from, name, bytesOf(1_000, name))
  const half = eventOf(source, 'begin', ({ operation }) => operation === 'GetObject', 100)
  const run = trees.run(['sync', '--concurrency', '8', '--retries', '1'])
  await half
  await ends[peer].outage(OUTAGE_MS)
  const { status, events, last } = await run
  expect({ status, last }).toMatchObject({ status: 0, last: { type: 'done', objects: { copied: 400, failed: 0 } } })
  const told = events.filter(({ type }) => type === 'outage')
  expect(told.length).toBeGreaterThan(1)
  expect(new Set(told.map(event => event.peer))).toEqual(new Set([peer]))
  expect(told.at(-1)).toMatchObject({ over: true })
  expect(told.at(-1).forMs).toBeGreaterThan(OUTAGE_MS / 2)
  expect(events.some(({ type, away }) => type === 'progress' && away?.[0].peer === peer)).toBe(true)
  expect(events.filter(({ type }) => type === 'failure')).toEqual([])
  expect(Object.keys(await sizesOf(trees.to, 'tree/'))).toEqual(names)
})

test('an outage that lasts longer than --outage-timeout ends the job, which can be gone on with', async () => {
  const end = await keep(restartableStore())
  const route = await openRoute({ source: await startStore(), destination: end.server() })
  await put(route.from, 'large', bytesOf(40 * 1024 ** 2))
  const begun = eventOf(end.server(), 'begin', ({ operation }) => operation === 'UploadPart', 3)
  const env = { ...route.env, XDG_STATE_HOME: newStateHome() }
  const copy = 'copy s3://source/large s3://target/large --chunk 5 --engine local --json'.split(' ')
  const started = startXfer([...copy, '--concurrency', '2', '--outage-timeout', '3s'], { env })
  await begun
  await end.down()
  const [message, hint] = ['has not answered for 3 s', 'xfer resume'].map(text => expect.stringContaining(text))
  expect(eventsOf(await started.ended).at(-1)).toMatchObject({ code: 'OUTAGE', exitCode: 1, message, hint })
  await end.up()
  expect(await startXfer(copy, { env }).ended).toMatchObject({ status: 0 })
})
