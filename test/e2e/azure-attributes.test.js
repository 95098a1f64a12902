'use strict'

/** What only blobs have, in copies between containers of Azure and from them to S3. */

const { copy, copyPrefix } = require('../../lib')
const { startAzureStore } = require('../../sandbox/azure')
const { startStore } = require('../../sandbox/store')
const { call } = require('../support/ends/azure-objects')
const { makeHome } = require('../support/home')
const { createBuckets, openStore } = require('../support/s3')
const { bytesOf, get } = require('../support/stores')

const MiB = 1024 ** 2

let azure
let s3
let bucket
let options
beforeAll(async () => {
  azure = await startAzureStore({
    containers: ['from', 'copies'],
    hierarchical: false,
    versioning: true,
  })
  s3 = await startStore()
  await createBuckets(s3, 'bucket')
  bucket = openStore(s3, 'bucket')
  const env = {
    ...{ HOME: makeHome({}), AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey },
    AZURE_STORAGE_KEY: azure.key,
  }
  options = { engine: 'local', chunk: '5MiB', env, retries: 0 }
})
afterAll(async () => {
  bucket?.close()
  await Promise.all([azure, s3].map(server => server?.close()))
})

const AZ = () => ({ endpointUrl: azure.endpoint })
const S3 = () => ({ endpointUrl: s3.endpoint, region: s3.region })
const at = (container, key) => `az://${azure.account}/${container}/${key}`
const raw = request =>
  call({ port: Number(new URL(azure.endpoint).port), account: azure.account, key: azure.key }, request)

