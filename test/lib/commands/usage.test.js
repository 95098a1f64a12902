'use strict'

/** `usage`, on a store of every kind that can be started here. */

const { usage } = require('../../../lib')
const { startStore } = require('../../../sandbox/store')
const { s3Server } = require('../../support/ends/s3')
const { KINDS, splitKinds } = require('../../support/ends')
const { bytesOf } = require('../../support/s3')

/** Each has as many bytes as its key has characters. */
const KEYS = ['a', 'b/1', 'b/2', 'b/c/3', 'b-', 'd/e/f']
// Folders: everyday-files.test.js.
const { kinds } = splitKinds(KINDS.filter(({ name }) => name !== 'file'))
const SHORT = { name: 'sandbox, in pages of two', start: async () => s3Server(await startStore({ pageSize: 2 })) }

describe.each([...kinds, SHORT])('usage on $name', ({ start }) => {
  let server
  let options
  beforeAll(async () => {
    server = await start()
    options = { env: { HOME: '/nowhere', ...server.env('SOURCE', server.endpoint) } }
    await server.create('things')
    for (const key of KEYS) await server.write('things', key, { bytes: bytesOf(key.length) })
  })
  afterAll(() => server?.stop())

  it('adds up all that is below, without a slash between', async () => {
    const location = server.text('things', '')
    expect(await usage(location, options)).toEqual({ location, bytes: 19, objects: 6 })
    expect(await usage(server.text('things', 'b'), options)).toMatchObject({ bytes: 13, objects: 4 })
    expect(await usage(server.text('things', 'none/'), options)).toMatchObject({ bytes: 0, objects: 0 })
  })

  it('tells each prefix of one level when it is complete, and waits for who is told', async () => {
    const told = []
    let under = 0
    const onPrefix = async prefix => {
      expect(under++).toBe(0)
      await new Promise(resolve => setImmediate(resolve))
      under--
      told.push(prefix)
    }
    const total = await usage(server.text('things', ''), { ...options, onPrefix })
    expect(total).toMatchObject({ bytes: 19, objects: 6 })
    expect(told).toEqual([
      { location: server.text('things', 'b/'), key: 'b/', name: 'b/', bytes: 11, objects: 3 },
      { location: server.text('things', 'd/'), key: 'd/', name: 'd/', bytes: 5, objects: 1 },
    ])
    told.length = 0
    await usage(server.text('things', 'b'), { ...options, onPrefix })
    expect(told.map(({ name, objects }) => [name, objects])).toEqual([['b/', 3]])
  })
})
