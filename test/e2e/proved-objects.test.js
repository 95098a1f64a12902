'use strict'

/**
 * Objects of one request, at stores that check nothing: each copy that ends with 0 is right, and what is wrong is written
 * again or taken away.
 */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { MODES } = require('../../sandbox/store/modes')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { jobFiles } = require('../random/journal')
const { newStateHome } = require('../support/journals')
const { openTrees, sizesOf } = require('../support/prefixes')
const { get, openStore, put } = require('../support/s3')

let source
let destination
let trees
/** @type {string[]} */
const homes = []
afterEach(async () => {
  trees?.close()
  for (const home of homes.splice(0)) await rm(home, { recursive: true, force: true })
  await Promise.all([source, destination].map(store => store?.close()))
})

const optionsOf = name => MODES.find(mode => mode.name === name).options

/** @param {import('../../sandbox/store/types').StoreOptions} to @param {import('../../sandbox/store/types').StoreOptions} [from] */
async function setUp(to, from = {}) {
  ;[source, destination] = await Promise.all([startStore(from), startStore(to)])
  trees = await openTrees({ source, destination })
}

const endOf = ({ status, last }) => ({ status, code: last.code })
const TREE = { 'tree/a': 'the first', 'tree/b.txt': 'another one', 'tree/c': 'x'.repeat(3000), 'tree/d': '' }

/** @param {Record<string, string>} [tree] */
async function expectCopies(tree = TREE) {
  const found = await sizesOf(trees.to)
  expect(found).toEqual(Object.fromEntries(Object.entries(tree).map(([key, text]) => [key, text.length])))
  for (const [key, text] of Object.entries(tree)) expect(await trees.text(trees.to, key)).toBe(text)
}

describe.each(['framing-kept', 'unchecked', 'unchecked-plain', 'unchecked-opaque'])('at a store %s', name => {
  test('what a prefix has arrives as it is, and is proved', async () => {
    await setUp(optionsOf(name))
    await trees.fill(TREE)
    const run = await trees.run(['copy'])
    expect(endOf(run)).toEqual({ status: 0, code: undefined })
    await expectCopies()
    const proof = optionsOf(name).md5Etags === false ? 'read-back' : 'part-md5'
    for (const object of run.objects) expect(object.proof).toContain(proof)
  })

  test('a byte that is flipped on its way is noticed, though a checksum was taken', async () => {
    await setUp(optionsOf(name))
    await trees.fill(TREE)
    destination.faults.add({ operation: 'PutObject', key: 'tree/c', first: 1, flipByteAt: 7 })
    expect(endOf(await trees.run(['copy', '--retries', '0']))).toEqual({ status: 0, code: undefined })
    await expectCopies()
  })

  test('one that is flipped each time is not left there', async () => {
    await setUp(optionsOf(name))
    await trees.fill(TREE)
    destination.faults.add({ operation: 'PutObject', key: 'tree/c', flipByteAt: 7 })
    const run = await trees.run(['sync', '--retries', '0'])
    expect(endOf(run)).toEqual({ status: 1, code: 'OBJECTS_FAILED' })
    const failed = run.events.filter(({ type }) => type === 'failure')
    expect(failed).toMatchObject([{ name: 'c', code: 'WRONG_COPY' }])
    expect(failed[0].message).toContain('nothing is there now')
    const { 'tree/c': _, ...rest } = TREE
    await expectCopies(rest)
  })
})

test('a HEAD after the PUT that contradicts it is settled by reading', async () => {
  await setUp(optionsOf('head-wrong-size'))
  const route = await openRoute({ source, destination })
  try {
    await put(route.from, 'one', Buffer.from('what it is'))
    const { status, last } = await route.copy('one')
    expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
    expect(last.proof).toContain('read-back')
    expect((await get(route.to, 'one')).toString()).toBe('what it is')
  } finally {
    route.close()
  }
})

