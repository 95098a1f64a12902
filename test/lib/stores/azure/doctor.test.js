'use strict'

/** `xfer doctor az://…`: what it says of credentials and rights, and that it leaves nothing. */

const { doctor } = require('../../../../lib')
const { PRINCIPAL, loggedIn } = require('../../../support/azure-cli')
const { containerSas } = require('../../../support/azure-sas')
const { startAzureStore } = require('../../../support/opened')
const { blockId, blockRequest, call, listRequest, putRequest } = require('../../../sandbox/azure/support')

const READER = { ...PRINCIPAL, clientId: '44444444-4444-4444-4444-444444444444', objectId: '5', permissions: 'rl' }

let store
beforeAll(async () => {
  store = await startAzureStore({ containers: ['con'], principals: [PRINCIPAL, READER] })
  // A blob of blocks, whose ids are shorter than those of the tries.
  await call(store, blockRequest('/con/blocks', blockId(1), 'hello'))
  expect((await call(store, listRequest('/con/blocks', [blockId(1)]))).status).toBe(201)
  expect((await call(store, putRequest('/con/there', 'hello', { 'x-ms-tags': 'a=b' }))).status).toBe(201)
})

/** @param {string} permissions */
const sas = permissions => containerSas(store, 'con', { permissions, untilMs: Date.now() + 600_000 })

/** By name, the checks of one side. @param {'source' | 'destination'} side @param {Record<string, string>} env @param {string} [key] */
async function examine(side, env, key = 'there') {
  const checks = {}
  const place = `az://${store.account}/con/${key}`
  const { ok } = await doctor(...(side === 'source' ? [place, undefined] : [undefined, place]), {
    [side]: { endpointUrl: store.endpoint },
    env: { HOME: '/none', PATH: '/none', ...env },
    onCheck: check => Object.assign(checks, { [check.name]: check }),
  })
  expect(JSON.stringify(checks).replaceAll(store.key, 'SECRETSECRET')).not.toMatch(/SECRETSECRET|sig=/)
  const access = checks[side === 'source' ? 'source reading' : 'destination writing']
  return { ok, credentials: checks[`${side} credentials`], access }
}

/** Everything that the container has, blocks too. */
async function contents() {
  const query = { restype: 'container', comp: 'list', include: 'uncommittedblobs,tags,metadata' }
  return (await call(store, { path: '/con', query })).text.replace(/<Date>.*?<\/Date>/g, '')
}

const entra = app => ({ PATH: loggedIn(new URL(store.endpoint).origin, app) })
const ALL = 'the credentials may write blocks, commit them, read, list, write tags, delete'

test.each([
  ['with the key', () => ({ AZURE_STORAGE_KEY: store.key }), /: the key of the account, from AZURE_STORAGE_KEY\.$/],
  ['with a token', () => entra(PRINCIPAL), /: a token of Microsoft Entra ID, by the Azure CLI\.$/],
  [
    'with a SAS',
    () => ({ AZURE_STORAGE_SAS_TOKEN: sas('racwdlt') }),
    /: a SAS, from AZURE_STORAGE_SAS_TOKEN, with sp=racwdlt, until .*Z; functions do not get it/,
  ],
])('of a destination %s it says what they may do, and nothing is left', async (_, env, words) => {
  const before = await contents()
  for (const key of ['there', 'blocks', 'new', 'folder/', '']) {
    const { credentials, access } = await examine('destination', env(), key)
    expect(credentials).toMatchObject({ ok: true, detail: expect.stringMatching(words) })
    expect(access).toMatchObject({ ok: true, detail: expect.stringMatching(/^Nothing was written to az:/) })
    expect(access.detail).toContain(`${ALL}.`)
  }
  expect(await contents()).toBe(before)
})

it('of a destination with fewer rights it says what comes of that', async () => {
  const { access } = await examine('destination', { AZURE_STORAGE_SAS_TOKEN: sas('cw') })
  const lacks =
    'list (no prefix is copied), write tags (tags are not copied), delete (xfer sync --delete deletes nothing).'
  expect(access.ok).toBe(true)
  expect(access.detail).toMatch(/may write blocks, commit them; they may not read \(.*\), list /)
  expect(access.detail.endsWith(lacks)).toBe(true)
})

it('of a destination that may not be written it fails', async () => {
  const { ok, access } = await examine('destination', entra(READER))
  expect(ok).toBe(false)
  expect(access).toMatchObject({ ok: false, hint: expect.stringMatching(/Storage Blob Data Contributor/) })
})

test('of a source it says what else may be read', async () => {
  const { credentials, access } = await examine('source', { AZURE_STORAGE_SAS_TOKEN: sas('r') })
  expect(credentials.hint).toMatch(/^They end in 9 minutes: /)
  const detail = 'has 5 bytes, and one of them was read; they may not list (no prefix is copied), read tags ('
  expect(access.detail).toContain(detail)
})
