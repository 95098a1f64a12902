'use strict'

/** Copies between S3 and a store that is one more entry of the registry: nothing of the program but the store knows it. */

const { copy } = require('../../lib')
const { openStore, parsePlace, register, resolveSettings } = require('../../lib/stores')
const { startStore } = require('../../sandbox/store')
const { makeHome } = require('../support/home')
const { createBuckets, openStore: openS3Store } = require('../support/s3')
const { bytesOf, get, put, uploadsOf } = require('../support/stores')
const { startToyServer, toy } = require('./toy-store')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB)
const METADATA = { headers: { 'content-type': 'text/csv', 'cache-control': 'no-store' }, user: { color: 'dark blue' } }

let servers
let stores
let options
let unregister
beforeAll(async () => {
  unregister = register(toy)
  const [s3, toys] = await Promise.all([startStore(), startToyServer()])
  servers = [s3, toys]
  await createBuckets(s3, 'bucket')
  toys.createContainer('box')
  const place = parsePlace('toy://box', 'destination')
  const settings = await resolveSettings(place, 'destination', {}, toys.env)
  stores = { s3: openS3Store(s3, 'bucket'), toy: openStore(place, settings) }
  const side = { endpointUrl: s3.endpoint, region: s3.region }
  options = {
    chunk: '5MiB',
    engine: 'local',
    source: side,
    destination: side,
    env: {
      ...toys.env,
      HOME: makeHome({}),
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
  }
})
afterAll(async () => {
  unregister?.()
  for (const store of Object.values(stores ?? {})) store.close()
  await Promise.all((servers ?? []).map(server => server.close()))
})

/** @param {string} from @param {string} to places */
async function copied(from, to, more = {}) {
  const events = []
  const summary = await copy(from, to, { ...options, ...more, onEvent: event => events.push(event) })
  const told = events.flatMap(({ type, code, noticeCodes = [] }) => [
    ...noticeCodes,
    ...(type === 'notice' ? [code] : []),
  ])
  return { summary, told }
}

const storeOf = place => stores[place.split(':')[0]]

it.each([
  ['s3://bucket', 'toy://box', ['read-back'], ['READING_BACK']],
  ['toy://box', 's3://bucket', ['store-crc32'], []],
  ['toy://box', 'toy://box', ['read-back'], ['READING_BACK']],
])('an object goes from %s to %s in three parts, and is proved', async (from, to, proof, notices) => {
  await put(storeOf(from), 'big', BODY, METADATA)
  const { summary, told } = await copied(`${from}/big`, `${to}/copy`)
  expect(summary).toMatchObject({ route: 'multipart', engine: 'local', parts: 3, bytes: BODY.length, proof })
  expect(told).toEqual(notices)
  const destination = storeOf(to)
  expect((await get(destination, 'copy')).equals(BODY)).toBe(true)
  expect(await destination.head('copy')).toMatchObject({ metadata: METADATA, etag: summary.etag })
  expect(await uploadsOf(destination, 'copy')).toEqual([])
})

it.each([
  ['s3://bucket', 'toy://box', ['read-back', 'source-md5']],
  ['toy://box', 's3://bucket', ['store-crc32']],
])('an object goes from %s to %s in one request, and is proved', async (from, to, proof) => {
  await put(storeOf(from), 'small', BODY.subarray(0, 1000), METADATA)
  const { summary } = await copied(`${from}/small`, `${to}/one`)
  expect(summary).toMatchObject({ route: 'put', parts: 1, bytes: 1000, proof })
  expect((await get(storeOf(to), 'one')).equals(BODY.subarray(0, 1000))).toBe(true)
  expect(await storeOf(to).head('one')).toMatchObject({ metadata: METADATA, etag: summary.etag })
})

it.each([['small'], ['big']])(
  'tags that the destination does not have are told, and the %s object is copied',
  async key => {
    const body = key === 'big' ? BODY : BODY.subarray(0, 1000)
    await put(stores.s3, `tagged-${key}`, body, { tags: [['project', 'Apollo 11']] })
    const { told } = await copied(`s3://bucket/tagged-${key}`, 'toy://box/')
    expect(told).toEqual(['READING_BACK', 'TAGS_NOT_WRITTEN'])
    expect((await get(stores.toy, `tagged-${key}`)).equals(body)).toBe(true)
  },
)

it('a condition is checked before the copy, where the destination cannot', async () => {
  await put(stores.toy, 'there', BODY.subarray(0, 10))
  await put(stores.s3, 'there', BODY.subarray(0, 1000))
  const refused = copied('s3://bucket/there', 'toy://box/there', { clobber: false })
  await expect(refused).rejects.toMatchObject({ code: 'DESTINATION_EXISTS', exitCode: 7 })
  const { summary } = await copied('s3://bucket/there', 'toy://box/not-there', { clobber: false })
  expect(summary).toMatchObject({ condition: 'checked' })
})

it('a wrong secret is told with the exit status for credentials', async () => {
  const env = { ...options.env, TOY_SECRET: 'a guess' }
  await expect(copied('toy://box/any', 's3://bucket/any', { env })).rejects.toMatchObject({ exitCode: 4 })
})

it('options of a store that is registered are those of the library, and reach its settings', async () => {
  await put(stores.toy, 'here', BODY.subarray(0, 1000), METADATA)
  const { TOY_ENDPOINT, ...env } = options.env
  const elsewhere = { ...options, env: { ...env, TOY_ENDPOINT_MOON: TOY_ENDPOINT } }
  const copyFrom = source => copy('toy://box/here', 's3://bucket/there', { ...elsewhere, source })
  expect(await copyFrom({ toyRegion: 'moon' })).toMatchObject({ bytes: 1000 })
  await expect(copyFrom({})).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('TOY_ENDPOINT') })
  await expect(copyFrom({ toyregion: 'moon' })).rejects.toMatchObject({ hint: 'Perhaps you mean "toyRegion".' })
  unregister()
  try {
    const refused = copy('s3://bucket/a', 's3://bucket/b', { ...options, source: { toyRegion: 'moon' } })
    await expect(refused).rejects.toMatchObject({ code: 'USAGE', message: 'copy: source has no option "toyRegion".' })
  } finally {
    unregister = register(toy)
  }
})
