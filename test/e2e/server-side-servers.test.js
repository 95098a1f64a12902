'use strict'

/** Copies within one store, on every server there is to try. */

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

  it.each([...PLAIN_KEYS, ...PATH_KEYS])('a key with %s is the one that is copied, where it can be', async (_, key) => {
    const body = bytesOf(50, key)
    const { status: taken } = await tryPut(route.from, key, body)
    if (taken !== 200) return
    const { status } = await route.copy(key, 'plain', ['--route', 'auto'])
    expect(status).toBe(0)
    expect(await isCopied('plain', body)).toBe(true)
  })
})
