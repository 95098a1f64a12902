'use strict'

/** The URLs that stores lend: good for reading one object, and for nothing else. */

const { startAzureStore } = require('../../../sandbox/azure')
const { startStore } = require('../../../sandbox/store')
const { openStore, parsePlace, resolveSettings } = require('../../../lib/stores')
const { azureServer } = require('../../support/ends/azure')
const { s3Server } = require('../../support/ends/s3')

const BODY = Buffer.from('the bytes of an object')
const KEY = 'a folder/an object, ü'

describe.each([
  ['Azure', startAzureStore, azureServer],
  ['S3', startStore, s3Server],
])('of %s', (_, start, serverOf) => {
  let server
  let store
  let place
  let settings
  let url
  beforeAll(async () => {
    server = serverOf(await start())
    await server.create('source')
    await Promise.all([KEY, 'another'].map(key => server.write('source', key, { bytes: BODY })))
    place = parsePlace(server.text('source', KEY), 'source')
    settings = await resolveSettings(place, 'source', {}, server.env('SOURCE', server.endpoint))
    store = openStore(place, settings)
    url = await store.lend({ key: KEY })
  })
  afterAll(async () => {
    store.close()
    await server.stop()
  })

  it('reads the object, or a range of it', async () => {
    expect(await (await fetch(url)).text()).toBe(BODY.toString())
    expect(await (await fetch(url, { headers: { range: 'bytes=4-8' } })).text()).toBe('bytes')
  })

  it('reads no other object, and writes and deletes nothing', async () => {
    const [path, query] = url.split('?')
    const other = `${path.slice(0, path.lastIndexOf('/source/'))}/source/another?${query}`
    const asked = [fetch(other), fetch(url, { method: 'DELETE' }), fetch(url, { method: 'PUT', body: 'x' })]
    for (const { status } of await Promise.all(asked)) expect(status).toBe(403)
  })

  it('is no longer good after a quarter of an hour', async () => {
    const early = openStore(place, settings, () => Date.now() - 16 * 60_000)
    expect((await fetch(await early.lend({ key: KEY }))).status).toBe(403)
    early.close()
  })
})
