'use strict'

/** How many invocations a prefix takes where the platform's quota is no matter. */

const { startStore } = require('../../sandbox/store')
const { startDeployed } = require('../support/platform')
const { openTrees, sizesOf } = require('../support/prefixes')

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
