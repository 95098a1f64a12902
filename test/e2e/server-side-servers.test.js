'use strict'

/** Copies within one store, on every server there is to try. */

const { uploadParts, cut } = require('../../sandbox/parts')
const { openRoute } = require('../support/copies')
const { PLAIN_KEYS, PATH_KEYS } = require('../support/keys')
const { SERVERS } = require('../support/servers')
const { bytesOf, get, put, tryPut } = require('../support/s3')

const MiB = 1024 ** 2

describe.each(SERVERS)('on $name', ({ start, traits }) => {
  let server
  let route
  beforeAll(async () => {
    server = await start()
    route = await openRoute({ source: server })
  }, 60_000)
  afterAll(async () => {
    route?.close()
    await server?.close()
  })

  /** @param {string} key @param {string[]} [flags] @param {string} [target] */
  const copy = (key, flags = [], target = key) => route.copy(key, target, ['--route', 'server', ...flags])
  const isCopied = async (key, body) => (await get(route.to, key)).equals(body)

  it.each([
    ['nothing', 0],
    ['a few bytes', 1000],
    ['5 MiB', 5 * MiB],
  ])('%s is copied by one request', async (key, bytes) => {
    const body = bytesOf(bytes, key)
    // MinIO leaves out the second of these where it is asked to keep them all.
    const headers = { 'content-type': 'a/b', expires: 'Wed, 21 Oct 2037 07:28:00 GMT' }
    await put(route.from, key, body, { headers, user: { color: 'blue' } })
    const { status, last } = await copy(key)
    expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server', route: 'put' } })
    expect(last.proof).toEqual([...(traits.sumsUnasked ? ['stored-crc64nvme'] : []), 'source-etag'])
    expect(await isCopied(key, body)).toBe(true)
    const { metadata } = await route.to.head(key)
    expect(metadata).toEqual({ headers, user: { color: 'blue' } })
  })

  it('metadata is replaced where it is asked for', async () => {
    await put(route.from, 'described', bytesOf(100), { headers: { 'content-type': 'a/b' }, user: { color: 'blue' } })
    expect((await copy('described', ['--metadata-set', 'shape=round'])).status).toBe(0)
    expect((await route.to.head('described')).metadata.user).toEqual({ color: 'blue', shape: 'round' })
  })

  it('a large object is copied in parts', async () => {
    const body = bytesOf(16 * MiB + 5)
    await put(route.from, 'large', body)
    const { status, last } = await copy('large', ['--chunk', '5'])
    expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server', route: 'multipart', parts: 4 } })
    expect(await isCopied('large', body)).toBe(true)
  })

  it('parts that match keep the ETag', async () => {
    const body = bytesOf(16 * MiB + 5, 'parts')
    const etag = await uploadParts(server, 'source', 'parts', cut(body, 6 * MiB, 6 * MiB))
    const { status, last } = await copy('parts', ['--chunk', 'match'])
    expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server', parts: 3, etag } })
    expect(last.proof).toContain('source-etag')
    expect(await isCopied('parts', body)).toBe(true)
  })

  it('--no-clobber holds', async () => {
    await put(route.from, 'kept', bytesOf(1000))
    expect(await copy('kept', ['--no-clobber'])).toMatchObject({
      status: 0,
      last: { engine: 'server', condition: 'atomic' },
    })
    expect(await copy('kept', ['--no-clobber'])).toMatchObject({ status: 7 })
  })

  it('both sides are read with --verify full', async () => {
    await put(route.from, 'full', bytesOf(1000))
    const { status, last } = await copy('full', ['--verify', 'full'])
    expect({ status, engine: last.engine }).toEqual({ status: 0, engine: 'server' })
    expect(last.proof).toContain('read-back')
  })

  it.each([...PLAIN_KEYS, ...PATH_KEYS])('a key with %s is the one that is copied, where it can be', async (_, key) => {
    const body = bytesOf(50, key)
    const { status: taken } = await tryPut(route.from, key, body)
    if (taken !== 200) return
    const { status } = await route.copy(key, 'plain', ['--route', 'auto'])
    expect(status).toBe(0)
    expect(await isCopied('plain', body)).toBe(true)
  })
})
