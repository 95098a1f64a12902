'use strict'

/** Sizes of objects and parts. */

const { cut, uploadParts } = require('../../sandbox/parts')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { copyEnv, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')
const { SERVERS } = require('../support/servers')

const MiB = 1024 ** 2

describe('sizes', () => {
  const CHUNK = 5 * MiB

  /**
   * The route is that of the local engine: a PUT on a platform could not be called back, so there all but the empty object
   * is an upload.
   *
   * @type {Array<[what: string, bytes: number, parts: number, route: string]>}
   */
  const SIZES = [
    ['no bytes', 0, 1, 'put'],
    ['one byte', 1, 1, 'put'],
    ['a byte less than a chunk', CHUNK - 1, 1, 'put'],
    ['a chunk', CHUNK, 1, 'put'],
    ['a byte more than a chunk', CHUNK + 1, 2, 'multipart'],
    ['a byte more than two chunks', 2 * CHUNK + 1, 3, 'multipart'],
  ]
  const ENGINES = ['local', 'openwhisk']

  describe.each(SERVERS)('on $name an object of', ({ start }) => {
    let server
    let platform
    const routes = {}

    beforeAll(async () => {
      ;[server, platform] = await Promise.all([start(), startDeployed()])
      for (const engine of ENGINES) {
        const buckets = { from: `from-${engine}`, to: `to-${engine}` }
        routes[engine] = await openRoute({ source: server, buckets, ...(engine === 'openwhisk' && { platform }) })
      }
    })
    afterAll(async () => {
      for (const route of Object.values(routes)) route.close()
      await Promise.all([server?.close(), platform?.close()])
    })

    for (const engine of ENGINES) {
      it.each(SIZES)(`%s arrives whole by the ${engine} engine`, async (_, bytes, parts, route) => {
        const { from, to, copy } = routes[engine]
        const key = `${bytes}.bin`
        const taken = engine === 'openwhisk' && bytes > 0 ? 'multipart' : route
        const body = bytesOf(bytes, key)
        await put(from, key, body, { checksum: true })

        const { status, last, events } = await copy(key)

        expect({ status, last }).toMatchObject({
          status: 0,
          last: { type: 'done', bytes, parts, route: taken, engine },
        })
        expect((await get(to, key)).equals(body)).toBe(true)
        expect(last.proof).toEqual(expect.arrayContaining(['store-crc32', 'source-crc32']))
        expect(last.sums.crc32).toBe((await to.head(key)).sums.crc32)
        const done = events.filter(({ type }) => type === 'part')
        expect(done.map(({ partNumber }) => partNumber).sort()).toEqual(Array.from({ length: parts }, (_, i) => i + 1))
        expect(done.reduce((sum, part) => sum + part.bytes, 0)).toBe(bytes)
      })
    }
  })
})

/** `--chunk match`: the source's own part size, and so its ETag, where the stores let that be. */
describe('match', () => {
  const BODY = bytesOf(18 * MiB + 1)

  describe.each(SERVERS.map(({ name, start }) => [name, start]))('--chunk match on %s', (_, start) => {
    let server
    let route
    beforeAll(async () => {
      server = await start()
      route = await openRoute({ source: server })
      await uploadParts(server, 'source', 'even', cut(BODY, 6 * MiB, 6 * MiB, 6 * MiB))
      await uploadParts(server, 'source', 'uneven', cut(BODY, 7 * MiB, 6 * MiB))
      await uploadParts(server, 'source', 'short', cut(BODY, 10 * MiB, 5 * MiB))
      await uploadParts(server, 'source', 'one', [bytesOf(1000)])
      await put(route.from, 'whole', BODY)
    })
    afterAll(async () => {
      route?.close()
      await server?.close()
    })

    const match = async (key, flags = []) => {
      const { status, last, plan, events } = await route.copy(key, key, ['--chunk', 'match', ...flags])
      expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
      expect((await get(route.to, key)).equals(key === 'one' ? bytesOf(1000) : BODY)).toBe(true)
      const [source, copied] = [await route.from.head(key), await route.to.head(key)]
      return { last, plan, same: source.etag === copied.etag, told: events.filter(({ type }) => type === 'notice') }
    }

    it('takes the size of the parts, and the ETags are equal', async () => {
      const { last, plan, same, told } = await match('even')
      expect(plan).toMatchObject({ partBytes: 6 * MiB, parts: 4, notices: [] })
      expect(same).toBe(true)
      expect(last.proof).toEqual(expect.arrayContaining(['store-crc32', 'source-etag']))
      expect(told).toEqual([])
    })

    it('claims nothing of parts whose sizes differ though the first fits, and says why', async () => {
      const { last, plan, same, told } = await match('uneven')
      expect(plan).toMatchObject({ partBytes: 7 * MiB, parts: 3, notices: [] })
      expect(same).toBe(false)
      expect(last.proof).not.toContain('source-etag')
      expect(told.map(({ message }) => message).join()).toMatch(
        'not all parts of the source have the size of the first one',
      )
    })
  })

  test('a copy in other parts than the source says that --chunk match compares them, and so it does', async () => {
    const server = await startStore()
    const route = await openRoute({ source: server })
    try {
      await uploadParts(server, 'source', 'even', cut(BODY, 6 * MiB, 6 * MiB, 6 * MiB))
      const copy = chunk =>
        runXfer(['copy', 's3://source/even', 's3://target/even', '--engine', 'local', '--chunk', chunk], {
          env: copyEnv(server, server),
        })
      const texts = []
      for (const chunk of ['5', 'match']) {
        const { status, stdout, stderr } = await copy(chunk)
        expect(status).toBe(0)
        texts.push(stdout + stderr)
      }
      expect(texts[0]).toContain('The source stores no checksum of these parts; --chunk match copies its own parts')
      expect(texts[1]).not.toContain('The source stores no checksum')
      expect(texts[1]).toContain("the destination's ETag equals the source's")
    } finally {
      route.close()
      await server.close()
    }
  })
})
