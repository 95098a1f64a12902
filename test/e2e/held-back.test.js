'use strict'

/** What is said at the end of a real copy whose limit is known. Each takes some seconds, because a shorter one is not judged. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')

const MiB = 1024 ** 2

/** @param {{ source?: object, platform?: object }} options of the sandbox */
async function setUp({ source: options = {}, platform } = {}) {
  const [source, destination, deployed] = await Promise.all([
    startStore(options),
    startStore(),
    platform && startDeployed(platform),
  ])
  const route = await openRoute({ source, destination, platform: deployed })
  open.push({ close: async () => route.close() }, source, destination, ...(deployed ? [deployed] : []))
  return { source, destination, ...route }
}

const open = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

test('destination: a store that refuses some', async () => {
  const { destination, copy } = await setUp({ source: { synthetic: { 'source/large': 200 * MiB } } })
  destination.faults.add({ operation: 'UploadPart', probability: 0.15, status: 503, code: 'SlowDown' })
  destination.faults.add({ operation: 'UploadPart', delayMs: 500 })
  const { status, last } = await copy('large', 'copy')
  const sentence =
    /^Held back by s3:\/\/target\/copy: it refused \d+ requests and allowed about (\d+) at once for \d+ % of the time; --concurrency \1 asks it less\.$/
  const message = expect.stringMatching(sentence)
  expect({ status, ...last.heldBack }).toEqual({ status: 0, by: 'destination', message, option: 'concurrency' })
})
