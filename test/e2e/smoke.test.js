'use strict'

/**
 * One copy of each kind by real processes, for `npm test`: what breaks everything shows within seconds. Each kind has a file
 * of its own beside this one, which `npm run test:all` runs.
 */

const { readdirSync } = require('node:fs')
const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { journalHolds, newStateHome } = require('../support/journals')
const { startDeployed } = require('../support/platform')
const { openTrees, sizesOf } = require('../support/prefixes')
const { counted } = require('../support/requests')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const SMALL = bytesOf(100_000)
const BODY = bytesOf(4 * 5 * MiB)
const STOPPING = 'xfer: stopping; waiting up to 5 s for what is under way. Press Ctrl-C again to exit at once.\n'

let source
let destination
let plain
let platform
let routes
beforeAll(async () => {
  ;[source, destination, plain, platform] = await Promise.all([
    startStore(),
    startStore(),
    startStore({ checksums: false }),
    startDeployed(),
  ])
  routes = {
    local: await openRoute({ source, destination }),
    openwhisk: await openRoute({ source, destination, platform }),
    unproving: await openRoute({ source, destination: plain }),
    within: await openRoute({ source }),
  }
  await put(routes.local.from, 'small', SMALL)
  await put(routes.local.from, 'big', BODY)
})
afterEach(() => destination.faults.clear())
afterAll(async () => {
  for (const route of Object.values(routes)) route.close()
  await Promise.all([source, destination, plain, platform].map(server => server.close()))
})

test.each(['local', 'openwhisk'])('the engine %s copies in parts and in one request, and proves it', async engine => {
  const route = routes[engine]
  const parts = await route.copy('big', `${engine}-big`)
  expect(parts).toMatchObject({ status: 0, last: { engine, route: 'multipart', parts: 4, proof: ['store-crc32'] } })
  expect((await get(route.to, `${engine}-big`)).equals(BODY)).toBe(true)
  const one = await route.copy('small', `${engine}-small`)
  expect(one).toMatchObject({ status: 0, last: { engine, parts: 1, bytes: SMALL.length } })
  expect((await get(route.to, `${engine}-small`)).equals(SMALL)).toBe(true)
})

test('a copy in parts asks for nothing that it does not need', async () => {
  const { asked } = await counted(destination, () => routes.local.copy('big', 'counted', ['--concurrency', '1']))
  const { ListMultipartUploads, ...others } = asked
  expect(others).toEqual({ CreateMultipartUpload: 1, UploadPart: 4, CompleteMultipartUpload: 1 })
})

test('a destination without checksums gets the MD5 of each part', async () => {
  const { status, last } = await routes.unproving.copy('big', 'unproving')
  expect(status).toBe(0)
  expect(last.proof).toContain('part-md5')
  expect((await get(routes.unproving.to, 'unproving')).equals(BODY)).toBe(true)
})

test('within one store the store itself copies, and no byte is read', async () => {
  const { asked } = await counted(source, () => routes.within.copy('small', 'by-store', ['--route', 'auto']))
  expect(asked).toMatchObject({ CopyObject: 1 })
  expect((await get(routes.within.to, 'by-store')).equals(SMALL)).toBe(true)
})

test('a copy that was killed goes on with the parts that are there', async () => {
  const { to, env } = routes.local
  const kept = { env: { ...env, XDG_STATE_HOME: newStateHome() } }
  destination.faults.add({ operation: 'UploadPart', partNumber: 3, stall: MiB })
  const held = eventOf(destination, 'begin', ({ partNumber }) => partNumber === 3)
  const args = ['copy', 's3://source/big', 's3://target/resumed', '--json', '--chunk', '5', '--concurrency', '1']
  const { child, ended } = startXfer([...args, '--engine', 'local'], kept)
  await held
  await journalHolds(kept.env.XDG_STATE_HOME, 'part', 2)
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
  const { result, asked } = await counted(destination, () => startXfer(['resume', '--json'], kept).ended)
  expect(expectEvents(result, { env })).toMatchObject({ status: 0 })
  expect(asked).toMatchObject({ UploadPart: 2 })
  expect((await get(to, 'resumed')).equals(BODY)).toBe(true)
  expect(readdirSync(kept.env.XDG_STATE_HOME)).toEqual([])
})

test('Ctrl-C in the middle of a copy ends it with 130 and leaves nothing', async () => {
  const { start, check, to } = routes.local
  destination.faults.add({ operation: 'UploadPart', bytesPerSecond: 2 * MiB })
  const atWork = eventOf(destination, 'begin', ({ operation }) => operation === 'UploadPart')
  const { child, ended } = start('big', 'interrupted', [])
  await atWork
  child.kill('SIGINT')
  const { status, last } = await check(await ended, 'interrupted', STOPPING)
  expect({ status, code: last.code }).toEqual({ status: 130, code: 'INTERRUPTED' })
  expect(await keysOf(to, 'interrupted')).toEqual([])
  expect(await uploadsOf(to, 'interrupted')).toEqual([])
})

test('a part that is refused ends the copy with 4, and no secret is printed', async () => {
  destination.faults.add({ operation: 'UploadPart', status: 403 })
  const { status, last } = await routes.local.copy('big', 'refused')
  expect({ status, code: last.code }).toEqual({ status: 4, code: 'ACCESS_DENIED' })
})

test('xfer verify tells equal objects from different ones', async () => {
  await put(routes.local.to, 'equal', BODY)
  await put(routes.local.to, 'different', Buffer.from(BODY).fill(1, 7 * MiB, 7 * MiB + 1))
  const verify = async key => {
    const args = ['verify', 's3://source/big', `s3://target/${key}`, '--json', '--engine', 'local', '--read']
    const run = await startXfer(args, { env: routes.local.env }).ended
    return { status: run.status, type: eventsOf(run).at(-1).type }
  }
  expect(await verify('equal')).toEqual({ status: 0, type: 'done' })
  expect(await verify('different')).toEqual({ status: 8, type: 'error' })
})

test.each(['local', 'openwhisk'])('below a prefix all is copied and synced, by the engine %s', async engine => {
  const [from, to] = await Promise.all([startStore(), startStore()])
  const trees = await openTrees({ source: from, destination: to, ...(engine === 'openwhisk' && { platform }) })
  try {
    await trees.fill({ 'tree/a': 'one', 'tree/b/large': BODY, 'tree/empty': '' })
    const copied = await trees.run(['copy'])
    expect(copied).toMatchObject({ status: 0, last: { objects: { copied: 3 } } })
    expect(await sizesOf(trees.to)).toEqual({ 'tree/a': 3, 'tree/b/large': BODY.length, 'tree/empty': 0 })
    await trees.from.removeAll(['tree/a'])
    const synced = await trees.run(['sync', '--delete'])
    expect(synced).toMatchObject({ status: 0, last: { objects: { deleted: 1, failed: 0 } } })
    expect(Object.keys(await sizesOf(trees.to))).toEqual(['tree/b/large', 'tree/empty'])
  } finally {
    trees.close()
    await Promise.all([from.close(), to.close()])
  }
})
