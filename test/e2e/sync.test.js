'use strict'

/** xfer sync of a source that is replaced while it is copied, and on a machine without room. */

const { startStore } = require('../support/opened')
const { eventOf } = require('../support/events')
const { openTrees, sizesOf } = require('../support/prefixes')
const { put } = require('../support/s3')

test('a source that is replaced while it is written is copied again, though the times would not tell', async () => {
  const [source, destination] = await Promise.all([startStore(), startStore()])
  const trees = await openTrees({ source, destination })
  await trees.fill({ 'tree/a': 'old' })
  const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'PutObject')
  destination.faults.add({ operation: 'PutObject', nth: 1, delayMs: 5_000 })
  const { ended } = trees.start(['sync', '--json'])
  await begun
  await put(trees.from, 'tree/a', Buffer.from('new'))
  expect((await ended).status).toBe(0)
  expect(await trees.text(trees.to, 'tree/a')).toBe('new')
  expect(await trees.run(['sync'])).toMatchObject({ status: 0, objects: [] })
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
