'use strict'

/** Others write the destination's key while we copy; pinned.test.js has what becomes of the source. */

const { openRoute } = require('../support/copies')
const { SERVERS } = require('../support/servers')
const { bytesOf, get, put, sha256 } = require('../support/s3')

const MiB = 1024 ** 2
const WAYS = [
  ['put', 1000],
  ['multipart', 5 * MiB + 1],
]

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

  it.each(WAYS)('--no-clobber leaves an object that is there as it is, by the route %s', async (way, bytes) => {
    const { from, to, copy } = route
    const key = `kept ${way}`
    await put(from, key, bytesOf(bytes))
    expect(await copy(key, key, ['--no-clobber'])).toMatchObject({ status: 0, last: { route: way } })
    await put(to, key, Buffer.from('other'))
    const { status, last } = await copy(key, key, ['--no-clobber'])
    expect({ status, code: last.code }).toEqual({ status: 7, code: 'DESTINATION_EXISTS' })
    expect((await get(to, key)).toString()).toBe('other')
  })

  it.each(WAYS)('an object that is there is replaced without it, by the route %s', async (way, bytes) => {
    const { from, to, copy } = route
    const key = `replaced ${way}`
    const body = bytesOf(bytes, 'new')
    await put(from, key, body)
    await put(to, key, Buffer.from('other'))
    expect(await copy(key)).toMatchObject({ status: 0 })
    expect((await get(to, key)).equals(body)).toBe(true)
  })

  it.each(WAYS)('of two copies to one key one wins, and nothing is mixed, by the route %s', async (way, bytes) => {
    const { from, to, start, check } = route
    const key = `contested ${way}`
    const bodies = ['one', 'two'].map(seed => bytesOf(bytes, seed))
    await put(from, `${key} 1`, bodies[0])
    await put(from, `${key} 2`, bodies[1])
    const runs = await Promise.all([1, 2].map(n => start(`${key} ${n}`, key, []).ended))
    const checked = await Promise.all(runs.map(run => check(run, key)))
    // Replacing is what both were told to do: the later one has the last word.
    expect(checked.map(({ status }) => status)).toEqual([0, 0])
    expect(bodies.map(sha256)).toContain(sha256(await get(to, key)))
  })

  it.each(WAYS)('of two copies that must not replace one alone succeeds, by the route %s', async (way, bytes) => {
    const { from, to, start, check } = route
    const key = `first wins ${way}`
    const bodies = ['one', 'two'].map(seed => bytesOf(bytes, seed))
    await put(from, `${key} 1`, bodies[0])
    await put(from, `${key} 2`, bodies[1])
    const runs = await Promise.all([1, 2].map(n => start(`${key} ${n}`, key, ['--no-clobber']).ended))
    const statuses = (await Promise.all(runs.map(run => check(run, key)))).map(({ status }) => status)
    expect([...statuses].sort()).toEqual([0, 7])
    expect(sha256(await get(to, key))).toBe(sha256(bodies[statuses.indexOf(0)]))
  })
})
