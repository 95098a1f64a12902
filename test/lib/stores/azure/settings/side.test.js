'use strict'

const { inspect } = require('node:util')
const { resolveSide, secretOf } = require('../../../../../lib/stores/azure/settings')

const KEY = Buffer.from('the key of an account, 32 bytes.').toString('base64')
const OTHER_KEY = Buffer.from('another key of an account, 32 b.').toString('base64')
const NOW = Date.parse('2026-11-23T12:00:00Z')
const SAS = 'sv=2024-11-04&sp=racwdl&se=2026-11-23T13%3A00%3A00Z&sr=c&sig=SECRETSECRETSECRET%3D'
const PLACE = { scheme: 'az', account: 'acc1', container: 'con', key: 'key' }

const resolve = ({ side = 'source', options = {}, env = {}, place = PLACE }) =>
  resolveSide(place, side, options, env, () => NOW)

/** What the credentials are, with their secret. */
const opened = ({ kind, key, token, ...rest }) => ({
  kind,
  ...(key && { key: key().toString('base64') }),
  ...(token && { token: token() }),
  ...(kind === 'sas' && rest),
})

const connection = (more = {}) =>
  Object.entries({ DefaultEndpointsProtocol: 'https', AccountName: 'acc1', AccountKey: KEY, ...more })
    .filter(([, value]) => value !== undefined)
    .map(pair => pair.join('='))
    .join(';')

describe('credentials', () => {
  test.each([
    ['a key', { AZURE_STORAGE_KEY: KEY }, { kind: 'sharedKey', key: KEY }],
    [
      'a key with its account',
      { AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_ACCOUNT: 'acc1' },
      { kind: 'sharedKey', key: KEY },
    ],
    ['a key before a SAS', { AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_SAS_TOKEN: SAS }, { kind: 'sharedKey', key: KEY }],
    [
      'a connection string before a key',
      { AZURE_STORAGE_CONNECTION_STRING: connection(), AZURE_STORAGE_KEY: OTHER_KEY },
      { kind: 'sharedKey', key: KEY },
    ],
    [
      'a key of the side before a connection string of both',
      { AZURE_STORAGE_CONNECTION_STRING: connection(), XFER_SOURCE_AZURE_STORAGE_KEY: OTHER_KEY },
      { kind: 'sharedKey', key: OTHER_KEY },
    ],
    [
      'not what is of the other side',
      { XFER_DEST_AZURE_STORAGE_KEY: OTHER_KEY, AZURE_STORAGE_KEY: KEY },
      { kind: 'sharedKey', key: KEY },
    ],
    [
      'a key of the side, whatever the account of both',
      { XFER_SOURCE_AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_ACCOUNT: 'acc2' },
      { kind: 'sharedKey', key: KEY },
    ],
    [
      'a connection string with blanks, an empty end and other services',
      {
        AZURE_STORAGE_CONNECTION_STRING: ` accountname = acc1 ; ACCOUNTKEY=${KEY}; QueueEndpoint=https://acc1.queue.core.windows.net;;`,
      },
      { kind: 'sharedKey', key: KEY },
    ],
  ])('are %s', async (_, env, expected) => {
    const { credentials } = await resolve({ env })
    expect(opened(credentials)).toEqual(expected)
  })

  test.each([
    ['as it is', SAS],
    ['with its question mark', `?${SAS}`],
  ])('are a SAS %s, which no function gets', async (_, text) => {
    const env = { AZURE_STORAGE_SAS_TOKEN: text }
    const expected = { kind: 'sas', token: SAS, expiresMs: NOW + 3_600_000, permissions: 'racwdl' }
    const settings = await resolve({ env })
    expect(opened(settings.credentials)).toEqual(expected)
    expect(secretOf(settings)).toMatchObject({ name: 'SAS', advice: expect.stringMatching(/--engine local/) })
  })

  it('are none without a signature', async () => {
    const { credentials } = await resolve({ options: { noSignRequest: true }, env: { AZURE_STORAGE_KEY: 'odd' } })
    expect(credentials).toEqual({ kind: 'anonymous' })
  })

  it('are a token of Entra ID where there is nothing else, and nobody is asked for it yet', async () => {
    expect((await resolve({})).credentials.kind).toBe('token')
  })

  it('show nothing of a secret when they are printed', async () => {
    for (const env of [{ AZURE_STORAGE_KEY: KEY }, { AZURE_STORAGE_SAS_TOKEN: SAS }]) {
      const settings = await resolve({ env })
      const shown = inspect(settings, { depth: 10 }) + JSON.stringify(settings)
      expect(shown).not.toContain(KEY)
      expect(shown).not.toContain('SECRETSECRET')
    }
  })
})

