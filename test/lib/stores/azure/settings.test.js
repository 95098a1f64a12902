'use strict'

/** Endpoint and credentials of one side, from options, the environment, and the Azure CLI. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { openAzureStore } = require('../../../../lib/stores/azure/store')
const { resolveSide } = require('../../../../lib/stores/azure/settings')
const { makeHome } = require('../../../support/home')
const { azureCli } = require('../../../support/azure-cli')

const KEY = Buffer.from('the key of an account, 32 bytes.').toString('base64')
const OTHER_KEY = Buffer.from('another key of an account, 32 b.').toString('base64')
const NOW = Date.parse('2026-11-23T12:00:00Z')
const SAS = 'sv=2024-11-04&sp=racwdl&se=2026-11-23T13%3A00%3A00Z&sr=c&sig=SECRETSECRETSECRET%3D'
const PLACE = { scheme: 'az', account: 'acc1', container: 'con', key: 'key' }

const resolve = ({ side = 'source', options = {}, env = {}, place = PLACE }) =>
  resolveSide(place, side, options, env, () => NOW)

const key = (value, account) => ({ AZURE_STORAGE_KEY: value, ...(account && { AZURE_STORAGE_ACCOUNT: account }) })
const sas = value => ({ AZURE_STORAGE_SAS_TOKEN: value })
const connected = value => ({ AZURE_STORAGE_CONNECTION_STRING: value })
const connection = (more = {}) => {
  const all = { DefaultEndpointsProtocol: 'https', AccountName: 'acc1', AccountKey: KEY, ...more }
  return connected(Array.from(Object.entries(all), pair => pair.join('=')).join(';'))
}
/** With all that an inspector sees. */
const shown = settings => inspect(settings, { depth: 10 }) + JSON.stringify(settings)

describe('credentials', () => {
  const ofBoth = { ...connection({ AccountKey: OTHER_KEY }), AZURE_STORAGE_ACCOUNT: 'acc2' }
  test.each([
    ['a key', key(KEY)],
    ['a key before a SAS', { ...key(KEY), ...sas(SAS) }],
    ['a connection string before a key', { ...connection(), ...key(OTHER_KEY) }],
    ['a key of the side before all that is of both', { XFER_SOURCE_AZURE_STORAGE_KEY: KEY, ...ofBoth }],
  ])('are %s', async (_, env) => {
    const settings = await resolve({ env })
    const { kind, key } = settings.credentials
    expect([kind, key().toString('base64')]).toEqual(['sharedKey', KEY])
    expect(shown(settings)).not.toContain(KEY)
  })

  test('are a SAS, which no function gets', async () => {
    const settings = await resolve({ env: sas(`?${SAS}`) })
    const { kind, token, expiresMs, words } = settings.credentials
    expect([kind, token(), expiresMs]).toEqual(['sas', SAS, NOW + 3_600_000])
    expect(words).toMatch(/with sp=racwdl, until 2026-11-23T13:00/)
    const { can, close } = openAzureStore({ place: { container: 'container' }, settings })
    close()
    expect(can.secret).toMatchObject({ name: 'SAS', advice: expect.stringMatching(/--engine local/) })
    expect(shown(settings)).not.toContain('SECRETSECRET')
  })

  test('are none without a signature, and else a token of Entra ID, for which nobody is asked yet', async () => {
    const { credentials } = await resolve({ options: { noSignRequest: true }, env: key('odd') })
    expect(credentials).toEqual({ kind: 'anonymous', words: 'only what is public can be read' })
    expect((await resolve({})).credentials.kind).toBe('token')
  })

  const ofAccount2 = `BlobEndpoint=https://acc2.blob.core.windows.net/;SharedAccessSignature=${SAS}`
  test.each([
    ['a SAS without a signature', sas('sv=1&sp=r'), /no signature/],
    ['a SAS that has ended', sas(SAS.replace('13%3A00', '12%3A00')), /expired/, 'CREDENTIALS_EXPIRED'],
    ['a SAS without reading', sas(SAS.replace('racwdl', 'cwl')), /does not allow reading \(sp=cwl\)/],
    ['a key of another account', key(KEY, 'acc2'), /is "acc1", and AZURE_STORAGE_KEY is of the account "acc2"/],
    ['an endpoint of another account', connected(ofAccount2), /is of the account "acc2"/],
  ])('%s is told before any request', async (_, env, message, code = 'BAD_CREDENTIALS') => {
    const error = await resolve({ env }).catch(thrown => thrown)
    expect(error).toMatchObject({ code, exitCode: 4, message: expect.stringMatching(message) })
    expect(error.hint).not.toBe('')
    for (const secret of ['SECRETSECRET', KEY]) expect(JSON.stringify(error)).not.toContain(secret)
  })

  test('of a destination have to write; a SAS with a stored access policy tells nothing of itself', async () => {
    const env = sas(SAS.replace('racwdl', 'rl'))
    await expect(resolve({ env, side: 'destination' })).rejects.toThrow(/does not allow writing \(sp=rl\)/)
    await expect(resolve({ env })).resolves.toMatchObject({ credentials: { kind: 'sas' } })
    const { credentials } = await resolve({ env: sas('sv=1&si=policy&sr=c&sig=x'), side: 'destination' })
    expect(credentials.expiresMs).toBeUndefined()
    expect(credentials.words).toMatch(/with the rights of a stored access policy; /)
  })
})

