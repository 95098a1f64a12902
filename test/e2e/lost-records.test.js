'use strict'

/** A platform that keeps no records of calls that succeed, as Adobe's, and calls that take longer than it waits. */

const { startDeployed, startStore } = require('../support/opened')
const { openTrees, sizesOf } = require('../support/prefixes')

jest.setTimeout(180_000)

test('whole objects are found at the destination, and copied once', async () => {
  const [source, destination, platform] = await Promise.all([
    startStore(),
    startStore(),
    // It waits for 1 s. No call carries the header that makes the platform keep a record.
    startDeployed({ containers: 6, onlyFailureRecords: true, limits: { blockingMs: 1_000, extraLogging: 0 } }),
  ])
  const trees = await openTrees({ source, destination, platform })
  const names = ['1', '2', '3', '4', '5', '6']
  await trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, name.repeat(100_000)])))
  source.faults.add({ operation: 'GetObject', delayMs: 4_000 })
  const writes = []
  destination.on('begin', ({ operation, key }) => operation === 'PutObject' && writes.push(key))
  const { status, last, events } = await trees.run(['copy'])
  expect({ status, code: last.code }).toEqual({ status: 0, code: undefined })
  expect(writes.sort()).toEqual(names.map(name => `tree/${name}`))
  expect(events.filter(({ type }) => type === 'retry' || type === 'hedge')).toEqual([])
  expect(Object.keys(await sizesOf(trees.to))).toHaveLength(6)
})
