'use strict'

/** What is said at the end of a real copy whose limit is known. Each takes some seconds, because a shorter one is not judged. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { openTrees } = require('../support/prefixes')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

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

/** A platform whose minute ends in so many seconds. @param {number} seconds */
const minuteEndsIn = seconds => {
  const ahead = 60_000 - ((Date.now() + seconds * 1000) % 60_000)
  return () => Date.now() + ahead
}

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

test('quota: a minute that an earlier copy has used up', async () => {
  const { from, copy } = await setUp({ platform: { limits: { perMinute: 1 }, clock: minuteEndsIn(15) } })
  for (const key of ['first', 'second']) await put(from, key, bytesOf(6 * MiB))
  expect((await copy('first')).last).not.toHaveProperty('heldBack')
  expect((await copy('second')).last.heldBack).toEqual({
    by: 'quota',
    message: expect.stringMatching(
      /^Held back by the platform's quota: 1 invocation a minute, used up for \d\d % of the time\.$/,
    ),
  })
})

test('listing: a store whose lists are slow; the line stands above the last one, which says what was copied', async () => {
  const [source, destination] = await Promise.all([startStore({ pageSize: 50 }), startStore()])
  const trees = await openTrees({ source, destination })
  open.push({ close: async () => trees.close() }, source, destination)
  await trees.fill(
    Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`tree/n${String(i).padStart(3, '0')}`, 'x'])),
  )
  source.faults.add({ operation: 'ListObjectsV2', delayMs: 900 })
  const { status, stdout } = await startXfer(
    ['copy', '-r', 's3://origin/tree/', 's3://target/tree/', '--engine', 'local'],
    { env: trees.env },
  ).ended
  expect(status).toBe(0)
  expect(stdout.trim().split('\n').slice(-2)).toEqual([
    expect.stringMatching(
      /^Held back by listing and comparing: all that was found was copied, or under way, for \d+ % of the time\.$/,
    ),
    expect.stringMatching(/^Copied 600 objects /),
  ])
})

test('an interrupted copy says it too', async () => {
  const { destination, start, check } = await setUp({ source: { synthetic: { 'source/large': 100 * MiB } } })
  destination.faults.add({ operation: 'UploadPart', delayMs: 900 })
  const run = start('large', 'copy', ['--concurrency', '1'])
  await new Promise(resolve => {
    let parts = 0
    destination.on('request', ({ operation }) => operation === 'UploadPart' && ++parts === 8 && resolve(undefined))
  })
  run.child.kill('SIGTERM')
  const { last } = await check(await run.ended, 'copy', expect.stringContaining('xfer: stopping'))
  expect(last).toMatchObject({ type: 'error', code: 'INTERRUPTED', heldBack: { by: 'concurrency' } })
})