describe('an object that a store takes with the right MD5, and does not keep,', () => {
  test('is not told as copied where another was there before', async () => {
    const kept = { dir: newStateHome(), accounts: [{ accessKeyId: 'id', secretAccessKey: 'secret' }] }
    await setUp({ ...optionsOf('unnamed'), ...kept, buckets: ['target'] })
    await put(openStore(destination, 'target'), 'one', Buffer.from('the earlier one'))
    trees.close()
    await Promise.all([source.close(), destination.close()])
    await setUp({ ...optionsOf('keeps-no-puts'), ...kept })
    const route = await openRoute({ source, destination })
    try {
      await put(route.from, 'one', Buffer.from('what it is'))
      const { status, last } = await route.copy('one')
      expect({ status, code: last.code }).toEqual({ status: 8, code: 'WRONG_COPY' })
      expect(last.message).toContain('what was there before is still there')
      expect((await get(route.to, 'one')).toString()).toBe('the earlier one')
    } finally {
      route.close()
    }
  })

  test('is not told as copied where nothing was there', async () => {
    await setUp(optionsOf('keeps-no-puts'))
    const route = await openRoute({ source, destination })
    try {
      await put(route.from, 'one', Buffer.from('what it is'))
      const { status, last } = await route.copy('one')
      expect({ status, code: last.code }).toEqual({ status: 8, code: 'WRONG_COPY' })
    } finally {
      route.close()
    }
  })
})

test('a HEAD after the PUT that fails is told', async () => {
  await setUp(optionsOf('unnamed'))
  const route = await openRoute({ source, destination })
  try {
    await put(route.from, 'one', Buffer.from('what it is'))
    const written = eventOf(destination, 'begin', ({ operation }) => operation === 'PutObject')
    written.then(() => destination.faults.add({ operation: 'HeadObject', status: 500 }))
    const { status, events } = await route.copy('one', 'one', ['--retries', '0'])
    expect(status).toBe(0)
    expect(events.filter(({ type }) => type === 'notice').map(({ code }) => code)).toContain('COPY_NOT_LOOKED_AT')
  } finally {
    route.close()
  }
})

test('a wrong copy that cannot be removed is copied again by the next sync, however new it is', async () => {
  // Its source is so old that by the times alone it would be done.
  const kept = { dir: newStateHome(), accounts: [{ accessKeyId: 'id', secretAccessKey: 'secret' }] }
  const env = { XDG_STATE_HOME: newStateHome() }
  await setUp({}, { ...kept, clockSkewMs: -600_000 })
  await trees.fill(TREE)
  trees.close()
  await Promise.all([source.close(), destination.close()])
  await setUp(optionsOf('unchecked'), kept)
  destination.faults.add({ operation: 'PutObject', key: 'tree/c', flipByteAt: 7 })
  destination.faults.add({ operation: 'DeleteObject', status: 403, code: 'AccessDenied' })
  const wrong = await trees.run(['sync'], { env })
  expect(endOf(wrong)).toEqual({ status: 1, code: 'OBJECTS_FAILED' })
  expect(wrong.events.find(({ type }) => type === 'failure').message).toContain('the wrong object is still there')
  destination.faults.clear()
  expect(endOf(await trees.run(['sync'], { env }))).toEqual({ status: 0, code: undefined })
  await expectCopies()
})

test('a wrong copy that could not be removed is not passed over because it exists', async () => {
  const env = { XDG_STATE_HOME: newStateHome() }
  await setUp(optionsOf('unchecked'))
  await trees.fill(TREE)
  destination.faults.add({ operation: 'PutObject', key: 'tree/c', flipByteAt: 7 })
  destination.faults.add({ operation: 'DeleteObject', status: 403, code: 'AccessDenied' })
  expect(endOf(await trees.run(['copy', '--ignore-existing'], { env }))).toEqual({ status: 1, code: 'OBJECTS_FAILED' })
  destination.faults.clear()
  const again = await trees.run(['copy', '--ignore-existing'], { env })
  expect(endOf(again)).toEqual({ status: 1, code: 'OBJECTS_FAILED' })
  expect(again.events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'c', code: 'NOT_PROVED' }])
  expect(endOf(await trees.run(['copy'], { env }))).toEqual({ status: 0, code: undefined })
  await expectCopies()
})

