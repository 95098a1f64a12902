'use strict'

/** A machine that lets a process open few files: what it is short of is no object's fault. */

const { startStore } = require('../support/opened')
const { openTrees, sizesOf } = require('../support/prefixes')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const OBJECTS = 400

jest.setTimeout(120_000)

/** @param {number} files that the process may open */
const limitedTo = files => ({
  node: 'sh',
  nodeArgs: ['-c', `ulimit -n ${files} && exec ${process.execPath} "$@"`, 'xfer'],
})

test('copies fewer objects at once, and fails none', async () => {
  // So that many are under way at once.
  const source = await startStore({ faults: [{ operation: 'GetObject', delayMs: 100 }] })
  const destination = await startStore()
  const trees = await openTrees({ source, destination })
  const names = Array.from({ length: OBJECTS }, (_, i) => `tree/n${String(i).padStart(3, '0')}`)
  for (const name of names) await put(trees.from, name, bytesOf(100, name))
  const { status, events, last } = await trees.run(['sync'], limitedTo(64))
  expect({ status, last }).toMatchObject({ status: 0, last: { objects: { copied: OBJECTS, failed: 0 } } })
  expect(events.filter(({ type }) => type === 'failure')).toEqual([])
  const short = events.filter(({ type, code }) => type === 'throttle' && code === 'TOO_MANY_FILES')
  expect(short.length).toBeGreaterThan(0)
  expect(Object.keys(await sizesOf(trees.to, 'tree/'))).toEqual(names)
})

test('refuses to start where even one object would starve', async () => {
  const { ended } = startXfer(['copy', '-r', 's3://origin/tree/', '/nowhere/', '--json'], limitedTo(32))
  expect(await ended).toMatchObject({
    status: 2,
    stdout: '',
    stderr:
      'xfer: This process may open only 32 files and connections, and xfer needs 64 or more: raise the limit (ulimit -n 1024).\n',
  })
})
