'use strict'

/** What a copy claims to be proved with, by what the stores can do; and how it says so to people. */

const { cut, uploadParts } = require('../../sandbox/parts')
const { PEERS } = require('../../sandbox/peers')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { bytesOf, get, put } = require('../support/s3')

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
  ['no checksums, and 501 to trailers', { serverName: '', checksums: false }, false, ['part-md5']],
  ['no checksums, and 411 to trailers', { serverName: '', checksums: false, trailerStatus: 411 }, false, ['part-md5']],
  [
    'no checksums and ETags that are no MD5',
    { serverName: '', checksums: false, md5Etags: false },
    false,
    ['read-back'],
  ],
  ['no checksums, and a source with its own', { serverName: '', checksums: false }, true, ['part-md5', 'source-crc32']],
]

/** Of an object that is written in one piece, they come on top. */
const ABOUT_ETAGS = ['source-etag', 'source-md5']

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
    expect(last.proof.filter(each => !ABOUT_ETAGS.includes(each))).toEqual(proof)
    expect((await get(to, way)).equals(bytesOf(bytes))).toBe(true)
  })
})

const noCompat = PEERS.minio && (() => PEERS.minio({ args: ['--no-compat'] }))

/** @type {Array<[where: string, start: (() => Promise<any>) | undefined, proofs: Record<string, string[]>]>} */
const PEER_PROOFS = [
  ['the sandbox', startStore, { put: ['store-crc32', 'source-etag'], multipart: ['store-crc32'] }],
  ['versitygw', PEERS.versitygw, { put: ['store-crc32', 'source-etag'], multipart: ['store-crc32'] }],
  ['MinIO', PEERS.minio, { put: ['store-crc32', 'source-etag'], multipart: ['store-crc32'] }],
  // Its ETags are no MD5s: what was read is compared with the source's.
  ['MinIO --no-compat', noCompat, { put: ['store-crc32', 'source-md5'], multipart: ['store-crc32'] }],
]

describe.each(PEER_PROOFS.filter(([, start]) => start))(
  'to %s, from a store that keeps MD5 ETags',
  (_, start, proofs) => {
    let source
    let destination
    let route
    beforeAll(async () => {
      ;[source, destination] = await Promise.all([startStore(), start()])
      route = await openRoute({ source, destination })
      for (const [way, bytes] of WAYS) await put(route.from, way, bytesOf(bytes))
      await uploadParts(source, 'source', 'parts', cut(bytesOf(10 * MiB + 1), 5 * MiB, 5 * MiB))
      await uploadParts(source, 'source', 'composite', cut(bytesOf(10 * MiB + 1), 5 * MiB, 5 * MiB), {
        checksum: 'COMPOSITE',
      })
    })
    afterAll(async () => {
      route?.close()
      await Promise.all([source?.close(), destination?.close()])
    })

    const copied = async (key, flags) => {
      const { status, last, events } = await route.copy(key, `${key}${flags}`, flags)
      expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
      const bytes = key === 'put' ? 1000 : 10 * MiB + 1
      expect((await get(route.to, `${key}${flags}`)).equals(bytesOf(bytes))).toBe(true)
      return {
        proof: last.proof,
        notices: events.filter(({ type }) => type === 'notice').map(({ message }) => message),
      }
    }

    it.each(WAYS)('by the route %s: what it says and nothing else', async way => {
      expect(await copied(way, [])).toEqual({ proof: proofs[way], notices: [] })
    })

    it('the parts of an equal upload prove what was read', async () => {
      const compat = proofs.put.includes('source-etag')
      const { proof, notices } = await copied('parts', [])
      expect(proof).toEqual(compat ? ['store-crc32', 'source-etag'] : ['store-crc32', 'source-md5', 'source-read'])
      // Whose ETags are no MD5s shows too late for MD5s to be computed on the way.
      expect(notices).toEqual(compat ? [] : ['Reading the source a second time.'])
      expect((await copied('composite', [])).proof).toContain('source-crc32')
    })
  },
)

describe('a source whose ETags look like MD5s and are none', () => {
  it.each([
    ['it says so', { encryption: 'aws:kms' }, []],
    ['it does not say so', {}, ['a second time', 'do not match its ETag']],
  ])('is copied all the same: %s', async (_, options, says) => {
    const [source, destination] = await Promise.all([
      startStore({ md5Etags: false, plainEtags: true, ...options }),
      startStore(),
    ])
    const route = await openRoute({ source, destination })
    try {
      await put(route.from, 'small', bytesOf(1000))
      await uploadParts(source, 'source', 'parts', cut(bytesOf(10 * MiB + 1), 5 * MiB, 5 * MiB))
      for (const [key, bytes] of [
        ['small', 1000],
        ['parts', 10 * MiB + 1],
      ]) {
        const { status, last, events } = await route.copy(key)
        expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
        expect((await get(route.to, key)).equals(bytesOf(bytes))).toBe(true)
        const notices = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
        expect(notices).toEqual(says.map(words => expect.stringContaining(words)))
        expect(last.proof).toEqual(says.length > 0 ? ['store-crc32', 'source-read'] : ['store-crc32'])
      }
    } finally {
      route.close()
      await Promise.all([source.close(), destination.close()])
    }
  })
})

describe('a byte that a store without checksums stored wrong', () => {
  it.each(WAYS)('is found by its MD5 and sent again, by the route %s', async (way, bytes) => {
    const server = await startStore({ serverName: '', checksums: false })
    const route = await openRoute({ source: server })
    try {
      await put(route.from, way, bytesOf(bytes))
      const operation = way === 'put' ? 'PutObject' : 'UploadPart'
      const once = server.faults.add({ operation, nth: 1, flipByteAt: 100 })
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
