'use strict'

/** xfer sync between stores whose clocks differ, where the destination is newer, and on a machine without room. */

const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { nextSecond, openTrees, sizesOf } = require('../support/prefixes')
const { put } = require('../support/s3')

/** `xfer sync` between stores whose clocks differ, and of a source that is replaced while it is copied. */
describe('clocks', () => {
  let source
  let destination
  let trees
  async function open(options = {}) {
    ;[source, destination] = await Promise.all([startStore(), startStore(options)])
    trees = await openTrees({ source, destination })
  }
  afterEach(async () => {
    trees.close()
    await Promise.all([source.close(), destination.close()])
  })

  const copied = ({ status, objects }) => ({ status, names: objects.map(({ name }) => name).sort() })

  test('a source that is replaced while it is written is copied again, though the times would not tell', async () => {
    await open()
    await trees.fill({ 'tree/a': 'old' })
    const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'PutObject')
    destination.faults.add({ operation: 'PutObject', nth: 1, delayMs: 5_000 })
    const { ended } = trees.start(['sync', '--json'])
    await begun
    await put(trees.from, 'tree/a', Buffer.from('new'))
    expect((await ended).status).toBe(0)
    expect(await trees.text(trees.to, 'tree/a')).toBe('new')
    expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: [] })
  })
})

/** Objects of the destination that were written after those of the source: `newer` alone, and not `older`. */
describe('what is newer at the destination', () => {
  let server
  let trees
  beforeEach(async () => {
    server = await startStore()
    trees = await openTrees({ source: server })
    await put(trees.to, 'tree/older', Buffer.from('there'))
    await nextSecond(trees.to)
    await trees.fill({ 'tree/newer': 'from here', 'tree/older': 'from here', 'tree/equal': 'equal' })
    await nextSecond(trees.to)
    await put(trees.to, 'tree/newer', Buffer.from('there'))
    await put(trees.to, 'tree/equal', Buffer.from('EQUAL'))
  })
  afterEach(async () => {
    trees.close()
    await server.close()
  })

  const textsThere = async () => await Promise.all(['newer', 'older'].map(name => trees.text(trees.to, `tree/${name}`)))

  test('a move with --update leaves both, of whatever size', async () => {
    const { status, last } = await trees.run(['mv', '-r', '--update'])
    expect({ status, objects: last.objects }).toMatchObject({ status: 0, objects: { copied: 1, skipped: 2 } })
    expect(Object.keys(await sizesOf(trees.from, 'tree/'))).toEqual(['tree/equal', 'tree/newer'])
    expect(await textsThere()).toEqual(['there', 'from here'])
    expect(await trees.text(trees.to, 'tree/equal')).toBe('EQUAL')
  })
})

/** A machine without room for what xfer writes down: an error that says so, and nothing deleted. */
describe('a machine without room', () => {
  let server
  let trees
  beforeAll(async () => {
    server = await startStore()
    trees = await openTrees({ source: server })
    await trees.fill({ 'tree/a': 'a' })
    await put(trees.to, 'tree/old', Buffer.from('old'))
  })
  afterAll(async () => {
    trees.close()
    await server.close()
  })

  test.each([
    // No file may grow; a pipe is none.
    [
      'the disk is full',
      { node: 'bash', nodeArgs: ['-c', `ulimit -f 0; exec ${process.execPath} "$@"`, 'xfer'] },
      'EFBIG',
    ],
    ['there is no such folder', { env: { TMPDIR: '/no/such/folder' } }, 'ENOENT'],
  ])('the list of what to delete, where %s', async (_, options, reason) => {
    const { status, last } = await trees.run(['sync', '--delete'], options)
    expect(status).toBe(1)
    expect(last).toMatchObject({
      code: 'FILE_UNWRITABLE',
      message: expect.stringMatching(new RegExp(`^The list of what to delete, in .*, cannot be written \\(${reason}`)),
      hint: expect.stringContaining('nothing was deleted'),
    })
    expect(Object.keys(await sizesOf(trees.to))).toEqual(['tree/a', 'tree/old'])
  })
})
