'use strict'

/** xfer verify: by the cheapest thing that proves it, and what is said where two objects are not equal. */

const { startStore } = require('../support/opened')
const { cut, uploadParts } = require('../support/uploaded-parts')
const { expectDiscreet } = require('../support/copies')
const { eventOf } = require('../support/events')
const { openTrees } = require('../support/prefixes')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, put, sumsOf } = require('../support/s3')

describe('two objects of many bytes', () => {
  const MiB = 1024 ** 2
  const BODY = bytesOf(12 * MiB)
  let server
  let trees
  beforeAll(async () => {
    server = await startStore()
    trees = await openTrees({ source: server })
    await put(trees.from, 'object', BODY)
  })
  afterEach(() => server.faults.clear())

  /** @param {string} other its key */
  async function verify(other) {
    const args = ['verify', 's3://origin/object', `s3://target/${other}`, '--engine', 'local', '--chunk', '5', '--json']
    const ran = await runXfer(args, { env: trees.env })
    expectDiscreet(ran, trees.env)
    const events = eventsOf(ran)
    expect(ran.stderr).toBe('')
    expect(events.filter(({ type }) => !['plan', 'progress', 'done', 'error'].includes(type))).toEqual([])
    return { status: ran.status, last: events.at(-1) }
  }

  test('do not differ if a byte was flipped in transit', async () => {
    await uploadParts(server, 'target', 'parts', cut(BODY, 5 * MiB, 5 * MiB))
    const struck = server.faults.add({ operation: 'GetObject', nth: 3, flipByteAt: 100 })
    // As S3 writes it.
    const value = Buffer.from(sumsOf(BODY).crc32, 'hex').toString('base64')
    expect(await verify('parts')).toMatchObject({ status: 0, last: { method: 'read', value } })
    expect(struck.hits).toBe(1)
  })

  test('of which one is replaced while it is read end it with 6', async () => {
    await uploadParts(server, 'target', 'changing', cut(BODY, 6 * MiB))
    server.faults.add({ operation: 'GetObject', bucket: 'target', delayMs: 1000 })
    const begun = eventOf(server, 'begin', ({ operation, bucket }) => operation === 'GetObject' && bucket === 'target')
    const verified = verify('changing')
    await begun
    await put(trees.to, 'changing', bytesOf(12 * MiB, 'other'))
    const { status, last } = await verified
    expect({ status, code: last.code }).toEqual({ status: 6, code: 'OBJECT_CHANGED' })
    expect(last.message).toContain('s3://target/changing')
  })
})

/** A store that keeps whatever checksum it is sent proves nothing by it: neither to `xfer verify` nor to `sync --checksum`. */
describe('a store that keeps any checksum', () => {
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

  test('xfer verify reads it, and finds the byte', async () => {
    const [one, other] = await Promise.all([trees.from.head('tree/object'), trees.to.head('tree/object')])
    expect(other.checksum).toEqual(one.checksum)
    const args = ['verify', 's3://origin/tree/object', 's3://target/tree/object', '--engine', 'local', '--json']
    const { status, stdout } = await runXfer(args, { env: trees.env })
    expect({ status, code: eventsOf({ stdout }).at(-1).code }).toEqual({ status: 8, code: 'OBJECTS_DIFFER' })
  })
})
