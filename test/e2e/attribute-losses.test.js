'use strict'

/**
 * Destinations that drop what an object has beside its bytes, and do not say so: what a second request can mend is mended,
 * and the rest is told, by name, in the notices and in what the copy is said to have.
 */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { openTrees } = require('../support/prefixes')
const { since } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const TAGS = [
  ['a', '1'],
  ['owner', 'me'],
  ['größe', 'groß'],
]
const GZIP = { 'content-type': 'text/csv', 'content-encoding': 'gzip' }
const FULL = {
  ...GZIP,
  'cache-control': 'no-store',
  'content-language': 'de',
  expires: 'Wed, 21 Oct 2037 07:28:00 GMT',
}
const ROUTES = [
  ['put', 100],
  ['multipart', 5 * MiB + 1],
]
const sorted = tags => [...tags].sort(([a], [b]) => (a < b ? -1 : 1))
const noticesOf = ({ events }) =>
  events.flatMap(each => (each.type === 'notice' ? [each.message] : (each.notices ?? [])))

let source
const opened = []
beforeAll(async () => {
  source = await startStore()
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})
afterAll(() => source?.close())

/** @param {object} options of a store that nobody knows */
async function destinationOf(options) {
  const destination = await startStore({ serverName: '', ...options })
  opened.push(destination)
  return destination
}

/** @param {object} options of the destination @param {object} [bucket] */
async function routeTo(options) {
  const destination = await destinationOf(options)
  const route = await openRoute({ source, destination })
  opened.unshift(route)
  const copy = async (key, flags = []) => {
    const before = { ...destination.requests }
    const run = await route.copy(key, `copy of ${key}`, flags)
    expect({ status: run.status, message: run.last.message }).toEqual({ status: 0, message: undefined })
    const object = await route.to.head(`copy of ${key}`)
    const tags = await route.to.tags.read(`copy of ${key}`)
    expect((await get(route.to, `copy of ${key}`)).equals(await get(route.from, key))).toBe(true)
    return { object, tags, told: run.last.attributes, notices: noticesOf(run), asked: since(destination, before) }
  }
  return { ...route, copy, destination }
}

describe.each(ROUTES)('by the route %s', (way, size) => {
  const body = bytesOf(size)

  test('tags that a store drops are written again', async () => {
    const { from, copy } = await routeTo({ multipartTags: false })
    await put(from, way, body, { tags: TAGS })
    const { tags, told, notices, asked } = await copy(way)
    expect({ tags: sorted(tags), told: told.tags, notices }).toEqual({ tags: sorted(TAGS), told: 3, notices: [] })
    expect(asked.PutObjectTagging ?? 0).toBe(way === 'put' ? 0 : 1)
  })

  test('tags that are dropped and cannot be written again are told', async () => {
    const { from, copy, destination } = await routeTo({ multipartTags: false })
    await put(from, way, body, { tags: TAGS })
    destination.faults.add({ operation: 'PutObjectTagging', status: 501, code: 'NotImplemented' })
    const { tags, told, notices } = await copy(way)
    const lost =
      way === 'put' ? [] : [expect.stringContaining('without the 3 tags of its source, because its store does not')]
    expect({ tags: tags.length, told: told.tags, notices }).toEqual(
      way === 'put' ? { tags: 3, told: 3, notices: [] } : { tags: 0, told: 0, notices: lost },
    )
  })

  test('one tag that is refused takes no other along, and is told by its name', async () => {
    const { from, copy } = await routeTo({ refusedTagKey: 'owner' })
    await put(from, way, body, { tags: TAGS })
    const { tags, told, notices } = await copy(way)
    const rest = TAGS.filter(([key]) => key !== 'owner')
    expect({ tags: sorted(tags), told: told.tags }).toEqual({ tags: sorted(rest), told: 2 })
    expect(notices).toEqual([expect.stringMatching(/is written without the tag owner of its source, .*InvalidTag/)])
  })

  test('content headers that are dropped are told, by name, and not claimed', async () => {
    const { from, copy } = await routeTo({ droppedHeaders: ['cache-control', 'expires'] })
    await put(from, way, body, { headers: FULL, user: { color: 'blue' } })
    const { object, told, notices } = await copy(way)
    const { 'cache-control': _, expires: __, ...rest } = FULL
    expect({ headers: object.metadata.headers, told: told.headers, user: told.user }).toEqual({
      headers: rest,
      told: rest,
      user: 1,
    })
    expect(notices).toEqual([
      expect.stringMatching(/is without cache-control, expires, because its store did not keep that/),
    ])
  })

  test.each(['kept-aws-chunked', 'kept-always'])(
    'gzip comes back as gzip from a store whose framing is %s',
    async contentEncoding => {
      const { from, copy } = await routeTo({ contentEncoding })
      await put(from, way, body, { headers: GZIP, user: { color: 'blue' }, tags: TAGS })
      const { object, tags, told, notices } = await copy(way)
      expect(object.framed).toBeUndefined()
      expect({ ...object.metadata, tags: sorted(tags) }).toEqual({
        headers: GZIP,
        user: { color: 'blue' },
        tags: sorted(TAGS),
      })
      expect({ told: told.headers, notices }).toEqual({ told: GZIP, notices: [] })
    },
  )
})

