'use strict'

/** A destination that answers 501 to a completion that says how large the object is to be. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { openTrees } = require('../support/prefixes')
const { since } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(6 * MiB)

let source
let destination
beforeAll(async () => {
  ;[source, destination] = await Promise.all([startStore(), startStore({ completionSize: 501, serverName: '' })])
})
afterAll(() => Promise.all([source, destination].map(server => server?.close())))

test('the size is left out, and the copy is complete', async () => {
  const route = await openRoute({ source, destination })
  await put(route.from, 'large', BODY)
  const { status, last } = await route.copy('large', 'copy')
  expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
  expect((await get(route.to, 'copy')).equals(BODY)).toBe(true)
  route.close()
})

test('below a prefix it is found out once', async () => {
  const trees = await openTrees({ source, destination })
  await trees.fill({ 'tree/a': BODY, 'tree/b': BODY, 'tree/c': BODY })
  const before = { ...destination.requests }
  const { status, objects } = await trees.run(['copy', '--concurrency', '1'])
  expect({ status, copied: objects.length }).toEqual({ status: 0, copied: 3 })
  const { CompleteMultipartUpload } = since(destination, before)
  // Each of those that were completed before the first was known may have been refused once.
  expect(CompleteMultipartUpload).toBeLessThanOrEqual(6)
  expect((await get(trees.to, 'tree/c')).equals(BODY)).toBe(true)
  trees.close()
})
