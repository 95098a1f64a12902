'use strict'

/** Objects below a prefix that are not as was supposed, change, go, or are stored wrong. */

const { startStore } = require('../../sandbox/store')
const { openTrees, sizesOf } = require('../support/prefixes')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2

/** Small objects below a prefix that are not as was supposed, change, go, or are stored wrong. */
describe('small objects', () => {
  let servers = []
  let trees
  let source
  let destination
  afterEach(async () => {
    trees?.close()
    await Promise.all(servers.map(server => server.close()))
  })

  /** Two stores, of which each may be a peculiar one. */
  async function setUp({ from = {}, to = {} } = {}) {
    servers = await Promise.all([startStore(from), startStore(to)])
    ;[source, destination] = servers
    trees = await openTrees({ source, destination })
  }

  const namesOf = (count, name = i => `n${String(i).padStart(3, '0')}`) =>
    Array.from({ length: count }, (_, i) => name(i))

  /** Once the source has answered the list. */
  function whenListed(act) {
    source.on('request', function once({ operation }) {
      if (operation !== 'ListObjectsV2') return
      source.off('request', once)
      act()
    })
  }

  /** Objects of the destination, as text. */
  async function textsOf() {
    const keys = Object.keys(await sizesOf(trees.to))
    return Object.fromEntries(await Promise.all(keys.map(async key => [key, await trees.text(trees.to, key)])))
  }

  /** What a whole run comes to. @param {any} run */
  const endOf = ({ status, last, stderr }) => ({ status, code: last.code, objects: last.objects, stderr })

  describe('a source that changes after it was listed', () => {
    const tree = Object.fromEntries(namesOf(40).map(name => [`tree/${name}`, `${name} first`]))
    // So that they are written before anything is read.
    const slowly = () => source.faults.add({ operation: ['GetObject', 'HeadObject'], delayMs: 300 })

    test('has what is there now copied, small or large', async () => {
      await setUp()
      await trees.fill(tree)
      const large = bytesOf(6 * MiB, 'grown')
      slowly()
      let changed
      whenListed(() => {
        changed = Promise.all([
          put(trees.from, 'tree/n001', Buffer.from('now')),
          put(trees.from, 'tree/n030', large),
          put(trees.from, 'tree/n031', Buffer.alloc(0)),
        ])
      })
      const run = await trees.run(['copy'])
      await changed
      expect(endOf(run)).toMatchObject({ status: 0, objects: { chosen: 40, copied: 40 } })
      const found = await textsOf()
      expect(found['tree/n001']).toBe('now')
      expect(found['tree/n030'] === large.toString()).toBe(true)
      expect(found['tree/n031']).toBe('')
    })

    test('has what is gone left out, and nothing else harmed', async () => {
      await setUp()
      await trees.fill(tree)
      slowly()
      const gone = ['tree/n000', 'tree/n001', 'tree/n035']
      let removed
      whenListed(() => {
        removed = trees.from.removeAll(gone)
      })
      const run = await trees.run(['copy'])
      await removed
      expect(endOf(run)).toMatchObject({
        status: 0,
        objects: { listed: 40, chosen: 37, copied: 37, skipped: 3, gone: 3 },
      })
      expect(Object.keys(await sizesOf(trees.to))).toEqual(Object.keys(tree).filter(key => !gone.includes(key)))
    })
  })
})

/** Large objects below a prefix: all that describes them, what becomes of them while they are copied, and what is told. */
describe('large objects', () => {
  const LARGE = bytesOf(6 * MiB, 'large')
  const OTHER = bytesOf(7 * MiB, 'other')
  let source
  let destination
  let trees
  beforeAll(async () => {
    ;[source, destination] = await Promise.all([startStore(), startStore()])
  })
  beforeEach(async () => {
    trees = await openTrees({ source, destination })
  })
  afterEach(async () => {
    source.faults.clear()
    destination.faults.clear()
    for (const store of [trees.from, trees.to]) {
      await store.removeAll(Object.keys(await sizesOf(store)))
      expect((await store.upload.pending({ prefix: '' })).uploads).toEqual([])
    }
    trees.close()
  })
  afterAll(() => Promise.all([source.close(), destination.close()]))

  const isCopied = async (key, body) => (await get(trees.to, key)).equals(body)

  /** Something is done once a request of this kind has begun, which waits for it. */
  function whenBegun(server, { operation, key, nth = 1 }, action) {
    server.faults.add({ operation, key, nth, delayMs: 1_500 })
    let seen = 0
    return new Promise((resolve, reject) => {
      server.on('begin', event => {
        if (event.operation === operation && event.key === key && ++seen === nth) action().then(resolve, reject)
      })
    })
  }

  describe('an object that is another one by now', () => {
    test('is copied as it is, where it changes while its parts are copied', async () => {
      await put(trees.from, 'tree/a', LARGE)
      const changed = whenBegun(source, { operation: 'GetObject', key: 'tree/a' }, () =>
        put(trees.from, 'tree/a', OTHER),
      )
      const { status, last } = await trees.run(['copy', '--concurrency', '1'])
      await changed
      expect({ status, objects: last.objects }).toMatchObject({ status: 0, objects: { copied: 1 } })
      expect(await isCopied('tree/a', OTHER)).toBe(true)
    })

    test('fails where it never stays the same', async () => {
      await put(trees.from, 'tree/a', LARGE)
      source.faults.add({ operation: 'GetObject', status: 412 })
      const { status, events } = await trees.run(['copy'])
      expect(status).toBe(1)
      expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'a', code: 'SOURCE_CHANGED' }])
      expect(source.requests.HeadObject).toBeGreaterThanOrEqual(3)
    })
  })
})