describe('below a prefix', () => {
  const MANY = 40
  const names = Array.from({ length: MANY }, (_, i) => `tree/${i}`)

  /** @param {object} options of the destination @param {object} attributes of the objects, of which one is in parts */
  async function copyTree(options, attributes, prepare = () => {}) {
    const destination = await destinationOf(options)
    prepare(destination)
    const trees = await openTrees({ source, destination })
    opened.unshift(trees)
    for (const key of names) await put(trees.from, key, bytesOf(20, key), attributes)
    await put(trees.from, 'tree/large', bytesOf(5 * MiB + 1), attributes)
    const before = { ...destination.requests }
    const run = await trees.run(['copy', '--concurrency', '1'])
    expect({ status: run.status, copied: run.objects.length }).toEqual({ status: 0, copied: MANY + 1 })
    const asked = since(destination, before)
    const found = await Promise.all(
      [...names, 'tree/large'].map(async key => ({
        ...(await trees.to.head(key)),
        tags: await trees.to.tags.read(key),
      })),
    )
    return { run, found, notices: noticesOf(run), asked }
  }

  test('repairs are made for each object; a loss is reported once, with the number of objects', async () => {
    const { run, found, notices } = await copyTree(
      { multipartTags: false, contentEncoding: 'kept-aws-chunked', droppedHeaders: ['cache-control'] },
      { headers: { ...GZIP, 'cache-control': 'no-store' }, tags: TAGS },
    )
    for (const { metadata, framed, tags } of found) {
      expect({ ...metadata, framed, tags: sorted(tags) }).toEqual({ headers: GZIP, user: {}, tags: sorted(TAGS) })
    }
    expect(notices).toEqual([
      expect.stringMatching(/without cache-control, because its store did not keep that/),
      `In all ${MANY + 1} objects are without their own cache-control, for the reasons above.`,
    ])
    expect(run.objects.map(({ lost }) => lost)).toEqual(run.objects.map(() => ['cache-control']))
  })

  test('one tag that is refused is left out of all, and costs a few requests', async () => {
    const { run, found, notices, asked } = await copyTree({ refusedTagKey: 'owner' }, { tags: TAGS })
    const rest = sorted(TAGS.filter(([key]) => key !== 'owner'))
    expect(found.map(({ tags }) => sorted(tags))).toEqual(found.map(() => rest))
    expect(notices).toEqual([
      expect.stringMatching(/without the tag owner of its source/),
      `In all ${MANY + 1} objects are written without some of their tags, for the reasons above.`,
    ])
    expect(run.objects.map(({ lost }) => lost)).toEqual(run.objects.map(() => ['tags']))
    expect(asked.PutObject).toBeLessThanOrEqual(2 * MANY)
  })

  test('a store that keeps everything is asked after 1, 2, 4 … objects', async () => {
    const { found, notices, asked } = await copyTree({}, { headers: GZIP, tags: TAGS })
    expect(found.every(({ framed, metadata }) => framed === undefined && metadata.headers['content-encoding'])).toBe(
      true,
    )
    expect(notices).toEqual([])
    expect(asked.HeadObject).toBeLessThanOrEqual(12)
  })
})
