'use strict'

/** `--chunk match`: the source's own part size, and so its ETag, where the stores let that be. */

const { openRoute } = require('../support/copies')
const { copyEnv, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')
const { startStore } = require('../../sandbox/store')
const { SERVERS } = require('../support/servers')
const { cut, uploadParts } = require('../../sandbox/parts')

const MiB = 1024 ** 2
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
