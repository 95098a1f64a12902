'use strict'

/** Keys that are odd, or that a destination takes for others: each is copied right or refused by name. */

const { startStore } = require('../../sandbox/store')
const { openTrees, sizesOf } = require('../support/prefixes')
const { put } = require('../support/s3')

/** One object that is odd, in a prefix of others: it fails by its name, or is told of, and the others are copied. */
describe('one odd object', () => {
  let source
  let destination
  let trees
  async function open(options = {}) {
    ;[source, destination] = await Promise.all([startStore(options.source), startStore(options.destination)])
    trees = await openTrees({ source, destination })
  }
  afterEach(async () => {
    trees.close()
    await Promise.all([source.close(), destination.close()])
  })

  const NAMES = Array.from({ length: 30 }, (_, i) => `n${String(i).padStart(2, '0')}`)
  const ODD = 'n07'
  const OTHERS = NAMES.filter(name => name !== ODD)
  const fill = (names = NAMES) => trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, name])))
  const there = async () => Object.keys(await sizesOf(trees.to)).map(key => key.slice('tree/'.length))

  test('of a list without ETags: each object is asked for its own', async () => {
    await open({ source: { listEtags: false } })
    await fill()
    const { status } = await trees.run(['sync'])
    expect([status, await there()]).toEqual([0, NAMES])
  })

  test('if the source has a key that cannot be listed, nothing is deleted', async () => {
    await open({ source: { listKeys: 'replaced' } })
    await fill([...OTHERS, 'n07\u0001x'])
    await put(trees.to, 'tree/n07\u0001x', Buffer.from('x'))
    await put(trees.to, 'tree/n99', Buffer.from('x'))
    expect((await trees.run(['sync', '--delete'])).status).toBe(1)
    expect((await there()).length).toBe(31)
  })

  test('a destination with such a key keeps it, says so, and loses what the source has not', async () => {
    await open({ destination: { listKeys: 'replaced' } })
    await fill()
    await put(trees.to, 'tree/n07\u0001x', Buffer.from('x'))
    await put(trees.to, 'tree/n99', Buffer.from('x'))
    const { status, events, last } = await trees.run(['sync', '--delete'])
    expect([status, last.objects.deleted]).toEqual([0, 1])
    expect(events.filter(({ type }) => type === 'notice').map(({ message }) => message)).toEqual([
      expect.stringContaining('neither compared nor deleted'),
    ])
    expect((await there()).length).toBe(31)
  })
})
