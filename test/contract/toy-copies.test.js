'use strict'

/** Copies between S3 and a store that is one more entry of the registry: nothing of the program but the store knows it. */

const { join } = require('node:path')
const { copy, copyPrefix } = require('../../lib')
const { openStore, parsePlace, register, resolveSettings } = require('../../lib/stores')
const { startStore } = require('../../sandbox/store')
const { makeHome } = require('../support/home')
const { createBuckets, openStore: openS3Store } = require('../support/s3')
const { bytesOf, get, put, uploadsOf } = require('../support/stores')
const { startToyServer, toy } = require('./toy-store')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB)
const SMALL = BODY.subarray(0, 1000)
const METADATA = { headers: { 'content-type': 'text/csv', 'cache-control': 'no-store' }, user: { color: 'dark blue' } }

let servers
let toys
/** What the toy server keeps of a write: see startToyServer. */
let keeps
let stores
let options
/** The options of a side at S3. */
let ofS3
let unregister
beforeAll(async () => {
  unregister = register(toy)
  const s3 = await startStore()
  toys = await startToyServer({ keeps: (...written) => keeps(...written) })
  servers = [s3, toys]
  await createBuckets(s3, 'bucket')
  toys.createContainer('box')
  const place = parsePlace('toy://box', 'destination')
  const settings = await resolveSettings(place, 'destination', {}, toys.env)
  stores = { s3: openS3Store(s3, 'bucket'), toy: openStore(place, settings) }
  ofS3 = { endpointUrl: s3.endpoint, region: s3.region }
  options = {
    chunk: '5MiB',
    engine: 'local',
    env: {
      ...toys.env,
      HOME: makeHome({}),
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
  }
})
beforeEach(() => {
  keeps = (_, body) => body
  toys.requests.length = 0
})
afterAll(async () => {
  unregister?.()
  for (const store of Object.values(stores ?? {})) store.close()
  await Promise.all((servers ?? []).map(server => server.close()))
})

const isS3 = place => place.startsWith('s3:')
/** @param {string} from @param {string} to places */
const sidesOf = (from, to) => ({ ...(isS3(from) && { source: ofS3 }), ...(isS3(to) && { destination: ofS3 }) })

/** @param {string} from @param {string} to places */
async function copied(from, to, more = {}) {
  const events = []
  const summary = await copy(from, to, {
    ...options,
    ...sidesOf(from, to),
    ...more,
    onEvent: event => events.push(event),
  })
  const told = events.flatMap(({ type, code, noticeCodes = [] }) => [
    ...noticeCodes,
    ...(type === 'notice' ? [code] : []),
  ])
  return { summary, told, events }
}

/** The requests of the toy store for the bytes of an object. @param {string} key */
const readsOf = key => toys.requests.filter(request => request === `GET /box/${key}`)

/** The same bytes with one that differs. @param {Buffer} body */
const spoilt = body => Buffer.concat([body.subarray(0, -1), Buffer.from([body.at(-1) ^ 1])])

/** Settings of a store that may only repeat the checksums that it is sent. */
const unbelieved = () => ({ env: { ...options.env, TOY_ANSWERED: '' } })

const storeOf = place => stores[place.split(':')[0]]

it.each([
  ['s3://bucket', 'toy://box', BODY, ['store-crc32']],
  ['toy://box', 's3://bucket', BODY, ['store-crc32']],
  ['s3://bucket', 'toy://box', SMALL, ['store-crc32', 'source-md5']],
])('an object goes from %s to %s, in three parts or in one request, and is proved', async (from, to, body, proof) => {
  const how = body === SMALL ? { route: 'put', parts: 1 } : { route: 'multipart', parts: 3 }
  await put(storeOf(from), 'object', body, METADATA)
  const { summary, told } = await copied(`${from}/object`, `${to}/copy`)
  expect(summary).toMatchObject({ ...how, engine: 'local', bytes: body.length, proof })
  expect([told, readsOf('copy')]).toEqual([[], []])
  const destination = storeOf(to)
  expect((await get(destination, 'copy')).equals(body)).toBe(true)
  expect(await destination.head('copy')).toMatchObject({ metadata: METADATA, etag: summary.etag })
  expect(await uploadsOf(destination, 'copy')).toEqual([])
})

describe('a checksum that the destination answers', () => {
  const big = 's3://bucket/answered'
  beforeAll(async () => {
    await put(stores.s3, 'answered', BODY)
    await put(stores.s3, 'answered-small', SMALL)
  })

  it('is not believed if the store does not declare that it computes it: the copy is read back', async () => {
    const parts = await copied(big, 'toy://box/echoed', unbelieved())
    expect(parts.summary.proof).toEqual(['read-back'])
    expect(parts.told).toEqual(['READ_BACK_NEEDED', 'READING_BACK'])
    // One byte first, to see whether the copy may be read.
    expect(readsOf('echoed')).toHaveLength(1 + 3)
    const { summary, told } = await copied('s3://bucket/answered-small', 'toy://box/echoed-small', unbelieved())
    expect(summary.proof).toEqual(['read-back', 'source-md5'])
    expect(told).toEqual(['READING_BACK'])
  })

  it('lets a damaged part be copied again, and nothing be read back', async () => {
    let spoils = 1
    keeps = ({ part }, body) => (part === 2 && spoils-- > 0 ? spoilt(body) : body)
    const { summary, events } = await copied(big, 'toy://box/spoilt')
    expect(events.filter(({ type }) => type === 'retry')).toEqual([
      expect.objectContaining({
        ...{ partNumber: 2, attempt: 1, code: 'PART_CORRUPTED' },
        message: expect.stringMatching(/computed the CRC-32 \S+ of part 2, and that of what was sent is \S+/),
      }),
    ])
    expect(summary.proof).toEqual(['store-crc32'])
    expect(readsOf('spoilt')).toEqual([])
    expect((await get(stores.toy, 'spoilt')).equals(BODY)).toBe(true)
  })

  it('ends a copy with a part that is damaged each time, and nothing becomes visible', async () => {
    keeps = ({ part }, body) => (part === 2 ? spoilt(body) : body)
    await expect(copied(big, 'toy://box/wrong')).rejects.toMatchObject({ code: 'PART_CORRUPTED', exitCode: 8 })
    await expect(stores.toy.head('wrong')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })

  it('lets an object of one request be read back and written again if it is damaged', async () => {
    let spoils = 1
    keeps = (_, body) => (spoils-- > 0 ? spoilt(body) : body)
    const { summary, told } = await copied('s3://bucket/answered-small', 'toy://box/spoilt-small')
    expect(summary.proof).toEqual(['store-crc32', 'source-md5'])
    expect(told).toEqual(['READING_BACK'])
    expect(readsOf('spoilt-small')).not.toEqual([])
    expect((await get(stores.toy, 'spoilt-small')).equals(SMALL)).toBe(true)
  })

  it('counts for its part alone: if other bytes take its place, all is copied under a new upload', async () => {
    let replaces = true
    let first
    keeps = ({ part }, body) => {
      const kept = Buffer.from(body)
      if (part === 1) first = kept
      else if (part === 3 && replaces) {
        first[0] ^= 1
        replaces = false
      }
      return kept
    }
    const { summary, told } = await copied(big, 'toy://box/replaced', { concurrency: 1 })
    expect([summary.proof, told]).toEqual([['store-crc32'], ['UPLOAD_REPEATED']])
    expect((await get(stores.toy, 'replaced')).equals(BODY)).toBe(true)
  })

  it('still counts when the copy is resumed', async () => {
    keeps = ({ part }, body) => (part === 3 ? undefined : body)
    const how = { concurrency: 1, retries: 0 }
    await expect(copied(big, 'toy://box/resumed', how)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
    keeps = (_, body) => body
    const { summary, told, events } = await copied(big, 'toy://box/resumed', how)
    expect(events).toContainEqual(expect.objectContaining({ type: 'resume', parts: 2 }))
    expect(summary.proof).toEqual(['store-crc32'])
    expect([told, readsOf('resumed')]).toEqual([[], []])
    expect((await get(stores.toy, 'resumed')).equals(BODY)).toBe(true)
  })
})

describe('checksums by other names', () => {
  beforeAll(() => put(stores.s3, 'answered', BODY))

  const computing = () => ({ env: { ...options.env, TOY_ANSWERED: '', TOY_COMPUTED: 'crc32c' } })

  it('one that the destination answers is the only one computed', async () => {
    await put(stores.toy, '64', BODY)
    const answering = { env: { ...options.env, TOY_ANSWERED: 'crc64nvme' } }
    const { summary, told } = await copied('toy://box/64', 'toy://box/64-copy', answering)
    expect(summary).toMatchObject({ proof: ['store-crc64nvme'], sums: { crc64nvme: expect.any(String) } })
    expect(Object.keys(summary.sums)).toEqual(['crc64nvme'])
    expect([told, readsOf('64-copy')]).toEqual([[], []])
  })

  it('one that the destination computes of the whole object proves it, and nothing is read back', async () => {
    const { summary, told } = await copied('s3://bucket/answered', 'toy://box/whole', computing())
    expect(summary.proof).toEqual(['store-crc32c'])
    expect([told, readsOf('whole')]).toEqual([[], []])
  })

  it('one that is not that of what was sent lets all be copied again', async () => {
    let spoils = 1
    keeps = (_, body) => (spoils-- > 0 ? spoilt(body) : body)
    const { summary, told } = await copied('s3://bucket/answered', 'toy://box/mended', computing())
    expect(summary.proof).toEqual(['store-crc32c'])
    expect(told).toContain('UPLOAD_REPEATED')
    expect((await get(stores.toy, 'mended')).equals(BODY)).toBe(true)
  })
})

it('a prefix of a store that does not list is refused, and its objects can be named', async () => {
  await put(stores.toy, 'tree/one', BODY.subarray(0, 10), METADATA)
  const copying = more =>
    copyPrefix('toy://box/tree/', 's3://bucket/tree/', {
      ...{ ...options, destination: ofS3, chunk: undefined },
      ...more,
    })
  await expect(copying({})).rejects.toMatchObject({ code: 'USAGE', exitCode: 2 })
  await copying({ filesFrom: join(makeHome({ names: 'one\n' }), 'names') })
  expect((await get(stores.s3, 'tree/one')).equals(BODY.subarray(0, 10))).toBe(true)
})

it('options of a store that is registered are those of the library, and reach its settings', async () => {
  await put(stores.toy, 'here', SMALL, METADATA)
  const { TOY_ENDPOINT, ...env } = options.env
  const elsewhere = { ...options, env: { ...env, TOY_ENDPOINT_MOON: TOY_ENDPOINT } }
  const copyFrom = source => copy('toy://box/here', 's3://bucket/there', { ...elsewhere, source, destination: ofS3 })
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

it.each([
  [{ source: { toyRegion: 'moon' } }, '--source-toy-region is an option for toy://, and the source is s3://.'],
  [{ sse: 'AES256' }, 'The destination is toy://, which has no encryption "AES256".'],
])('an option of another store is refused: %j', async (more, message) => {
  await expect(copied('s3://bucket/any', 'toy://box/any', more)).rejects.toMatchObject({ code: 'USAGE', message })
})
