'use strict'

/** What a copy claims to be proved with, by what the stores can do; and how it says so to people. */

const { startStore } = require('../../sandbox/store')
const { expectDiscreet, openRoute } = require('../support/copies')
const { runXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const WAYS = [
  ['put', 1000],
  ['multipart', 10 * MiB + 1],
]

/** @type {Array<[what: string, options: object, checksum: boolean, proof: string[]]>} */
const STORES = [
  ['checksums', {}, false, ['store-crc32']],
  ['checksums that it insists on', { requirePartChecksums: true }, false, ['store-crc32']],
  ['checksums, and a source with its own', {}, true, ['store-crc32', 'source-crc32']],
  ['no checksums, and 501 to trailers', { checksums: false }, false, ['part-md5']],
  ['no checksums, and 411 to trailers', { checksums: false, trailerStatus: 411 }, false, ['part-md5']],
  ['no checksums and ETags that are no MD5', { checksums: false, md5Etags: false }, false, ['size']],
  ['no checksums, and a source with its own', { checksums: false }, true, ['part-md5', 'source-crc32']],
]

describe.each(STORES)('at a destination with %s', (_, options, checksum, proof) => {
  let source
  let destination
  let route
  beforeAll(async () => {
    ;[source, destination] = await Promise.all([startStore(), startStore(options)])
    route = await openRoute({ source, destination })
  })
  afterAll(async () => {
    route?.close()
    await Promise.all([source?.close(), destination?.close()])
  })

  it.each(WAYS)(`by the route %s the proof is ${proof.join(' and ')}`, async (way, bytes) => {
    const { from, to, copy } = route
    await put(from, way, bytesOf(bytes), { checksum })
    const { status, last } = await copy(way)
    expect({ status, last }).toMatchObject({ status: 0, last: { route: way } })
    expect(last.proof.filter(each => each !== 'source-etag')).toEqual(proof)
    expect((await get(to, way)).equals(bytesOf(bytes))).toBe(true)
  })
})

describe('a byte that a store without checksums stored wrong', () => {
  it.each(WAYS)('is found by its MD5 and sent again, by the route %s', async (way, bytes) => {
    const server = await startStore({ checksums: false })
    const route = await openRoute({ source: server })
    try {
      await put(route.from, way, bytesOf(bytes))
      const operation = way === 'put' ? 'PutObject' : 'UploadPart'
      const once = server.faults.add({ operation, nth: 2, flipByteAt: 100 })
      const { status, last } = await route.copy(way)
      expect({ status, last }).toMatchObject({ status: 0, last: { proof: expect.arrayContaining(['part-md5']) } })
      expect(once.hits).toBe(1)
      expect((await get(route.to, way)).equals(bytesOf(bytes))).toBe(true)
    } finally {
      route.close()
      await server.close()
    }
  })
})

describe('what people see', () => {
  it.each([
    ['of a copy', 'key', 0],
    ['of a missing object', 'nowhere', 3],
  ])('%s is words, without warnings, secrets or signatures', async (_, key, exitCode) => {
    const server = await startStore()
    const route = await openRoute({ source: server })
    try {
      await put(route.from, 'key', bytesOf(10 * MiB + 1))
      const args = ['copy', `s3://source/${key}`, 's3://target/', '--engine', 'local', '--chunk', '5', '--debug']
      const run = await runXfer(args, { env: route.env })
      expect(run.status).toBe(exitCode)
      expectDiscreet(run, route.env)
      expect(run.stdout + run.stderr).not.toMatch(/Warning|MaxListeners|deprecat|aws sdk|node --trace/i)
      expect(run.stdout + run.stderr).toMatch(key)
      expect(await keysOf(route.to)).toEqual(exitCode === 0 ? ['key'] : [])
    } finally {
      route.close()
      await server.close()
    }
  })
})
