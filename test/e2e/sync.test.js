'use strict'

/** A machine without room for what xfer sync writes down: an error that says so, and nothing deleted. */

const { startStore } = require('../support/opened')
const { openTrees, sizesOf } = require('../support/prefixes')
const { put } = require('../support/s3')

let server
let trees
beforeAll(async () => {
  server = await startStore()
  trees = await openTrees({ source: server })
  await trees.fill({ 'tree/a': 'a' })
  await put(trees.to, 'tree/old', Buffer.from('old'))
})

// No file may grow; a pipe is none.
const FULL = { node: 'bash', nodeArgs: ['-c', `ulimit -f 0; exec ${process.execPath} "$@"`, 'xfer'] }
test.each([
  ['the disk is full', FULL, 'EFBIG'],
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
