'use strict'

/** `head`: what is told of an object, on stores that can be started here. */

const { head } = require('../../../lib')
const { startStore } = require('../../../sandbox/store')
const { KINDS, splitKinds } = require('../../support/ends')
const { bytesOf, createBuckets, crc32, openStore, put } = require('../../support/s3')

// Folders: everyday-files.test.js.
const { kinds } = splitKinds(KINDS.filter(({ name }) => name !== 'file'))
const attributes = { headers: { 'content-type': 'text/plain' }, user: { team: 'a' }, tags: [] }
const at = ({ endpoint, accessKeyId, secretAccessKey }) => ({
  endpointUrl: endpoint,
  credentials: { accessKeyId, secretAccessKey },
})

describe.each(kinds)('head on $name', ({ start }) => {
  let server
  let options
  beforeAll(async () => {
    server = await start()
    options = { env: { HOME: '/nowhere', ...server.env('SOURCE', server.endpoint) } }
    await server.create('things')
    await server.write('things', 'dir/one', { bytes: bytesOf(7), attributes })
  })
  afterAll(() => server?.stop())

  it('tells size, ETag, time, headers and metadata', async () => {
    expect(await head(server.text('things', 'dir/one'), options)).toMatchObject({
      location: server.text('things', 'dir/one'),
      key: 'dir/one',
      bytes: 7,
      etag: expect.stringMatching(/^".+"$/),
      lastModifiedMs: expect.any(Number),
      headers: { 'content-type': 'text/plain' },
      metadata: { team: 'a' },
    })
  })

  it('says of the name of a prefix that something is below', async () => {
    const error = await head(server.text('things', 'dir'), options).catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'NO_SUCH_KEY', exitCode: 3, hint: expect.stringContaining('xfer ls') })
    await expect(head(server.text('things', 'none'), options)).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })
})

describe('head on S3', () => {
  let server
  let store
  let options
  beforeAll(async () => {
    server = await startStore({ buckets: [{ name: 'kept', versions: true }] })
    await createBuckets(server, 'things')
    store = openStore(server, 'things')
    options = { source: at(server), env: { HOME: '/nowhere' } }
  })
  afterAll(async () => {
    store?.close()
    await server?.close()
  })

  it('tells checksums with their kind, and tags', async () => {
    const body = bytesOf(100)
    await put(store, 'summed', body, { checksum: true, tags: [['team', 'a']] })
    const value = Buffer.alloc(4)
    value.writeUInt32BE(crc32(body))
    expect(await head('s3://things/summed', options)).toMatchObject({
      checksums: [{ sum: 'crc32', value: value.toString('base64'), kind: 'full' }],
      tags: { team: 'a' },
    })
  })
})
