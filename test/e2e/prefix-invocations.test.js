'use strict'

/** How many invocations a prefix takes where the platform's quota is no matter. */

const { startStore } = require('../../sandbox/store')
const { startDeployed } = require('../support/platform')
const { openTrees, sizesOf } = require('../support/prefixes')
const { bytesOf } = require('../support/s3')

const MiB = 1024 ** 2
/** Ample, and not told at all. */
const QUOTAS = [
  ['a quota that is no matter', 1_000_000],
  ['a platform that tells of no quota', Number.POSITIVE_INFINITY],
]

let servers = []
let platform
let trees
afterEach(async () => {
  trees?.close()
  await Promise.all([platform, ...servers].map(server => server?.close()))
})

async function setUp(perMinute = 1_000_000) {
  servers = await Promise.all([startStore(), startStore()])
  platform = await startDeployed({ containers: 4, limits: { concurrent: 1000, perMinute } })
  const [source, destination] = servers
  trees = await openTrees({ source, destination, platform })
}

const small = count => Object.fromEntries(Array.from({ length: count }, (_, i) => [`tree/n${1000 + i}`, `object ${i}`]))

test.each(QUOTAS)('300 small objects take far fewer than 300 with %s', async (_, perMinute) => {
  await setUp(perMinute)
  await trees.fill(small(300))
  const run = await trees.run(['copy'])
  expect({ status: run.status, objects: run.last.objects }).toMatchObject({ status: 0, objects: { copied: 300 } })
  expect(Object.keys(await sizesOf(trees.to))).toHaveLength(300)
  expect(run.last.invocations).toBeLessThanOrEqual(30)
  // With the one that looks whether the function is new enough.
  expect(platform.activations.counters.started).toBeLessThanOrEqual(31)
})

test('an object that fails costs those beside it nothing, and one that fails in passing is copied alone', async () => {
  await setUp()
  await trees.fill(small(100))
  const [source] = servers
  source.faults.add({ operation: ['GetObject', 'HeadObject'], key: 'tree/n1050', status: 403 })
  source.faults.add({ operation: 'GetObject', key: 'tree/n1060', nth: 1, status: 500 })
  const reads = {}
  source.on('request', ({ operation, key }) => {
    if (operation === 'GetObject') reads[key] = (reads[key] ?? 0) + 1
  })
  const run = await trees.run(['copy'])
  expect({ status: run.status, objects: run.last.objects }).toMatchObject({ objects: { copied: 99, failed: 1 } })
  expect(run.events.filter(({ type }) => type === 'failure').map(({ name }) => name)).toEqual(['n1050'])
  expect([reads['tree/n1059'], reads['tree/n1060'], reads['tree/n1061']]).toEqual([1, 2, 1])
  expect(platform.activations.counters.started).toBeLessThanOrEqual(12)
})

test('what an activation wrote that the platform ran twice is its own, though nothing may be replaced', async () => {
  await setUp()
  await trees.fill(small(40))
  platform.faults.add({ rerun: true })
  const run = await trees.run(['copy', '--ignore-existing'])
  expect({ status: run.status, objects: run.last.objects }).toMatchObject({
    status: 0,
    objects: { copied: 40, skipped: 0 },
  })
  expect(run.objects.filter(({ proof }) => proof.length === 0)).toEqual([])
  expect(Object.keys(await sizesOf(trees.to))).toHaveLength(40)
})

test('objects that are work enough go one an invocation, side by side', async () => {
  await setUp()
  const body = bytesOf(4 * MiB, 'large enough')
  await trees.fill(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`tree/n${10 + i}`, body])))
  const run = await trees.run(['copy'])
  expect({ status: run.status, objects: run.last.objects }).toMatchObject({ status: 0, objects: { copied: 12 } })
  expect(run.last.invocations).toBeGreaterThanOrEqual(12)
})

test.each(['copy', 'sync'])(
  '%s says that it waits for a quota that is used up before there is a plan, and copies',
  async command => {
    await setUp(60)
    await trees.fill(small(3))
    platform.faults.add({ on: 'limits', first: 5, status: 429, throttle: 'rate' })
    const run = await trees.run([command])
    expect({ status: run.status, last: run.last }).toMatchObject({ status: 0, last: { objects: { copied: 3 } } })
    const first = run.events.find(({ type }) => type === 'notice')
    expect(first).toMatchObject({
      type: 'notice',
      message: 'Waiting for the platform: its 60 invocations a minute are used up.',
    })
    const before = run.events.slice(
      0,
      run.events.findIndex(({ type }) => type === 'plan'),
    )
    // What is told before the plan has all that the texts need.
    for (const each of before.filter(({ type }) => type === 'progress')) {
      expect(each).toMatchObject({ phase: 'listing', objectsDone: 0, objectsTotal: 0, waiting: { perMinute: 60 } })
    }
  },
)
