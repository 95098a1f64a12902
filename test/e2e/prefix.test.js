'use strict'

/** Prefixes copied by the real program, from one real store to another. */

const { startStore } = require('../../sandbox/store')
const { sizesOf, openTrees } = require('../support/prefixes')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')

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
