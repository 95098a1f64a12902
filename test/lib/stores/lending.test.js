'use strict'

/** The URLs that stores lend: good for reading one object, and for nothing else. */

const { openStore, parsePlace, resolveSettings } = require('../../../lib/stores')
const { PRINCIPAL, loggedIn } = require('../../support/azure-cli')
const { azureServer } = require('../../support/ends/azure')
const { s3Server } = require('../../support/ends/s3')
const { keep, startAzureStore, startStore } = require('../../support/opened')

const BODY = Buffer.from('the bytes of an object')
const KEY = 'a folder/an object, ü'

/** Whose credentials are an application of Microsoft Entra ID. @param {any} started */
function entraServer(started) {
  const server = azureServer(started)
  const env = (side, endpoint) => {
    const { [`XFER_${side}_AZURE_STORAGE_KEY`]: _, ...rest } = server.env(side, endpoint)
    return { ...rest, PATH: loggedIn(new URL(endpoint).origin, PRINCIPAL) }
  }
  return { ...server, env }
}

describe.each([
  ['Azure, with a key', startAzureStore, azureServer],
  ['Azure, with Entra ID', () => startAzureStore({ principals: [PRINCIPAL] }), entraServer],
  ['S3', () => startStore(), s3Server],
])('of %s', (name, start, serverOf) => {
  let started
  let store
  let url
  beforeAll(async () => {
    started = await start()
    const server = serverOf(started)
    await server.create('source')
    await Promise.all([KEY, 'another'].map(key => server.write('source', key, { bytes: BODY })))
    const place = parsePlace(server.text('source', KEY), 'source')
    store = keep(openStore(place, await resolveSettings(place, 'source', {}, server.env('SOURCE', server.endpoint))))
    url = await store.lend({ key: KEY })
  })

  it('reads the object, or a range of it, and nothing else; it writes and deletes nothing', async () => {
    expect(await (await fetch(url)).text()).toBe(BODY.toString())
    expect(await (await fetch(url, { headers: { range: 'bytes=4-8' } })).text()).toBe('bytes')
    await expectNothingElse(url)
  })

  /** What it is not good for. @param {string} signed */
  async function expectNothingElse(signed) {
    const [path, query] = signed.split('?')
    const other = `${path.slice(0, path.lastIndexOf('/source/'))}/source/another?${query}`
    const asked = [fetch(other), fetch(signed, { method: 'DELETE' }), fetch(signed, { method: 'PUT', body: 'x' })]
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 403])
  }

  it('is signed for as long as the user says, too: 7 days at most, but by the key of an Azure account any time', async () => {
    const lifeMs = 3 * 86_400_000
    const signed = await store.presign({ key: KEY, lifeMs })
    expect(await (await fetch(signed.url)).text()).toBe(BODY.toString())
    expect(Math.abs(signed.endsMs - Date.now() - lifeMs)).toBeLessThan(60_000)
    await expectNothingElse(signed.url)
    const long = store.presign({ key: KEY, lifeMs: 8 * 86_400_000 })
    if (name === 'Azure, with a key') expect((await fetch((await long).url)).status).toBe(200)
    else await expect(long).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('is no longer good after a quarter of an hour', async () => {
    started.stepClock(16 * 60_000)
    expect((await fetch(url)).status).toBe(403)
  })
})
