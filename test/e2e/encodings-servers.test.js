'use strict'

/** What a checksum behind the bytes leaves of an object's Content-Encoding, on every server there is to try. */

const { openTrees } = require('../support/prefixes')
const { SERVERS } = require('../support/servers')
const { get, put } = require('../support/s3')

test.each(SERVERS)('on $name an object has the encoding of its source, and no framing', async ({ start }) => {
  const server = await start()
  const trees = await openTrees({ source: server })
  try {
    await put(trees.from, 'tree/zipped', Buffer.from('zipped'), { headers: { 'content-encoding': 'gzip' } })
    await put(trees.from, 'tree/plain', Buffer.from('plain'))
    const run = await trees.run(['copy', '--route', 'engine'])
    expect({ status: run.status, message: run.last.message }).toEqual({ status: 0, message: undefined })
    expect(run.last.proof).toMatchObject({ 'store-crc32': 2 })
    const encodings = await Promise.all(
      ['tree/zipped', 'tree/plain'].map(async key => (await trees.to.head(key)).metadata.headers['content-encoding']),
    )
    expect(encodings).toEqual(['gzip', undefined])
    expect((await get(trees.to, 'tree/zipped')).toString()).toBe('zipped')
  } finally {
    trees.close()
    await server.close()
  }
})
