'use strict'

/** A clock is set while a copy is at work: the store's, or this machine's, which comes to the same. */

const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { startDeployed } = require('../support/platform')
const { openTrees } = require('../support/prefixes')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const STEP_MS = 20 * 60_000

let servers = []
let trees
afterEach(async () => {
  trees?.close()
  await Promise.all(servers.map(server => server.close()))
})

/** @param {boolean} [functions] */
async function setUp(functions = false) {
  // Slow enough that there is something left to do.
  const faults = [{ operation: 'GetObject', bytesPerSecond: 20 * MiB, shared: true }]
  const [source, destination] = await Promise.all([startStore({ faults }), startStore()])
  servers = [source, destination]
  const platform = functions ? await startDeployed() : undefined
  if (platform) servers.push(platform)
  trees = await openTrees({ source, destination, platform })
  return { source, destination, platform }
}

/** Once the n-th request of an operation begins. */
function when(store, operation, nth, act) {
  let seen = 0
  store.on('begin', event => {
    if (event.operation === operation && ++seen === nth) act()
  })
}

const copyArgs = engine => [
  ...['copy', 's3://origin/large', 's3://target/large', '--json', '--chunk', '5', '--retries', '0'],
  ...['--engine', engine, '--concurrency', '2'],
]

/** @param {{ status: number, stdout: string }} ended */
async function expectWhole({ status, stdout }, bytes) {
  const events = stdout.trim().split('\n').map(JSON.parse)
  expect({ status, last: events.at(-1) }).toMatchObject({ status: 0, last: { type: 'done', retried: 0 } })
  expect((await get(trees.to, 'large')).equals(bytes)).toBe(true)
}

test.each([
  ['local', 'source', STEP_MS],
  ['local', 'destination', -STEP_MS],
  ['openwhisk', 'destination', STEP_MS],
])('on the engine %s the clock of the %s that is set by %d ms costs no attempt', async (engine, side, stepMs) => {
  const stores = await setUp(engine === 'openwhisk')
  const bytes = bytesOf(50 * MiB)
  await put(trees.from, 'large', bytes)
  when(stores.destination, 'UploadPart', 4, () => stores[side].stepClock(stepMs))
  await expectWhole(await startXfer(copyArgs(engine), { env: trees.env }).ended, bytes)
})

test.each([STEP_MS, -STEP_MS])('setting the clock of this machine by %d ms has no effect', async stepMs => {
  await setUp()
  const bytes = bytesOf(50 * MiB)
  await put(trees.from, 'large', bytes)
  const env = {
    ...trees.env,
    NODE_OPTIONS: `--require ${join(__dirname, 'clock-step', 'step.js')}`,
    STEP_MS: String(stepMs),
    STEP_AFTER_MS: '1500',
  }
  await expectWhole(await startXfer(copyArgs('local'), { env }).ended, bytes)
})
