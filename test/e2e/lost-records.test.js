'use strict'

/** A platform that keeps no records of calls that succeed, as Adobe's, and calls that take longer than it waits. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { openTrees, sizesOf } = require('../support/prefixes')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
jest.setTimeout(180_000)

/** The platform waits for 1 s, and the source sends so slowly that a call takes about 4 s. */
const WAITS_MS = 1_000
const TAKES_MS = 4_000

let source
let destination
let platform
const opened = []
beforeEach(async () => {
  ;[source, destination, platform] = await Promise.all([
    startStore(),
    startStore(),
    // No call carries the header that makes the platform keep a record.
    startDeployed({ containers: 6, onlyFailureRecords: true, limits: { blockingMs: WAITS_MS, extraLogging: 0 } }),
  ])
})
afterEach(async () => {
  for (const one of opened.splice(0)) one.close()
  await Promise.all([source, destination, platform].map(server => server?.close()))
})

function countWrites(operation) {
  const writes = []
  destination.on('begin', event => {
    if (event.operation === operation) writes.push(event.key)
  })
  return writes
}

const startedAgain = events => events.filter(({ type }) => type === 'retry' || type === 'hedge')

test('the parts of an object are found at the destination, and copied once', async () => {
  const route = await openRoute({ source, destination, platform })
  opened.push(route)
  await put(route.from, 'one', bytesOf(30 * MiB))
  source.faults.add({ operation: 'GetObject', delayMs: TAKES_MS })
  const writes = countWrites('UploadPart')
  const { status, last, events } = await route.copy('one', 'one', ['--chunk', '5'])
  expect({ status, code: last.code }).toEqual({ status: 0, code: undefined })
  expect(writes).toHaveLength(6)
  expect(startedAgain(events)).toEqual([])
  expect((await get(route.to, 'one')).equals(bytesOf(30 * MiB))).toBe(true)
})

test('whole objects are found at the destination, and copied once', async () => {
  const trees = await openTrees({ source, destination, platform })
  opened.push(trees)
  const names = ['1', '2', '3', '4', '5', '6']
  await trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, name.repeat(100_000)])))
  source.faults.add({ operation: 'GetObject', delayMs: TAKES_MS })
  const writes = countWrites('PutObject')
  const { status, last, events } = await trees.run(['copy'])
  expect({ status, code: last.code }).toEqual({ status: 0, code: undefined })
  expect(writes.sort()).toEqual(names.map(name => `tree/${name}`))
  expect(startedAgain(events)).toEqual([])
  expect(Object.keys(await sizesOf(trees.to))).toHaveLength(6)
})
