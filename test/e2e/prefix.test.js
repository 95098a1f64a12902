'use strict'

/** Prefixes copied by the real program, from one real store to another. */

const { startStore } = require('../../sandbox/store')
const { sizesOf, openTrees } = require('../support/prefixes')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { put } = require('../support/s3')

let source
let destination
let trees
beforeEach(async () => {
  ;[source, destination] = await Promise.all([startStore(), startStore()])
  trees = await openTrees({ source, destination })
})
afterEach(async () => {
  trees.close()
  await Promise.all([source.close(), destination.close()])
})

describe('where everything fails', () => {
  const many = Array.from({ length: 1_200 }, (_, i) => `d000/o${String(i).padStart(5, '0')}.json`)
  beforeEach(async () => {
    await Promise.all(many.map(name => put(trees.from, `tree/${name}`, Buffer.from(name))))
    source.faults.add({ operation: ['GetObject', 'HeadObject'], status: 403 })
  })

  test('the job ends after the first hundred, and counts none as done', async () => {
    const { status, events, last } = await trees.run(['copy'])
    expect({ status, last }).toMatchObject({ status: 1, last: { type: 'error', code: 'OBJECTS_FAILED' } })
    const failures = events.filter(({ type }) => type === 'failure')
    expect(failures.length).toBeGreaterThanOrEqual(100)
    expect(failures.length).toBeLessThan(1_200)
    expect(last.objects).toMatchObject({ copied: 0, failed: failures.length })
    expect(last.message).toContain('all with ACCESS_DENIED, and xfer started no more.')
    expect(events.findLast(({ type }) => type === 'progress')).toMatchObject({
      objectsDone: 0,
      objectsFailed: failures.length,
    })
    expect(await sizesOf(trees.to)).toEqual({})
  })
})

test.each(['copy', 'sync'])('%s knows how many objects there are before it has begun them all', async command => {
  const [slow, target] = await Promise.all([startStore({ pageSize: 50 }), startStore()])
  const slowly = await openTrees({ source: slow, destination: target })
  try {
    const names = Array.from({ length: 600 }, (_, i) => `n${String(i).padStart(3, '0')}`)
    await Promise.all(names.map(name => put(slowly.from, `tree/${name}`, Buffer.from(name))))
    // The room for what is under way is smaller: the listing has to wait.
    slow.faults.add({ operation: 'GetObject', delayMs: 40 })
    const { status, events } = await slowly.run([command, '--concurrency', '1', '--exclude', 'n00*'])
    expect(status).toBe(0)
    const told = events.filter(({ type }) => type === 'progress')
    const known = told.find(({ listing }) => !listing)
    expect(known.objectsTotal).toBe(590)
    expect(known.bytesTotal).toBe(590 * 4)
    expect(known.objectsDone).toBeLessThan(400)
    const before = told.filter(({ objectsDone }) => objectsDone < 400)
    expect(before.some(({ etaMs, objectsPerSecond }) => etaMs > 0 && objectsPerSecond > 0)).toBe(true)
    expect(told.at(-1)).toMatchObject({ objectsDone: 590, objectsTotal: 590, objectsFailed: 0, etaMs: 0 })
  } finally {
    slowly.close()
    await Promise.all([slow.close(), target.close()])
  }
})

describe('within one bucket', () => {
  const both = [
    ['copy', '-r'],
    ['sync', '--delete'],
  ]
  const overlaps = [
    ['the destination in the source', 's3://origin/tree/', 's3://origin/tree/deeper/'],
    ['the source in the destination', 's3://origin/tree/deeper', 's3://origin/tree'],
    ['the same prefix, once without its slash', 's3://origin/tree', 's3://origin/tree/'],
    ['a prefix in its bucket', 's3://origin/tree/', 's3://origin'],
    ['a bucket in its prefix', 's3://origin', 's3://origin/tree/'],
    ['the same bucket', 's3://origin', 's3://origin/'],
  ]
  /** By its other name, too. @param {string[]} args */
  const runs = args =>
    ['127.0.0.1', 'localhost'].map(name =>
      runXfer([...args, '--json', '--engine', 'local'], {
        env: copyEnv(source, { ...source, endpoint: source.endpoint.replace('127.0.0.1', name) }),
      }),
    )

  test.each(overlaps.flatMap(([what, from, to]) => both.map(command => [what, command, from, to])))(
    '%s is refused: %j',
    async (_, command, from, to) => {
      await trees.fill({ 'tree/a': '1', 'tree/deeper/b': '2' })
      for (const run of await Promise.all(runs([...command, from, to]))) {
        expect(run.status).toBe(2)
        expect(eventsOf(run)).toMatchObject([{ type: 'error', code: 'SAME_OBJECT', exitCode: 2 }])
      }
      expect(await sizesOf(trees.from)).toEqual({ 'tree/a': 1, 'tree/deeper/b': 1 })
    },
  )

  test.each([
    ['s3://origin/a/', 's3://origin/ab/'],
    ['s3://origin/ab', 's3://origin/a'],
    ['s3://origin/a/x/', 's3://origin/a/xy/'],
  ])('%s and %s lie side by side', async (from, to) => {
    const [prefix, other] = [from, to].map(text => `${text.slice('s3://origin/'.length).replace(/\/$/, '')}/`)
    await trees.fill({ [`${prefix}one`]: '1' })
    const ended = await Promise.all(runs(['copy', '-r', from, to]))
    expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual(Array(2).fill([0, '']))
    expect(await sizesOf(trees.from)).toEqual({ [`${prefix}one`]: 1, [`${other}one`]: 1 })
  })
})
