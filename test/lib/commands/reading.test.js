'use strict'

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { copy, head, list, makeBucket } = require('../../../lib')
const { startAzureStore } = require('../../../sandbox/azure')
const { azureServer } = require('../../support/ends/azure')
const { s3Server } = require('../../support/ends/s3')
const { KINDS, splitKinds } = require('../../support/ends')
const { newFolder, startStore } = require('../../support/opened')
const { sideOptions } = require('../../support/run-xfer')
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

/** What is told of the stores of every kind that can be started here. */
describe.each([...kinds, ...SHORT])('on $name', ({ start }) => {
  let server
  let env
  const thing = key => server.text('things', key)
  const object = key => server.text('objects', key)
  const named = entries => entries.map(({ type, name }) => `${type} ${name}`)
  beforeAll(async () => {
    server = await start()
    env = { ...envOf(server), ...envOf(server, 'DEST') }
    for (const name of ['things', 'objects']) await server.create(name)
    for (const key of KEYS) await server.write('things', key, { bytes: bytesOf(key.length) })
    const attributes = { headers: { 'content-type': 'text/plain' }, user: { team: 'a' }, tags: [] }
    await server.write('objects', 'dir/one', { bytes: bytesOf(7), attributes })
    await server.write('objects', 'dir/a b+ü', { bytes: bytesOf(100) })
  })
  afterAll(() => server?.stop())

  it('a list is of one level, with what lies deeper as prefixes', async () => {
    const entries = await all(list(thing(''), { env }))
    expect(named(entries)).toEqual(['object a', 'object b-', 'prefix b/', 'prefix d/', 'prefix z\u{1f600}/'])
    expect(entries[0]).toEqual({
      ...{ type: 'object', location: thing('a'), key: 'a', name: 'a', bytes: 1 },
      ...{ etag: expect.stringMatching(/^".+"$/), lastModifiedMs: expect.any(Number) },
    })
    expect(entries[2]).toEqual({ type: 'prefix', location: thing('b/'), key: 'b/', name: 'b/' })
  })

  it('head says of the name of a prefix that something is below', async () => {
    const error = await head(object('dir'), { env }).catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'NO_SUCH_KEY', exitCode: 3, hint: expect.stringContaining('xfer ls') })
    await expect(head(object('none'), { env })).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })

  it('buckets are made, once, and listed', async () => {
    const account = server.text('', '').replace(/\/+$/, '').replace(/:$/, '://')
    const bucket = name => server.text(name, '').replace(/\/$/, '')
    for (const name of ['made-1', 'made-2', 'made-3']) await makeBucket(bucket(name), { env })
    const found = await all(list(account, { env }))
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['made-1', 'made-2']))
    const made = { type: 'container', location: bucket('made-3'), name: 'made-3', createdMs: expect.any(Number) }
    expect(found).toContainEqual(made)
    const exists = { code: 'DESTINATION_EXISTS', exitCode: 7 }
    await expect(makeBucket(server.text('made-1', ''), { env })).rejects.toMatchObject(exists)
    await expect(all(list(account, { env, recursive: true }))).rejects.toMatchObject({ code: 'USAGE' })
    await expect(makeBucket(server.text('made-1', 'key'), { env })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

it('files have an ETag that a condition takes, until they change', async () => {
  const folder = newFolder()
  const [from, to] = ['one', 'target'].map(name => join(folder, name))
  for (const path of [from, to]) writeFileSync(path, path)
  const { etag } = await head(to)
  const options = { engine: 'local', env: { XDG_STATE_HOME: join(folder, 'state') }, ifMatch: etag }
  await expect(copy(from, to, options)).resolves.toMatchObject({ bytes: from.length })
  await expect(copy(from, to, options)).rejects.toMatchObject({ code: 'DESTINATION_CHANGED' })
})

it('a bucket of S3 is made in a region, and known again if the answer to its creation was lost', async () => {
  const server = await startStore({ region: 'us-east-1' })
  const options = { destination: sideOptions(server), env: { HOME: '/nowhere' } }
  await makeBucket('s3://plain', options)
  const fault = server.faults.add({ operation: 'CreateBucket', loseAnswer: true, nth: 1 })
  await makeBucket('s3://lost', options)
  expect(fault.hits).toBe(1)
  await expect(makeBucket('s3://lost', options)).rejects.toMatchObject({ code: 'DESTINATION_EXISTS' })
})