const OPTION = '--source-endpoint-url'
const VARIABLE = 'XFER_SOURCE_ENDPOINT_URL'
const STRING = 'AZURE_STORAGE_CONNECTION_STRING'
const SERVICE = { AZURE_STORAGE_SERVICE_ENDPOINT: 'https://all.example' }
const [BLOB, CHINA] = ['http://127.0.0.1:1/acc1', 'core.chinacloudapi.cn']
test.each([
  ['that of Azure', undefined, {}, 'https://acc1.blob.core.windows.net', null],
  ['an option', 'http://127.0.0.1:10000', {}, 'http://127.0.0.1:10000/acc1', OPTION],
  ['a host with the account', 'http://acc1.localhost:10000', {}, 'http://acc1.localhost:10000', OPTION],
  ['a variable', undefined, { [VARIABLE]: 'https://a.example/' }, 'https://a.example', VARIABLE],
  ['a BlobEndpoint', undefined, connection({ BlobEndpoint: BLOB }), BLOB, STRING],
  ['a suffix', undefined, connection({ EndpointSuffix: CHINA }), `https://acc1.blob.${CHINA}`, STRING],
  ['a service of all accounts', undefined, SERVICE, 'https://all.example', 'AZURE_STORAGE_SERVICE_ENDPOINT'],
  ['no such service beside a string', undefined, { ...SERVICE, ...connection({ BlobEndpoint: BLOB }) }, BLOB, STRING],
])('the endpoint is %s', async (_, endpointUrl, more, endpoint, endpointFrom) => {
  const settings = await resolve({ options: { endpointUrl }, env: { ...key(KEY), ...more } })
  expect(settings).toMatchObject({ endpoint, endpointFrom })
  // The journal keeps it if it was set, and nothing secret with it.
  expect(settings.keep).toEqual({ endpointUrl: endpointFrom === null ? undefined : endpoint, versionId: undefined })
})

test('the endpoint is as it was where the container has the name of the account', async () => {
  const options = { endpointUrl: 'http://127.0.0.1:10000/acc1' }
  const { endpoint } = await resolve({ place: { ...PLACE, container: 'acc1' }, options, env: key(KEY) })
  expect(endpoint).toBe(options.endpointUrl)
})

test.each(['UseDevelopmentStorage=true', "'UseDevelopmentStorage=true'"])('the endpoint %s is Azurite', async text => {
  const place = { ...PLACE, account: 'devstoreaccount1' }
  const azurite = { endpoint: 'http://127.0.0.1:10000/devstoreaccount1', credentials: { kind: 'sharedKey' } }
  expect(await resolve({ place, env: connected(text) })).toMatchObject(azurite)
  await expect(resolve({ env: connected(text) })).rejects.toThrow(/is of the account "devstoreaccount1"/)
  const proxied = connected('UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://azurite')
  expect((await resolve({ place, env: proxied })).endpoint).toBe('http://azurite:10000/devstoreaccount1')
})