describe('what is wrong with credentials is told before any request', () => {
  test.each([
    [
      'a key that is no base64',
      { AZURE_STORAGE_KEY: 'SECRETSECRET!' },
      'BAD_CREDENTIALS',
      /AZURE_STORAGE_KEY is no account key/,
    ],
    ['a key with a line end', { AZURE_STORAGE_KEY: `${KEY}\n` }, 'BAD_CREDENTIALS', /has a blank or a line end/],
    ['a key that was cut', { AZURE_STORAGE_KEY: KEY.slice(0, -3) }, 'BAD_CREDENTIALS', /is no account key/],
    ['a SAS without a signature', { AZURE_STORAGE_SAS_TOKEN: 'sv=1&sp=r' }, 'BAD_CREDENTIALS', /no signature/],
    [
      'the address of a SAS',
      { AZURE_STORAGE_SAS_TOKEN: `https://acc1.blob.core.windows.net/c?${SAS}` },
      'BAD_CREDENTIALS',
      /is an address/,
    ],
    ['a SAS with a blank', { AZURE_STORAGE_SAS_TOKEN: `${SAS} ` }, 'BAD_CREDENTIALS', /has a blank/],
    [
      'a SAS that has ended',
      { AZURE_STORAGE_SAS_TOKEN: SAS.replace('13%3A00', '12%3A00') },
      'CREDENTIALS_EXPIRED',
      /credentials have expired/,
    ],
    ['a SAS that ended on a day', { AZURE_STORAGE_SAS_TOKEN: 'se=2026-11-22&sig=x' }, 'CREDENTIALS_EXPIRED', /expired/],
    [
      'a SAS that has not begun',
      { AZURE_STORAGE_SAS_TOKEN: `${SAS}&st=2026-11-23T12:30Z` },
      'BAD_CREDENTIALS',
      /begins only at 2026-11-23T12:30:00Z/,
    ],
    [
      'a SAS without reading',
      { AZURE_STORAGE_SAS_TOKEN: SAS.replace('racwdl', 'cwl') },
      'BAD_CREDENTIALS',
      /does not allow reading \(sp=cwl\)/,
    ],
    ['a SAS for queues', { AZURE_STORAGE_SAS_TOKEN: `${SAS}&ss=qt` }, 'BAD_CREDENTIALS', /is not for blobs \(ss=qt\)/],
    [
      'a SAS for containers alone',
      { AZURE_STORAGE_SAS_TOKEN: `${SAS}&ss=b&srt=c` },
      'BAD_CREDENTIALS',
      /is not for objects/,
    ],
    [
      'a connection string without pairs',
      { AZURE_STORAGE_CONNECTION_STRING: KEY.replaceAll('=', '') },
      'BAD_CREDENTIALS',
      /is no connection string/,
    ],
    [
      'a connection string without a key',
      { AZURE_STORAGE_CONNECTION_STRING: connection({ AccountKey: undefined }) },
      'BAD_CREDENTIALS',
      /neither AccountKey/,
    ],
    [
      'a connection string without an account',
      { AZURE_STORAGE_CONNECTION_STRING: `AccountKey=${KEY}` },
      'BAD_CREDENTIALS',
      /neither AccountName/,
    ],
    [
      'a key of another account',
      { AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_ACCOUNT: 'acc2' },
      'BAD_CREDENTIALS',
      /is "acc1", and AZURE_STORAGE_KEY is of the account "acc2" \(AZURE_STORAGE_ACCOUNT\)/,
    ],
    [
      'a connection string of another account',
      { AZURE_STORAGE_CONNECTION_STRING: connection({ AccountName: 'acc2' }) },
      'BAD_CREDENTIALS',
      /"acc1", and AZURE_STORAGE_CONNECTION_STRING is of the account "acc2"/,
    ],
    [
      'an endpoint of another account',
      {
        AZURE_STORAGE_CONNECTION_STRING: `BlobEndpoint=https://acc2.blob.core.windows.net/;SharedAccessSignature=${SAS}`,
      },
      'BAD_CREDENTIALS',
      /is of the account "acc2"/,
    ],
  ])('%s', async (_, env, code, message) => {
    const error = await resolve({ env }).catch(thrown => thrown)
    expect(error).toMatchObject({ code, exitCode: 4, message: expect.stringMatching(message) })
    expect(error.hint).not.toBe('')
    expect(JSON.stringify(error)).not.toMatch(/SECRETSECRET/)
    expect(JSON.stringify(error)).not.toContain(KEY)
  })

  it('the destination needs to write', async () => {
    const env = { AZURE_STORAGE_SAS_TOKEN: SAS.replace('racwdl', 'rl') }
    await expect(resolve({ env, side: 'destination' })).rejects.toThrow(/does not allow writing \(sp=rl\)/)
    await expect(resolve({ env })).resolves.toMatchObject({ credentials: { kind: 'sas' } })
  })

  it('a SAS with a stored access policy tells nothing of itself', async () => {
    const { credentials } = await resolve({ env: { AZURE_STORAGE_SAS_TOKEN: 'sv=1&si=policy&sr=c&sig=x' } })
    expect(opened(credentials)).toMatchObject({ expiresMs: undefined, permissions: undefined })
  })
})

