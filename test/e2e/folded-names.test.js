'use strict'

/** Destinations that take two names of the source for one: they fold case, or the normal form of Unicode. */

const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { newStateHome } = require('../support/journals')
const { sizesOf, openTrees } = require('../support/prefixes')
const { put } = require('../support/s3')

let source
let destination
let trees
async function open(foldNames) {
  ;[source, destination] = await Promise.all([startStore(), startStore({ foldNames })])
  trees = await openTrees({ source, destination })
}
afterEach(async () => {
  trees.close()
  await Promise.all([source.close(), destination.close()])
})

const names = async () => Object.keys(await sizesOf(trees.to)).map(key => key.slice('tree/'.length))
const outcome = ({ status, events }) => ({
  status,
  failed: events.filter(({ type }) => type === 'failure').map(({ name, code }) => `${name} ${code}`),
})
const COMPOSED = '\u00e9'
const DECOMPOSED = 'e\u0301'

describe.each([['copy'], ['sync']])('%s', command => {
  test.each([
    ['case', 'README', 'readme'],
    ['nfc', DECOMPOSED, COMPOSED],
  ])(
    'to one that folds (%s) fails the second of two names, and leaves the first, each time',
    async (fold, one, two) => {
      await open(fold)
      await trees.fill({ [`tree/${one}`]: 'first', [`tree/${two}`]: 'other', 'tree/z': 'z' })
      for (const round of [1, 2, 3]) {
        const run = await trees.run([command])
        expect({ round, ...outcome(run) }).toEqual({ round, status: 1, failed: [`${two} NAMES_FOLDED`] })
        expect(await trees.text(trees.to, `tree/${one}`)).toBe('first')
      }
    },
  )

  test('to one that stores a backslash as a slash fails the key with the backslash, and leaves the other', async () => {
    await open('backslash')
    await trees.fill({ 'tree/a/b': 'first', 'tree/a\\b': 'other', 'tree/c\\d': 'alone', 'tree/z': 'z' })
    const flags = command === 'sync' ? ['--delete'] : []
    for (const round of [1, 2]) {
      const run = await trees.run([command, ...flags])
      const { status, failed } = outcome(run)
      expect({ round, status, failed: failed.toSorted() }).toEqual({
        round,
        status: 1,
        failed: ['a\\b KEY_RESOLVED', 'c\\d KEY_RESOLVED'],
      })
      expect(await names()).toEqual(['a/b', 'z'])
      expect(await trees.text(trees.to, 'tree/a/b')).toBe('first')
    }
  })

  test('to one that does not fold copies both', async () => {
    await open('none')
    await trees.fill({
      'tree/README': 'first',
      'tree/readme': 'other',
      [`tree/${DECOMPOSED}`]: '1',
      [`tree/${COMPOSED}`]: '2',
      'tree/a/b': '3',
      'tree/a\\b': '4',
    })
    const run = await trees.run([command])
    expect(outcome(run)).toEqual({ status: 0, failed: [] })
    expect((await names()).length).toBe(6)
    expect(await trees.text(trees.to, 'tree/readme')).toBe('other')
  })

  test('to one that folds only the other way copies both', async () => {
    await open('nfc')
    await trees.fill({ 'tree/README': 'first', 'tree/readme': 'other' })
    expect(outcome(await trees.run([command]))).toEqual({ status: 0, failed: [] })
    expect(await names()).toEqual(['README', 'readme'])
  })

  test('asks the destination for nothing where no two names would be one', async () => {
    await open('case')
    await trees.fill({ 'tree/a': '1', 'tree/B': '2', 'tree/b2': '3' })
    const before = destination.requests.HeadObject ?? 0
    expect((await trees.run([command])).status).toBe(0)
    expect(destination.requests.HeadObject ?? 0).toBe(before)
  })
})

test('sync --delete deletes no copy of its own that the destination lists under another name, and fails the name', async () => {
  await open('colon')
  await trees.fill({ 'tree/10:30': 'mine', 'tree/z': 'z' })
  await put(trees.to, 'tree/extra', Buffer.from('to be deleted'))
  for (const round of [1, 2]) {
    const { status, failed } = outcome(await trees.run(['sync', '--delete']))
    expect({ round, status, failed }).toEqual({ round, status: 1, failed: ['10:30 KEY_RESOLVED'] })
    expect(await names()).toEqual(['10_30', 'z'])
  }
  expect(await trees.text(trees.to, 'tree/10_30')).toBe('mine')
})

test('where the destination may not be looked at, both are written', async () => {
  await open('none')
  await trees.fill({ 'tree/A': 'first', 'tree/a': 'other', 'tree/b': '1', 'tree/B': '2' })
  destination.faults.add({ operation: 'HeadObject', status: 403 })
  expect(outcome(await trees.run(['copy']))).toEqual({ status: 0, failed: [] })
  expect(await names()).toEqual(['A', 'B', 'a', 'b'])
})

test('a name whose case was changed at the source loses no object to --delete', async () => {
  await open('case')
  await trees.fill({ 'tree/Name': 'new content' })
  await put(trees.to, 'tree/name', Buffer.from('old'))
  const run = await trees.run(['sync', '--delete'])
  expect(run.status).toBe(0)
  expect(await trees.text(trees.to, 'tree/Name')).toBe('new content')
  expect(run.last.objects.deleted).toBe(0)
})

test('and a destination that does not fold loses it', async () => {
  await open('none')
  await trees.fill({ 'tree/Name': 'new content' })
  await put(trees.to, 'tree/name', Buffer.from('old'))
  expect((await trees.run(['sync', '--delete'])).status).toBe(0)
  expect(await names()).toEqual(['Name'])
})

test('a job that goes on behind the first of two names fails the second all the same', async () => {
  await open('case')
  const env = { XDG_STATE_HOME: newStateHome() }
  await trees.fill({ 'tree/A': 'first', 'tree/B': '1', 'tree/a': 'other', 'tree/c': '2' })
  destination.faults.add({ operation: 'PutObject', key: 'tree/B', delayMs: 20_000 })
  const begun = eventOf(destination, 'request', ({ operation, key }) => operation === 'PutObject' && key === 'tree/A')
  const { child, ended } = trees.start(['copy', '--concurrency', '1'], { env })
  await begun
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
  const run = await trees.run(['copy'], { env })
  expect(outcome(run)).toEqual({ status: 1, failed: ['a NAMES_FOLDED'] })
  expect(await trees.text(trees.to, 'tree/A')).toBe('first')
})
