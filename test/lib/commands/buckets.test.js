'use strict'

/** Buckets that are listed and made, and URLs that are signed, on a store of every kind that can be started here. */

const { once } = require('node:events')
const http = require('node:http')
const { list, makeBucket, presign } = require('../../../lib')
const { startAzureStore } = require('../../../sandbox/azure')
const { startStore } = require('../../../sandbox/store')
const { azureServer } = require('../../support/ends/azure')
const { s3Server } = require('../../support/ends/s3')
const { KINDS, splitKinds } = require('../../support/ends')
const { bytesOf, createBuckets, openStore, put } = require('../../support/s3')

const { kinds } = splitKinds(KINDS)
const KEYS = { accessKeyId: 'AKIDKEYS', secretAccessKey: 'a-secret-of-keys' }
const stores = kinds.filter(({ name }) => !/^file/.test(name))
const SHORT = [
  { name: 'sandbox, in pages of two', start: async () => s3Server(await startStore({ pageSize: 2 })) },
  { name: 'sandbox-azure, in pages of two', start: async () => azureServer(await startAzureStore({ pageSize: 2 })) },
]
const envOf = (server, side = 'SOURCE') => ({ HOME: '/nowhere', ...server.env(side, server.endpoint) })

async function all(entries) {
  const found = []
  for await (const entry of entries) found.push(entry)
  return found
}

describe.each([...stores, ...SHORT])('buckets on $name', ({ start }) => {
  let server
  let account
  beforeAll(async () => {
    server = await start()
    account = server.text('', '').replace(/\/+$/, '').replace(/:$/, '://')
  })
  afterAll(() => server?.stop())

  it('are made, once, and listed', async () => {
    const env = { ...envOf(server), ...envOf(server, 'DEST') }
    for (const name of ['made-1', 'made-2', 'made-3'])
      await makeBucket(server.text(name, '').replace(/\/$/, ''), { env })
    const found = await all(list(account, { env }))
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['made-1', 'made-2', 'made-3']))
    expect(found.at(-1)).toEqual({
      type: 'container',
      location: server.text('made-3', '').replace(/\/$/, ''),
      name: 'made-3',
      createdMs: expect.any(Number),
    })
    await expect(makeBucket(server.text('made-1', ''), { env })).rejects.toMatchObject({
      code: 'DESTINATION_EXISTS',
      exitCode: 7,
    })
    await expect(all(list(account, { env, recursive: true }))).rejects.toMatchObject({ code: 'USAGE' })
    await expect(makeBucket(server.text('made-1', 'key'), { env })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe.each(stores)('a signed URL on $name', ({ start }) => {
  let server
  let env
  beforeAll(async () => {
    server = await start()
    env = envOf(server)
    await server.create('things')
    await server.write('things', 'dir/a b+ü', { bytes: bytesOf(100) })
  })
  afterAll(() => server?.stop())

  it('is good for this object, for anybody, until it ends', async () => {
    const nowMs = Date.now()
    const { url, endsMs, location } = await presign(server.text('things', 'dir/a b+ü'), { env, expires: '15m' })
    expect(location).toBe(server.text('things', 'dir/a b+ü'))
    expect(Math.abs(endsMs - nowMs - 15 * 60_000)).toBeLessThan(60_000)
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytesOf(100))).toBe(true)
    const other = await fetch(url.replace('dir/a', 'dir/b'))
    expect(other.status).toBe(403)
  })

  it('is not signed for what is not there', async () => {
    await expect(presign(server.text('things', 'none'), { env })).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })
})

describe('a signed URL of S3', () => {
  let server
  let options
  beforeAll(async () => {
    server = await startStore({ buckets: [{ name: 'kept', versions: true }] })
    await createBuckets(server, 'things')
    const { endpoint, accessKeyId, secretAccessKey } = server
    const source = { endpointUrl: endpoint, credentials: { accessKeyId, secretAccessKey } }
    options = { source, env: { HOME: '/nowhere' } }
    const store = openStore(server, 'things')
    await put(store, 'key', bytesOf(1))
    store.close()
  })
  afterAll(() => server?.close())

  it('lasts 7 days at most, and a second at least', async () => {
    const { url } = await presign('s3://things/key', { ...options, expires: '7d' })
    expect((await fetch(url)).status).toBe(200)
    await expect(presign('s3://things/key', { ...options, expires: '169h' })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('7 days'),
    })
    await expect(presign('s3://things/key', { ...options, expires: '10ms' })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('a bucket of S3', () => {
  it('is listed with all that follow on further pages', async () => {
    const asked = []
    const server = http.createServer((request, response) => {
      asked.push(request.url)
      const [name, token] = asked.length === 1 ? ['one', '<ContinuationToken>t</ContinuationToken>'] : ['two', '']
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(
          `<ListAllMyBucketsResult><Buckets><Bucket><Name>${name}</Name></Bucket></Buckets>${token}</ListAllMyBucketsResult>`,
        )
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const source = { endpointUrl: `http://127.0.0.1:${server.address().port}`, credentials: KEYS }
    try {
      const found = await all(list('s3://', { source, env: { HOME: '/nowhere' } }))
      expect(found).toEqual([
        { type: 'container', location: 's3://one', name: 'one' },
        { type: 'container', location: 's3://two', name: 'two' },
      ])
      expect(asked[1]).toContain('continuation-token=t')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('is made in a region, and known again if the answer to its creation was lost', async () => {
    const server = await startStore({ region: 'us-east-1' })
    const { endpoint, accessKeyId, secretAccessKey } = server
    const destination = { endpointUrl: endpoint, credentials: { accessKeyId, secretAccessKey } }
    const options = { destination, env: { HOME: '/nowhere' } }
    try {
      await makeBucket('s3://plain', options)
      const fault = server.faults.add({ operation: 'CreateBucket', loseAnswer: true, nth: 1 })
      await makeBucket('s3://lost', options)
      expect(fault.hits).toBe(1)
      await expect(makeBucket('s3://lost', options)).rejects.toMatchObject({ code: 'DESTINATION_EXISTS' })
    } finally {
      await server.close()
    }
  })
})
