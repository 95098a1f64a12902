'use strict'

const { resolveKey } = require('../../lib/stores')
const { openRoute } = require('../support/copies')
const { PATH_KEYS, PLAIN_KEYS } = require('../support/keys')
const { SERVERS } = require('../support/servers')
const { bytesOf, get, keysOf, put, tryPut } = require('../support/s3')

const MiB = 1024 ** 2

describe.each(SERVERS)('on $name a key with', ({ start, traits }) => {
  let server
  let route
  /** @type {Record<string, any>} by the way that an object takes; no bucket sees what came by the other */
  const ways = {}
  beforeAll(async () => {
    server = await start()
    route = await openRoute({ source: server })
    for (const [way, bytes] of Object.entries({ put: 100, multipart: 5 * MiB + 1 })) {
      ways[way] = await openRoute({ source: server, buckets: { from: `from-${way}`, to: `to-${way}` } })
      await put(ways[way].from, 'seed', bytesOf(bytes))
    }
  })
  afterAll(async () => {
    for (const each of [route, ...Object.values(ways)]) each?.close()
    await server?.close()
  })

  it.each(PLAIN_KEYS)('%s is read and written as it stands', async (_, key) => {
    const { from, to, copy } = route
    const body = bytesOf(50, key)
    await put(from, key, body)
    const { status, last } = await copy(key)
    expect({ status, last }).toMatchObject({ status: 0, last: { destination: `s3://target/${key}` } })
    expect(await keysOf(to)).toContain(key)
    expect((await get(to, key)).equals(body)).toBe(true)
  })

  it.each(PATH_KEYS)('%s is read as it stands, where the server takes it', async (_, key) => {
    const { from, to, copy } = route
    const body = bytesOf(50, key)
    const { status: taken } = await tryPut(from, key, body)
    const { status, last } = await copy(key, 'plain')
    if (taken === 200) {
      expect(status).toBe(0)
      expect((await get(to, 'plain')).equals(body)).toBe(true)
    } else {
      expect(traits.pathKeys).toBe(false)
      expect([1, 3]).toContain(status)
      expect(last.message).not.toMatch(/inside xfer|credentials/)
    }
  })

  it.each([
    ...PATH_KEYS.map(([what, key]) => [what, 'put', key]),
    ...PATH_KEYS.map(([what, key]) => [what, 'multipart', key]),
  ])('%s is written as it stands by the route %s, or not at all', async (_, way, key) => {
    const { from, to, copy } = ways[way]
    const { status, last } = await copy('seed', key)
    const keys = await keysOf(to)
    if (traits.pathKeys) expect(status).toBe(0)
    if (status === 0) {
      expect(last.route).toBe(way)
      expect(keys).toContain(key)
      expect((await get(to, key)).equals(await get(from, 'seed'))).toBe(true)
    } else {
      // A store that resolves the key says nothing of it: then the error must say where the copy went.
      expect(last).toMatchObject({
        exitCode: 1,
        code: expect.stringMatching(/^(STORE_REFUSED|STORE_ERROR|KEY_RESOLVED|OUTCOME_UNKNOWN)$/),
      })
      expect(keys).not.toContain(key)
    }
  })

  it.each(PATH_KEYS.filter(([, key]) => resolveKey(key) !== key && resolveKey(key) !== ''))(
    '%s does not replace what another key names',
    async (_, key) => {
      const { to, copy } = ways.put
      const other = resolveKey(key)
      await put(to, other, Buffer.from('precious'))
      const { status, last } = await copy('seed', key)
      if (traits.pathKeys) expect(status).toBe(0)
      if (status !== 0)
        expect(last).toMatchObject({
          exitCode: 1,
          code: expect.stringMatching(/^(STORE_REFUSED|STORE_ERROR|KEY_RESOLVED|OUTCOME_UNKNOWN)$/),
        })
      expect((await get(to, other)).toString()).toBe('precious')
    },
  )
})
