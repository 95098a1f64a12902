'use strict'

/** One end alone: whose settings count, what is repeated and told, and how it ends. */

const { openOne } = require('../../../lib/job')
const { startStore } = require('../../../sandbox/store')
const { newStateHome } = require('../../support/journals')
const { bytesOf, createBuckets, openStore, put } = require('../../support/s3')
const { restartableStore } = require('../../support/restartable')

let server
let env
beforeAll(async () => {
  server = await startStore()
  env = { HOME: newStateHome() }
  await createBuckets(server, 'things')
  const store = openStore(server, 'things')
  await put(store, 'a/one', bytesOf(10))
  store.close()
})
afterEach(() => server.faults.clear())
afterAll(() => server?.close())

const at = ({ endpoint, accessKeyId, secretAccessKey }) => ({
  endpointUrl: endpoint,
  credentials: { accessKeyId, secretAccessKey },
})

describe('openOne', () => {
  it.each(['source', 'destination'])('opens an object with the options of the %s', async side => {
    const { place, end, run, close } = await openOne('s3://things/a/one', side, { [side]: at(server), env }, () => {})
    try {
      expect(place).toMatchObject({ scheme: 's3', container: 'things', key: 'a/one' })
      expect(end).toMatchObject({ key: 'a/one', text: 's3://things/a/one' })
      expect(end.settings.side).toBe(side)
      expect(await end.store.head(end.key, { signal: run.cancel })).toMatchObject({ bytes: 10 })
    } finally {
      await close()
    }
  })

  it('appends a slash to a prefix, leaves the beginning of a key alone, and needs a key for an object', async () => {
    const keyOf = async (text, how) => {
      const { end, close } = await openOne(text, 'source', { source: at(server), env }, () => {}, how)
      await close()
      return end.key
    }
    expect(await keyOf('s3://things/a', { as: 'prefix' })).toBe('a/')
    expect(await keyOf('s3://things', { as: 'prefix' })).toBe('')
    expect(await keyOf('s3://things/a', { as: 'beginning' })).toBe('a')
    await expect(keyOf('s3://things')).rejects.toMatchObject({ code: 'BAD_LOCATION', exitCode: 2 })
  })

  it('repeats a call that fails, and tells it', async () => {
    const events = []
    server.faults.add({ operation: 'HeadObject', status: 503, nth: 1 })
    const options = { source: at(server), env }
    const { end, close } = await openOne('s3://things/a/one', 'source', options, event => events.push(event))
    try {
      expect(await end.store.head(end.key)).toMatchObject({ bytes: 10 })
      expect(events).toMatchObject([{ type: 'retry', call: 'head', side: 'source', attempt: 1 }])
    } finally {
      await close()
    }
  })

  it('waits for the end of an outage, which costs no retry', async () => {
    const store = await restartableStore()
    const { endpoint, accessKeyId, secretAccessKey } = store.server()
    const options = { source: at({ endpoint, accessKeyId, secretAccessKey }), retries: 0, env }
    await createBuckets(store.server(), 'things')
    const { end, close } = await openOne('s3://things/none', 'source', options, ({ type }) => {
      if (type === 'retry') store.up()
    })
    try {
      // An address that never answered is not waited for.
      await expect(end.store.head(end.key)).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
      await store.down()
      await expect(end.store.head(end.key)).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
    } finally {
      await close()
      await store.close()
    }
  })

  it('is cancelled by the signal of its caller', async () => {
    const stop = new AbortController()
    const options = { source: at(server), env, signal: stop.signal }
    const { end, run, close } = await openOne('s3://things/a/one', 'source', options, () => {})
    try {
      stop.abort()
      await expect(end.store.head(end.key, { signal: run.cancel })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    } finally {
      await close()
    }
  })
})
