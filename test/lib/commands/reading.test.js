'use strict'

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { copy, head, list, makeBucket, presign } = require('../../../lib')
const { startAzureStore } = require('../../../sandbox/azure')
const { startStore } = require('../../../sandbox/store')
const { azureServer } = require('../../support/ends/azure')
const { s3Server } = require('../../support/ends/s3')
const { KINDS, splitKinds } = require('../../support/ends')
const { bytesOf } = require('../../support/s3')

const KEYS = ['a', 'b/1', 'b/2', 'b/c/3', 'b-', 'd/e/f', 'z\u{1f600}/x']
const { kinds } = splitKinds(KINDS.filter(({ name }) => !/^file/.test(name)))
/** Servers whose pages are short, so that a list has many. */
const SHORT = [
  { name: 'sandbox, in pages of two', start: async () => s3Server(await startStore({ pageSize: 2 })) },
  { name: 'sandbox-azure, in pages of two', start: async () => azureServer(await startAzureStore({ pageSize: 2 })) },
  {
    name: 'sandbox, whose lists tell nothing of their end',
    start: async () => s3Server(await startStore({ pageSize: 2, lists: 'no-truncated' })),
  },
]
const envOf = (server, side = 'SOURCE') => ({ HOME: '/nowhere', ...server.env(side, server.endpoint) })

async function all(entries) {
  const found = []
  for await (const entry of entries) found.push(entry)
  return found
}

describe('list', () => {
  const named = entries => entries.map(({ type, name }) => `${type} ${name}`)
  const asked = (of, more) => ({ env: envOf(of), ...more })

  /** @param {any} server */
  async function fill(server) {
    await server.create('things')
    for (const key of KEYS) await server.write('things', key, { bytes: bytesOf(key.length) })
  }

  describe.each([...kinds, ...SHORT])('list on $name', ({ start }) => {
    let server
    beforeAll(async () => {
      server = await start()
      await fill(server)
    })
    afterAll(() => server?.stop())

    it('yields one level, with what lies deeper as prefixes', async () => {
      const entries = await all(list(server.text('things', ''), asked(server)))
      expect(named(entries)).toEqual(['object a', 'object b-', 'prefix b/', 'prefix d/', 'prefix z\u{1f600}/'])
      expect(entries[0]).toEqual({
        type: 'object',
        location: server.text('things', 'a'),
        key: 'a',
        name: 'a',
        bytes: 1,
        etag: expect.stringMatching(/^".+"$/),
        lastModifiedMs: expect.any(Number),
      })
      expect(entries[2]).toEqual({ type: 'prefix', location: server.text('things', 'b/'), key: 'b/', name: 'b/' })
    })

    it('yields everything below with recursive', async () => {
      const entries = await all(list(server.text('things', ''), asked(server, { recursive: true })))
      const sorted = KEYS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(entries.map(({ key }) => key)).toEqual(sorted)
      expect(entries.map(({ bytes }) => bytes)).toEqual(sorted.map(key => key.length))
    })
  })
})

it('files have an ETag that a condition takes, until they change', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-everyday-'))
  const [from, to] = ['one', 'target'].map(name => join(folder, name))
  for (const path of [from, to]) writeFileSync(path, path)
  const { etag } = await head(to)
  const options = { engine: 'local', env: { XDG_STATE_HOME: join(folder, 'state') }, ifMatch: etag }
  await expect(copy(from, to, options)).resolves.toMatchObject({ bytes: from.length })
  await expect(copy(from, to, options)).rejects.toMatchObject({ code: 'DESTINATION_CHANGED' })
  rmSync(folder, { recursive: true })
})

describe('head', () => {
  /** `head`: what is told of an object, on stores that can be started here. */

  const attributes = { headers: { 'content-type': 'text/plain' }, user: { team: 'a' }, tags: [] }

  describe.each(kinds)('head on $name', ({ start }) => {
    let server
    let options
    beforeAll(async () => {
      server = await start()
      options = { env: envOf(server) }
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
})

describe('buckets and signed URLs', () => {
  /** Buckets that are listed and made, and URLs that are signed, on a store of every kind that can be started here. */

  describe.each([...kinds, ...SHORT])('buckets on $name', ({ start }) => {
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

  describe.each(kinds)('a signed URL on $name', ({ start }) => {
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
  })

  describe('a bucket of S3', () => {
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
})
