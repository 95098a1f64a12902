'use strict'

/** A store that keeps whatever checksum it is sent proves nothing by it: neither to `xfer verify` nor to `sync --checksum`. */

const { startStore } = require('../../sandbox/store')
const { openTrees } = require('../support/prefixes')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const BODY = bytesOf(100_000)

let source
let echo
let trees
beforeAll(async () => {
  // Without MD5s nothing but the checksums could prove that they are equal.
  ;[source, echo] = await Promise.all([
    startStore(),
    startStore({ serverName: 'Oddity/1.0', checksumCheck: false, md5Etags: false }),
  ])
  trees = await openTrees({ source, destination: echo })
  await put(trees.from, 'tree/object', BODY, { checksum: true })
  echo.faults.add({ operation: 'PutObject', flipByteAt: 10, nth: 1 })
  await put(trees.to, 'tree/object', BODY, { checksum: true })
  echo.faults.clear()
})
afterAll(async () => {
  trees?.close()
  await Promise.all([source?.close(), echo?.close()])
})

test('xfer verify reads it, and finds the byte', async () => {
  const [one, other] = await Promise.all([trees.from.head('tree/object'), trees.to.head('tree/object')])
  expect(other.checksum).toEqual(one.checksum)
  const args = ['verify', 's3://origin/tree/object', 's3://target/tree/object', '--engine', 'local', '--json']
  const { status, stdout } = await runXfer(args, { env: trees.env })
  expect({ status, code: eventsOf({ stdout }).at(-1).code }).toEqual({ status: 8, code: 'OBJECTS_DIFFER' })
})

test('sync --checksum copies it', async () => {
  const { status, last } = await trees.run(['sync', '--checksum'])
  expect({ status, copied: last.objects.copied }).toEqual({ status: 0, copied: 1 })
  expect((await get(trees.to, 'tree/object')).equals(BODY)).toBe(true)
})
