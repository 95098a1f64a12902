'use strict'

const { openRoute } = require('../support/copies')
const { SERVERS } = require('../support/servers')
const { bytesOf, put } = require('../support/s3')

const MiB = 1024 ** 2

const EVERYTHING = {
  headers: {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'cache-control': 'max-age=60, private',
    'content-encoding': 'gzip',
    'content-language': 'de-AT, en',
    'content-disposition': 'attachment; filename="a b.csv"',
    expires: 'Wed, 21 Oct 2037 07:28:00 GMT',
  },
  user: { color: 'dark blue', 'with-dash': 'x=1; y="2"', number: '0042' },
}
const LITTLE = { headers: { 'content-type': 'application/x-little' }, user: {} }

describe.each(SERVERS)('on $name', ({ start }) => {
  let server
  let route
  beforeAll(async () => {
    server = await start()
    route = await openRoute({ source: server })
  })
  afterAll(async () => {
    route?.close()
    await server?.close()
  })

  it.each([
    ['everything that can be said', 'put', 100, EVERYTHING],
    ['everything that can be said', 'multipart', 5 * MiB + 1, EVERYTHING],
    ['a content type alone', 'put', 100, LITTLE],
    ['a content type alone', 'multipart', 5 * MiB + 1, LITTLE],
  ])('%s of an object arrives unchanged by the route %s', async (_, way, bytes, metadata) => {
    const { from, to, copy } = route
    const key = `${way} ${Object.keys(metadata.headers).length}`
    await put(from, key, bytesOf(bytes), metadata)
    const { status, last } = await copy(key)
    expect({ status, route: last.route }).toEqual({ status: 0, route: way })
    expect((await to.head(key)).metadata).toEqual(metadata)
  })
})