test('what was written and could not be read back is copied again by the next sync, which misses nothing new either', async () => {
  await setUp(optionsOf('unchecked-opaque'))
  const AGO_MS = 600_000
  for (const store of [source, destination]) store.stepClock(-AGO_MS)
  await trees.fill(TREE)
  for (const store of [source, destination]) store.stepClock(AGO_MS)
  destination.faults.add({ operation: 'PutObject', key: 'tree/c', flipByteAt: 7 })
  destination.faults.add({ operation: 'GetObject', key: 'tree/c', status: 500 })
  const kept = { env: { XDG_STATE_HOME: await mkdtemp(join(tmpdir(), 'xfer-state-')) } }
  homes.push(kept.env.XDG_STATE_HOME)
  const first = await trees.run(['sync', '--retries', '0'], kept)
  expect(endOf(first)).toEqual({ status: 1, code: 'OBJECTS_FAILED' })
  expect(first.events.find(({ type }) => type === 'failure')).toMatchObject({ name: 'c', code: 'NOT_READ_BACK' })
  expect(first.last.job).toEqual(expect.any(String))
  destination.faults.clear()
  const news = { 'tree/a0': 'a new one', 'tree/b.txt': 'changed meanwhile' }
  await trees.fill(news)
  const again = await trees.run(['sync'], kept)
  expect(endOf(again)).toEqual({ status: 0, code: undefined })
  await expectCopies({ ...TREE, ...news })
  expect(await jobFiles(kept.env.XDG_STATE_HOME)).toEqual([])
})

test('what a lost answer left wrong is written again', async () => {
  await setUp(optionsOf('unchecked-opaque'))
  await trees.fill(TREE)
  destination.faults.add({ operation: 'PutObject', key: 'tree/c', first: 1, loseAnswer: true })
  destination.faults.add({ operation: 'PutObject', key: 'tree/c', first: 1, flipByteAt: 7 })
  expect(endOf(await trees.run(['copy', '--retries', '0']))).toEqual({ status: 0, code: undefined })
  await expectCopies()
})

test('a destination that may not be read gets nothing with --verify full', async () => {
  const faults = [{ operation: 'GetObject', status: 403, code: 'AccessDenied' }]
  await setUp({ ...optionsOf('nothing-to-compare'), faults })
  await trees.fill(TREE)
  const run = await trees.run(['copy', '--verify', 'full'])
  expect(endOf(run)).toEqual({ status: 4, code: 'READ_BACK_REFUSED' })
  expect(run.last.hint).toContain('--verify none')
  expect(destination.requests.PutObject).toBeUndefined()
})

test('a copy that is there, and that its store answers with 404 when it is read, is no wrong one', async () => {
  await setUp({})
  await trees.fill(TREE)
  destination.faults.add({ operation: 'GetObject', key: 'tree/c', status: 404, code: 'NoSuchKey' })
  const run = await trees.run(['copy', '--verify', 'full', '--retries', '0'])
  expect(endOf(run)).toEqual({ status: 1, code: 'OBJECTS_FAILED' })
  expect(run.events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'c', code: 'NOT_READ_BACK' }])
  destination.faults.clear()
  await expectCopies()
})

test('a source that is read wrong once does not make a right copy of its store a wrong one', async () => {
  await setUp({})
  const route = await openRoute({ source })
  try {
    await put(route.from, 'one', Buffer.from('what it is'))
    source.faults.add({ operation: 'GetObject', key: 'one', on: 'response', flipByteAt: 3, nth: 1 })
    const { status, last } = await route.copy('one', 'two', ['--route', 'server', '--verify', 'full'])
    expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
    expect(last.proof).toContain('read-back')
    expect((await get(route.to, 'two')).toString()).toBe('what it is')
  } finally {
    route.close()
  }
})
