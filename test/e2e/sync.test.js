'use strict'

/** xfer sync between stores whose clocks differ, or whose lists and deletions are not what they should be; and a full disk. */

const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { newStateHome } = require('../support/journals')
const { nextSecond, openTrees, sizesOf } = require('../support/prefixes')
const { put } = require('../support/s3')

/** `xfer sync` between stores whose clocks differ, and of a source that is replaced while it is copied. */
describe('clocks', () => {
  const HOUR_MS = 3_600_000

  let source
  let destination
  let trees
  async function open({ destinationAheadMs = 0 } = {}) {
    ;[source, destination] = await Promise.all([startStore(), startStore({ clockSkewMs: destinationAheadMs })])
    trees = await openTrees({ source, destination })
  }
  afterEach(async () => {
    trees.close()
    await Promise.all([source.close(), destination.close()])
  })

  const copied = ({ status, objects }) => ({ status, names: objects.map(({ name }) => name).sort() })

  /** Each writes its object while the source is replaced by another of the same size. @param {number} delayMs */
  async function syncReplaced(delayMs) {
    const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'PutObject')
    destination.faults.add({ operation: 'PutObject', nth: 1, delayMs })
    const { ended } = trees.start(['sync', '--json'])
    await begun
    await put(trees.from, 'tree/a', Buffer.from('new'))
    expect((await ended).status).toBe(0)
  }

  test('and by the same one, where the write took so long that times would not tell', async () => {
    await open()
    await trees.fill({ 'tree/a': 'old' })
    await syncReplaced(5_000)
    expect(await trees.text(trees.to, 'tree/a')).toBe('new')
    expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: [] })
  })

  test('an object that the destination wrote when its clock was ahead does not hide a change', async () => {
    const accounts = [{ accessKeyId: 'id', secretAccessKey: 'secret' }]
    const dir = newStateHome()
    source = await startStore()
    destination = await startStore({ dir, accounts, clockSkewMs: HOUR_MS })
    trees = await openTrees({ source, destination })
    await trees.fill({ 'tree/a': 'old', 'tree/b': 'old' })
    await trees.run(['sync'])
    await destination.close()
    trees.close()
    destination = await startStore({ dir, accounts })
    trees = await openTrees({ source, destination })
    await put(trees.from, 'tree/a', Buffer.from('new'))
    expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: ['a'] })
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

  const noticesOf = ({ events }) => events.filter(({ code }) => code === 'NEWER_REPLACED').map(({ message }) => message)
  const textsThere = async () => await Promise.all(['newer', 'older'].map(name => trees.text(trees.to, `tree/${name}`)))

  test('a sync names it before it replaces it, and afterwards', async () => {
    const plan = await trees.run(['sync', '--size-only', '--dry-run'])
    expect(plan.objects).toMatchObject([
      { name: 'equal', action: 'skip', why: 'same-size' },
      { name: 'newer', action: 'copy', why: 'size', newerThere: true },
      { name: 'older', action: 'copy', why: 'size' },
    ])
    expect(plan.objects[2].newerThere).toBeUndefined()
    expect(noticesOf(plan)).toEqual([
      expect.stringMatching(/^One newer object .* would be replaced .*: newer; --update/),
    ])
    const done = await trees.run(['sync', '--size-only'])
    expect(noticesOf(done)).toEqual([expect.stringMatching(/^One newer object .* was replaced .*: newer; --update/)])
    expect(await textsThere()).toEqual(['from here', 'from here'])
    expect(noticesOf(await trees.run(['sync', '--size-only']))).toEqual([])
  })

  test.each([
    ['sync', 'same-size'],
    ['copy', 'newer-there'],
  ])('%s --update leaves it alone, and tells why', async (command, why) => {
    const flags = [command, '-u', ...(command === 'sync' ? ['--size-only'] : [])]
    const plan = await trees.run([...flags, '--dry-run'])
    expect(plan.objects).toMatchObject([
      { name: 'equal', action: 'skip', why },
      { name: 'newer', action: 'skip', why: 'newer-there' },
      { name: 'older', action: 'copy' },
    ])
    const done = await trees.run(flags)
    expect(done.status).toBe(0)
    expect(done.last.objects).toMatchObject({ copied: 1, skipped: 2 })
    expect(await textsThere()).toEqual(['there', 'from here'])
    expect(noticesOf(done)).toEqual([])
  })

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
