'use strict'

/** `list`, on a store of every kind that can be started here. */

const { list } = require('../../../lib')
const { startAzureStore } = require('../../../sandbox/azure')
const { startStore } = require('../../../sandbox/store')
const { azureServer } = require('../../support/ends/azure')
const { s3Server } = require('../../support/ends/s3')
const { KINDS, splitKinds } = require('../../support/ends')
const { bytesOf } = require('../../support/s3')

const KEYS = ['a', 'b/1', 'b/2', 'b/c/3', 'b-', 'd/e/f', 'z\u{1f600}/x']
// Folders: everyday-files.test.js.
const { kinds } = splitKinds(KINDS.filter(({ name }) => name !== 'file'))

async function all(entries) {
  const found = []
  for await (const entry of entries) found.push(entry)
  return found
}
const named = entries => entries.map(({ type, name }) => `${type} ${name}`)
const asked = (of, more) => ({ env: { HOME: '/nowhere', ...of.env('SOURCE', of.endpoint) }, ...more })

/** @param {any} server */
async function fill(server) {
  await server.create('things')
  for (const key of KEYS) await server.write('things', key, { bytes: bytesOf(key.length) })
}

/** Servers whose pages are short, so that a list has many. */
const SHORT = [
  { name: 'sandbox, in pages of two', start: async () => s3Server(await startStore({ pageSize: 2 })) },
  { name: 'sandbox-azure, in pages of two', start: async () => azureServer(await startAzureStore({ pageSize: 2 })) },
  {
    name: 'sandbox, whose lists tell nothing of their end',
    start: async () => s3Server(await startStore({ pageSize: 2, lists: 'no-truncated' })),
  },
]

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

  it('yields the level of a prefix, by names that stand behind its slash', async () => {
    const entries = await all(list(server.text('things', 'b/'), asked(server)))
    expect(named(entries)).toEqual(['object 1', 'object 2', 'prefix c/'])
  })

  it('takes the key for the beginning of keys', async () => {
    expect(named(await all(list(server.text('things', 'b'), asked(server))))).toEqual(['object b-', 'prefix b/'])
    expect(named(await all(list(server.text('things', 'd/e'), asked(server))))).toEqual(['prefix e/'])
  })

  it('yields everything below with recursive', async () => {
    const entries = await all(list(server.text('things', ''), asked(server, { recursive: true })))
    const sorted = KEYS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(entries.map(({ key }) => key)).toEqual(sorted)
    expect(entries.map(({ bytes }) => bytes)).toEqual(sorted.map(key => key.length))
  })

  it('yields nothing where nothing is', async () => {
    expect(await all(list(server.text('things', 'none/'), asked(server)))).toEqual([])
  })

  it('fails while it is read if there is no such container', async () => {
    await expect(all(list(server.text('nothing', ''), asked(server)))).rejects.toMatchObject({ code: 'NO_SUCH_BUCKET' })
  })
})