describe('the endpoint', () => {
  const env = { AZURE_STORAGE_KEY: KEY }

  test.each([
    ['that of Azure', {}, {}, 'https://acc1.blob.core.windows.net', null],
    [
      'an option, with the account in the path',
      { endpointUrl: 'http://127.0.0.1:10000' },
      {},
      'http://127.0.0.1:10000/acc1',
      '--source-endpoint-url',
    ],
    [
      'as it was given with a path',
      { endpointUrl: 'http://127.0.0.1:10000/acc1/' },
      {},
      'http://127.0.0.1:10000/acc1',
      '--source-endpoint-url',
    ],
    [
      'the name of a service in a network',
      { endpointUrl: 'http://azurite:10000' },
      {},
      'http://azurite:10000/acc1',
      '--source-endpoint-url',
    ],
    [
      'a host with the account',
      { endpointUrl: 'http://acc1.localhost:10000' },
      {},
      'http://acc1.localhost:10000',
      '--source-endpoint-url',
    ],
    [
      'a domain of its own',
      { endpointUrl: 'https://blobs.example.com' },
      {},
      'https://blobs.example.com',
      '--source-endpoint-url',
    ],
    ['IPv6', { endpointUrl: 'http://[::1]:10000' }, {}, 'http://[::1]:10000/acc1', '--source-endpoint-url'],
    [
      'of the side',
      {},
      { XFER_SOURCE_ENDPOINT_URL: 'https://a.example' },
      'https://a.example',
      'XFER_SOURCE_ENDPOINT_URL',
    ],
    [
      'of the Azure CLI',
      {},
      { AZURE_STORAGE_SERVICE_ENDPOINT: 'https://acc1.z1.blob.storage.azure.net/' },
      'https://acc1.z1.blob.storage.azure.net',
      'AZURE_STORAGE_SERVICE_ENDPOINT',
    ],
    [
      'of a connection string',
      {},
      { AZURE_STORAGE_CONNECTION_STRING: connection({ BlobEndpoint: 'http://127.0.0.1:1/acc1' }) },
      'http://127.0.0.1:1/acc1',
      'AZURE_STORAGE_CONNECTION_STRING',
    ],
    [
      'of its suffix',
      {},
      { AZURE_STORAGE_CONNECTION_STRING: connection({ EndpointSuffix: 'core.chinacloudapi.cn' }) },
      'https://acc1.blob.core.chinacloudapi.cn',
      'AZURE_STORAGE_CONNECTION_STRING',
    ],
    [
      'of its protocol',
      {},
      { AZURE_STORAGE_CONNECTION_STRING: connection({ DefaultEndpointsProtocol: 'http' }) },
      'http://acc1.blob.core.windows.net',
      'AZURE_STORAGE_CONNECTION_STRING',
    ],
  ])('is %s', async (_, options, more, endpoint, endpointFrom) => {
    expect(await resolve({ options, env: { ...env, ...more } })).toMatchObject({ endpoint, endpointFrom })
  })

  it('of the development storage is that of Azurite', async () => {
    const place = { ...PLACE, account: 'devstoreaccount1' }
    const found = await resolve({ place, env: { AZURE_STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true' } })
    const quoted = { AZURE_STORAGE_CONNECTION_STRING: "'UseDevelopmentStorage=true'" }
    expect(await resolve({ place, env: quoted })).toMatchObject({ endpoint: found.endpoint })
    expect(found).toMatchObject({
      endpoint: 'http://127.0.0.1:10000/devstoreaccount1',
      credentials: { kind: 'sharedKey' },
    })
    await expect(resolve({ env: { AZURE_STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true' } })).rejects.toThrow(
      /is of the account "devstoreaccount1"/,
    )
  })

  test.each([
    ['ftp://h', /is not an http or https URL/],
    ['https://user:SECRETSECRET@h.example', /carries a user name or password/],
    ['https://h.example/?sig=SECRETSECRET', /carries a query/],
    ['https://acc1.dfs.core.windows.net', /Data Lake/],
  ])('%s is refused', async (endpointUrl, message) => {
    const error = await resolve({ options: { endpointUrl }, env }).catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) })
    expect(error.message + error.hint).not.toContain('SECRETSECRET')
  })

  it('is kept by the journal if it was set, and nothing secret with it', async () => {
    const kept = await resolve({ options: { endpointUrl: 'http://127.0.0.1:1' }, env })
    expect(kept.keep).toEqual({ endpointUrl: 'http://127.0.0.1:1/acc1', versionId: undefined })
    expect((await resolve({ env })).keep.endpointUrl).toBe(undefined)
  })
})

describe('a version', () => {
  const time = '2026-11-23T09:30:00.1234567Z'
  const env = { AZURE_STORAGE_KEY: KEY }

  it('is named by its time', async () => {
    expect((await resolve({ env, options: { versionId: time } })).versionId).toBe(time)
  })

  it('that is no time is refused', async () => {
    const asked = resolve({ env, options: { versionId: 'null' } })
    await expect(asked).rejects.toThrow(/--version-id "null" cannot be a version/)
  })
})
