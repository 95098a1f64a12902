'use strict'

/** Destinations that take one name for another. */

const { startStore } = require('../../sandbox/store')
const { sizesOf, openTrees } = require('../support/prefixes')
const { put } = require('../support/s3')

let source
let destination
let trees
async function open(options) {
  ;[source, destination] = await Promise.all([startStore(), startStore(options)])
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

test.each([['copy'], ['sync', '--delete']])(
  'a key that its server is known to take for another fails: %s %s',
  async (...command) => {
    await open({ foldNames: 'backslash', serverName: 'SeaweedFS 3.97' })
    await trees.fill({ 'tree/a/b': 'first', 'tree/a\\b': 'other', 'tree/c\\d': 'alone', 'tree/z': 'z' })
    for (const round of [1, 2]) {
      const { status, failed } = outcome(await trees.run(command))
      const all = ['a\\b KEY_INVALID', 'c\\d KEY_INVALID']
      expect({ round, status, failed: failed.toSorted() }).toEqual({ round, status: 1, failed: all })
      expect(await names()).toEqual(['a/b', 'z'])
      expect(await trees.text(trees.to, 'tree/a/b')).toBe('first')
    }
  },
)

test('sync --delete deletes no copy of its own that the destination lists under another name, and fails the name', async () => {
  await open({ foldNames: 'colon' })
  await trees.fill({ 'tree/10:30': 'mine', 'tree/z': 'z' })
  await put(trees.to, 'tree/extra', Buffer.from('to be deleted'))
  for (const round of [1, 2]) {
    const { status, failed } = outcome(await trees.run(['sync', '--delete']))
    expect({ round, status, failed }).toEqual({ round, status: 1, failed: ['10:30 KEY_INVALID'] })
    expect(await names()).toEqual(['10_30', 'z'])
  }
  expect(await trees.text(trees.to, 'tree/10_30')).toBe('mine')
})