test.each([
  ['https://user:SECRETSECRET@h.example', /carries a user name or password/],
  ['https://acc1.dfs.core.windows.net', /Data Lake/],
  ...['con', 'acc1', 'other'].map(name => [`https://acc1.blob.core.windows.net/${name}`, /take for the container/]),
  ['http://127.0.0.1:10000/acc1/con/', /set by --source-endpoint-url\) names the container "con"/],
  ['http://acc1.localhost:10000/con', /names the container "con"/],
])('the endpoint %s is refused', async (endpointUrl, message) => {
  const error = await resolve({ options: { endpointUrl }, env: key(KEY) }).catch(thrown => thrown)
  expect(error).toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) })
  expect(error.message + error.hint).not.toContain('SECRETSECRET')
})

const dir = makeHome({})

/** The credentials with nothing of this machine. */
const tokens = async (env, options = {}) =>
  (await resolveSide(PLACE, 'source', options, { PATH: join(dir, 'empty'), ...env })).credentials

/** An `az` that prints and ends as the test says. @param {string} script */
const az = script => azureCli(`#!/bin/sh\n${script}\n`, dir)
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

test('the Azure CLI gives the token of who is logged in, of the tenant of this side', async () => {
  const seen = join(dir, 'args')
  const PATH = az(`echo "$@" > ${seen}; echo '{"accessToken":"OF-CLI","expires_on":${inAnHour()},"expiresOn":"x"}'`)
  const { get } = await tokens({ PATH, XFER_SOURCE_AZURE_TENANT_ID: 'tenant-1', XFER_DEST_AZURE_TENANT_ID: 'no' })
  expect((await get()).token).toBe('OF-CLI')
  const asked = 'account get-access-token --output json --resource https://storage.azure.com/ --tenant tenant-1\n'
  expect(readFileSync(seen, 'utf8')).toBe(asked)
})

test('the Azure CLI is asked once, and again when the store refuses the token', async () => {
  const seen = join(dir, 'runs')
  const count = `echo x >> ${seen}; N=$(wc -l < ${seen} | tr -d ' ')`
  const PATH = az(`${count}; echo '{"accessToken":"TOKEN-'$N'","expires_on":${inAnHour()}}'`)
  const { get, renew } = await tokens({ PATH: `${PATH}:/usr/bin:/bin` })
  const first = await get()
  const given = [first.token, (await get()).token]
  // The second time it was refused to another request, which is told of the new one.
  for (const _time of [1, 2]) given.push(await renew(first), (await get()).token)
  expect(given).toEqual(['TOKEN-1', 'TOKEN-1', true, 'TOKEN-2', true, 'TOKEN-2'])
})

const nobody = 'echo "ERROR: Please run \'az login\' to setup account." >&2; exit 1'

test.each([
  ['says that nobody is logged in', nobody, /Please run 'az login' to setup account/],
  ['prints one with a line end', `echo '{"accessToken":"SECRETSECRET\\\\nx","expires_on":${inAnHour()}}'`, /no token/],
])('the Azure CLI that %s is an error', async (_, script, message) => {
  const { get } = await tokens({ PATH: az(script) })
  const error = await get().catch(thrown => thrown)
  expect(error).toMatchObject({ code: 'BAD_CREDENTIALS', message: expect.stringMatching(message) })
  expect(error.hint).toMatch(/az login.*AZURE_STORAGE_KEY/)
  expect(JSON.stringify(error)).not.toContain('SECRETSECRET')
})

test('the Azure CLI that is not there leaves no credentials; a token is not sent where all on the way could read it', async () => {
  const none = { code: 'NO_CREDENTIALS', exitCode: 4, hint: expect.stringMatching(/AZURE_STORAGE_KEY.*az login/) }
  await expect((await tokens({})).get()).rejects.toMatchObject(none)
  const { get } = await tokens({ PATH: az('exit 1') }, { endpointUrl: 'http://store.example' })
  await expect(get()).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(/could read it/) })
})