/** @param {string} key @param {Buffer} body @param {Record<string, string>} [headers] */
async function write(key, body, headers = {}) {
  const answer = await raw({
    ...{ method: 'PUT', path: `/from/${key}`, body },
    headers: { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream', ...headers },
  })
  expect(answer.status).toBe(201)
  return answer.headers
}

/** @param {string} key of a copy */
const found = async key => (await raw({ method: 'HEAD', path: `/copies/${key}` })).headers

const noticesOf = events =>
  events.flatMap(event => (event.type === 'notice' ? [event.message] : event.type === 'plan' ? event.notices : []))

/** @param {string} source @param {string} destination @param {object} [more] */
async function copied(source, destination, more = {}) {
  const events = []
  const summary = await copy(source, destination, { ...options, ...more, onEvent: event => events.push(event) })
  return { summary, notices: noticesOf(events) }
}
const between = (key, more) => copied(at('from', key), at('copies', key), { source: AZ(), destination: AZ(), ...more })

test.each([
  ['one request', 1000],
  ['blocks', 11 * MiB],
])('a blob keeps its tier, tags and headers in a copy by %s', async (_, bytes) => {
  await write(`whole-${bytes}`, bytesOf(bytes), {
    ...{
      'x-ms-access-tier': 'Cool',
      'x-ms-tags': 'a=1&b=two',
      'x-ms-blob-content-type': 'text/csv',
      'x-ms-meta-color': 'blue',
    },
    'x-ms-blob-cache-control': 'no-store',
  })
  const { summary, notices } = await between(`whole-${bytes}`)
  expect(summary.proof).toContain('store-crc64nvme')
  expect(notices).toEqual([])
  expect(await found(`whole-${bytes}`)).toMatchObject({
    ...{ 'x-ms-access-tier': 'Cool', 'x-ms-tag-count': '2', 'content-type': 'text/csv', 'cache-control': 'no-store' },
    'x-ms-meta-color': 'blue',
  })
})

test('small blobs below a prefix keep their tiers, though a read does not tell them', async () => {
  const tiers = ['Cool', undefined, 'Cold', 'Cool', undefined]
  for (const [i, tier] of tiers.entries()) {
    await write(`tiers/${i}`, bytesOf(10 + i), tier ? { 'x-ms-access-tier': tier } : {})
  }
  await copyPrefix(at('from', 'tiers/'), at('copies', 'tiers/'), { ...options, source: AZ(), destination: AZ() })
  const heads = await Promise.all(tiers.map((_, i) => found(`tiers/${i}`)))
  const own = heads.map(head => (head['x-ms-access-tier-inferred'] ? undefined : head['x-ms-access-tier']))
  expect(own).toEqual(tiers)
})

test('an append blob is copied as a block blob, and the loss is told', async () => {
  await raw({ method: 'PUT', path: '/from/log', headers: { 'x-ms-blob-type': 'AppendBlob' } })
  await raw({ method: 'PUT', path: '/from/log', query: { comp: 'appendblock' }, body: 'a line' })
  const { notices } = await between('log')
  expect(notices).toEqual([expect.stringMatching(/without its type \(an append blob\)/)])
  expect(await found('log')).toMatchObject({ 'x-ms-blob-type': 'BlockBlob', 'content-length': '6' })
})

test('an archived blob is refused by name', async () => {
  await write('cold', bytesOf(10), { 'x-ms-access-tier': 'Archive' })
  await expect(between('cold')).rejects.toMatchObject({ code: 'ARCHIVED' })
})

test('a destination that is leased, or that is an append blob, is refused by name', async () => {
  await write('leased', bytesOf(11 * MiB))
  for (const [name, headers] of [
    ['leased', { 'x-ms-blob-type': 'BlockBlob' }],
    ['appended', { 'x-ms-blob-type': 'AppendBlob' }],
  ]) {
    await raw({ method: 'PUT', path: `/copies/${name}`, headers })
  }
  const lease = { 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' }
  await raw({ method: 'PUT', path: '/copies/leased', query: { comp: 'lease' }, headers: lease })
  await expect(between('leased')).rejects.toMatchObject({ message: expect.stringMatching(/the blob is leased/) })
  const onto = copied(at('from', 'leased'), at('copies', 'appended'), { source: AZ(), destination: AZ() })
  await expect(onto).rejects.toMatchObject({
    message: expect.stringMatching(/an append blob or a page blob of this name/),
  })
})

test('a version is read as it was', async () => {
  const { 'x-ms-version-id': versionId } = await write('moving', Buffer.from('first'))
  await write('moving', Buffer.from('second'))
  const to = S3()
  await copied(at('from', 'moving'), 's3://bucket/version', { source: { ...AZ(), versionId }, destination: to })
  await copied(at('from', 'moving'), 's3://bucket/newest', { source: AZ(), destination: to })
  const texts = await Promise.all(['version', 'newest'].map(async key => String(await get(bucket, key))))
  expect(texts).toEqual(['first', 'second'])
})

describe('an account with a hierarchical namespace', () => {
  let lake
  const on = (container, key) => `az://${lake.account}/${container}/${key}`
  const LAKE = () => ({ endpointUrl: lake.endpoint })
  beforeAll(async () => {
    lake = await startAzureStore({ containers: ['lake'], hierarchical: true, key: azure.key })
  })
  afterAll(() => lake?.close())

  test.each([
    ['one request', 1000],
    ['blocks', 11 * MiB],
  ])('has no tags: a copy by %s is refused, and told how it is written without them', async (_, bytes) => {
    await write(`tagged-${bytes}`, bytesOf(bytes), { 'x-ms-tags': 'a=1' })
    const places = [at('from', `tagged-${bytes}`), on('lake', `in/tagged-${bytes}`)]
    const sides = { source: AZ(), destination: LAKE() }
    await expect(copied(...places, sides)).rejects.toMatchObject({
      code: 'STORE_REFUSED',
      hint: expect.stringMatching(/--tags none copies none/),
    })
    const { notices } = await copied(...places, { ...sides, tags: 'none', restart: true })
    expect(notices.filter(text => /tag/.test(text.replace(/az:\S+/, '')))).toEqual([])
  })

  test('folders are no objects: a prefix is copied without them, and one alone is refused by name', async () => {
    const back = { ...options, source: LAKE(), destination: S3() }
    const { objects } = await copyPrefix(on('lake', ''), 's3://bucket/lake/', back)
    expect(objects).toMatchObject({ copied: 2, failed: 0 })
    await expect(copy(on('lake', 'in'), 's3://bucket/folder', back)).rejects.toMatchObject({
      message: expect.stringMatching(/a folder of the hierarchical namespace/),
    })
  })
})
