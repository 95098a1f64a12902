'use strict'

/** Sizes of objects and parts. */

const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
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
