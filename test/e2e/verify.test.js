'use strict'

/** xfer verify: by the cheapest thing that proves it, and what is said where two objects are not equal. */

const { cut, uploadParts } = require('../support/uploaded-parts')
const { startStore } = require('../../sandbox/store')
const { expectDiscreet } = require('../support/copies')
const { eventOf } = require('../support/events')
const { openTrees } = require('../support/prefixes')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, openStore, put, sumsOf } = require('../support/s3')

/** `xfer verify`: by the cheapest thing that proves it, and what is said where two objects are not equal. */
describe('verify', () => {
  const MiB = 1024 ** 2
  const BODY = bytesOf(12 * MiB)
  const OTHER = Buffer.from(BODY)
  OTHER[7 * MiB] ^= 1

  /** The CRC-32 of BODY as S3 writes it. */
  const CRC32 = Buffer.from(sumsOf(BODY).crc32, 'hex').toString('base64')
  /** Two buckets of one server, and `xfer verify` between them. */
  async function open(server, { destination = server, platform } = {}) {
    await createBuckets(server, 'one')
    await createBuckets(destination, 'two')
    const [one, two] = [openStore(server, 'one'), openStore(destination, 'two')]
    const env = copyEnv(server, destination, platform)
    const locations = (key, other) => [`s3://one/${key}`, `s3://two/${other}`]
    const run = async (key, other, ...flags) => {
      const engine = ['--engine', platform ? 'openwhisk' : 'local', '--chunk', '5']
      const ran = await runXfer(['verify', ...locations(key, other), ...engine, ...flags], { env })
      expectDiscreet(ran, env)
      return ran
    }
    return {
      one,
      two,
      run,
      verify: async (key, other = key, ...flags) => {
        const ran = await run(key, other, '--json', ...flags)
        const events = eventsOf(ran)
        expect(ran.stderr).toBe('')
        expect(events.filter(({ type }) => !['plan', 'progress', 'done', 'error'].includes(type))).toEqual([])
        return { status: ran.status, last: events.at(-1), plan: events.find(({ type }) => type === 'plan') }
      },
      close() {
        one.close()
        two.close()
      },
    }
  }

  describe('xfer verify', () => {
    let server
    let world
    beforeAll(async () => {
      server = await startStore()
      world = await open(server)
      await put(world.one, 'object', BODY)
      await put(world.one, 'summed', BODY, { checksum: true })
      await uploadParts(server, 'two', 'parts', cut(BODY, 5 * MiB, 5 * MiB))
      await put(world.two, 'other', OTHER)
      await put(world.two, 'other summed', OTHER, { checksum: true })
      await put(world.two, 'short', BODY.subarray(1))
    })
    afterEach(() => server.faults.clear())
    afterAll(async () => {
      world?.close()
      await server?.close()
    })

    it('does not report a difference if a byte was flipped in transit', async () => {
      const struck = server.faults.add({ operation: 'GetObject', nth: 3, flipByteAt: 100 })
      const { status, last } = await world.verify('object', 'parts')
      expect({ status, last }).toMatchObject({ status: 0, last: { method: 'read', value: CRC32 } })
      expect(struck.hits).toBe(1)
    })

    it('ends with 6 where an object is replaced while it is read', async () => {
      await put(world.two, 'changing', BODY.subarray(0), { headers: { 'content-type': 'a/b' } })
      await uploadParts(server, 'two', 'changing', cut(BODY, 6 * MiB))
      server.faults.add({ operation: 'GetObject', bucket: 'two', delayMs: 1000 })
      const begun = eventOf(server, 'begin', ({ operation, bucket }) => operation === 'GetObject' && bucket === 'two')
      const verified = world.verify('object', 'changing')
      await begun
      await put(world.two, 'changing', OTHER)
      const { status, last } = await verified
      expect({ status, code: last.code }).toEqual({ status: 6, code: 'OBJECT_CHANGED' })
      expect(last.message).toContain('s3://two/changing')
    })
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
})
