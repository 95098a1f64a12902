'use strict'

const { createServer } = require('node:http')
const { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { resolveSide } = require('../../../../../lib/stores/azure/settings')

const PLACE = { scheme: 'az', account: 'acc1', container: 'con', key: 'key' }
const APP = { AZURE_TENANT_ID: 'tenant-1', AZURE_CLIENT_ID: 'client-1' }
const SECRET = 'SECRET-of-the-client-1234567890'

/** What the login and the metadata service answer, in their order; the last answer stays. */
let answers = []
let asked = []
let server
let origin
let dir

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'xfer-entra-'))
  server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    asked.push({ method: request.method, url: request.url, headers: request.headers, body: new URLSearchParams(body) })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer === 'cut') return request.socket.destroy()
    const { status = 200, body: text } = answer
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof text === 'string' ? text : JSON.stringify(text))
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${server.address().port}`
})
beforeEach(() => {
  answers = [{ body: { access_token: 'TOKEN-1', expires_in: 3600, token_type: 'Bearer' } }]
  asked = []
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(dir, { recursive: true, force: true })
})

/** The credentials with nothing of this machine: no az, and a metadata service that is nobody. */
async function tokens(env, options = {}) {
  const world = { PATH: join(dir, 'empty'), AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:9', ...env }
  const { credentials } = await resolveSide(PLACE, 'source', options, world)
  return credentials
}

/** An `az` that prints and ends as the test says. @param {string} script */
function azCli(script) {
  const folder = mkdtempSync(join(dir, 'bin-'))
  writeFileSync(join(folder, 'az'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'az'), 0o755)
  return folder
}

const failure = async promise => await promise.then(() => undefined).catch(error => error)

describe('an application', () => {
  const env = () => ({ ...APP, AZURE_CLIENT_SECRET: SECRET, AZURE_AUTHORITY_HOST: origin })

  it('gets a token for storage with its secret', async () => {
    const { get, way } = await tokens(env())
    const { token, expiresMs } = await get()
    expect({ token, way: way() }).toEqual({ token: 'TOKEN-1', way: 'AZURE_CLIENT_SECRET' })
    expect(Math.abs(expiresMs - Date.now() - 3_600_000)).toBeLessThan(60_000)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/tenant-1/oauth2/v2.0/token' })
    expect(Object.fromEntries(asked[0].body)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client-1',
      client_secret: SECRET,
      scope: 'https://storage.azure.com/.default',
    })
  })

  it('keeps its token, and gets another one when the store refuses it', async () => {
    const { get, renew } = await tokens(env())
    const [{ token }] = [await get(), await get()]
    expect(asked).toHaveLength(1)
    answers = [{ body: { access_token: 'TOKEN-2', expires_in: '3600' } }]
    expect(await renew(token)).toBe(true)
    expect((await get()).token).toBe('TOKEN-2')
    // That one was refused to another request, which is told of the new one.
    expect(await renew(token)).toBe(true)
    expect(asked).toHaveLength(2)
  })

  it('of one side is not that of the other', async () => {
    const { get } = await tokens({
      ...env(),
      XFER_SOURCE_AZURE_CLIENT_ID: 'of-the-source',
      XFER_DEST_AZURE_CLIENT_ID: 'no',
    })
    await get()
    expect(asked[0].body.get('client_id')).toBe('of-the-source')
  })

  it('gets a token with the one that a file has, read anew each time', async () => {
    const path = join(dir, 'federated')
    writeFileSync(path, 'ASSERTION-1\n')
    const { get, renew } = await tokens({ ...APP, AZURE_AUTHORITY_HOST: origin, AZURE_FEDERATED_TOKEN_FILE: path })
    const { token } = await get()
    writeFileSync(path, 'ASSERTION-2')
    answers = [{ body: { access_token: 'TOKEN-2', expires_in: 3600 } }]
    await renew(token)
    expect(asked.map(({ body }) => body.get('client_assertion'))).toEqual(['ASSERTION-1', 'ASSERTION-2'])
    expect(asked[0].body.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
  })

  it('is asked for again when the login is busy or the connection is cut', async () => {
    answers = [{ status: 503, body: 'busy' }, 'cut', { status: 429, body: {} }, ...answers]
    const { get } = await tokens(env())
    expect((await get()).token).toBe('TOKEN-1')
    expect(asked).toHaveLength(4)
  })

  test.each([
    [
      'its own words',
      [
        {
          status: 401,
          body: {
            error: 'invalid_client',
            error_description: `AADSTS7000215: Invalid secret ${SECRET}.\r\nTrace ID: 1`,
          },
        },
      ],
      'ENTRA_FAILED',
      /by AZURE_CLIENT_SECRET: AADSTS7000215: Invalid secret …\.$/,
    ],
    ['a page', [{ status: 404, body: '<html>' }], 'ENTRA_FAILED', /HTTP 404/],
    ['nonsense', [{ body: 'nonsense' }], 'ENTRA_FAILED', /no token/],
    ['a token without its life', [{ body: { access_token: 'x' } }], 'ENTRA_FAILED', /no token/],
    [
      'a token with a line end',
      [{ body: { access_token: 'x\r\ny: z', expires_in: 3600 } }],
      'ENTRA_FAILED',
      /no token/,
    ],
    ['half an answer', [{ body: '{"access_token":"x","expires' }], 'ENTRA_FAILED', /no token/],
    ['nothing', ['cut'], 'ENTRA_UNREACHABLE', /did not give one now/],
  ])('is refused with %s', async (_, given, code, message) => {
    answers = given
    const { get } = await tokens(env())
    const error = await failure(get())
    expect(error).toMatchObject({ code, exitCode: 4, message: expect.stringMatching(message) })
    expect(JSON.stringify(error)).not.toContain(SECRET)
  })

  test.each([
    ['no tenant', { AZURE_CLIENT_ID: 'c', AZURE_CLIENT_SECRET: SECRET }, /AZURE_TENANT_ID is not set/],
    [
      'a tenant that is an address',
      { ...APP, AZURE_TENANT_ID: '../x', AZURE_CLIENT_SECRET: SECRET },
      /AZURE_TENANT_ID is no id/,
    ],
    ['a file that is not there', { ...APP, AZURE_FEDERATED_TOKEN_FILE: '/none' }, /\/none cannot be read \(ENOENT\)/],
    ['a certificate', { ...APP, AZURE_CLIENT_CERTIFICATE_PATH: '/cert.pem' }, /does not log in with certificates/],
    [
      'a login where all on the way could read the secret',
      { ...APP, AZURE_CLIENT_SECRET: SECRET, AZURE_AUTHORITY_HOST: 'http://login.example' },
      /AZURE_AUTHORITY_HOST is no address of https/,
    ],
  ])('is not asked for with %s', async (_, given, message) => {
    const { get } = await tokens({ AZURE_AUTHORITY_HOST: origin, ...given })
    expect(await failure(get())).toMatchObject({ code: 'ENTRA_FAILED', message: expect.stringMatching(message) })
    expect(asked).toEqual([])
  })
})

describe('a managed identity', () => {
  it('of a virtual machine gets a token', async () => {
    const { get, way } = await tokens({ AZURE_POD_IDENTITY_AUTHORITY_HOST: origin, AZURE_CLIENT_ID: 'chosen' })
    expect((await get()).token).toBe('TOKEN-1')
    expect(way()).toBe('the managed identity')
    const { url, headers } = asked[0]
    expect(headers.metadata).toBe('true')
    expect(url).toBe(
      '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fstorage.azure.com%2F&client_id=chosen',
    )
  })

  it('of a container app gets a token', async () => {
    const { get } = await tokens({ IDENTITY_ENDPOINT: `${origin}/msi`, IDENTITY_HEADER: 'SECRET-HEADER' })
    expect((await get()).token).toBe('TOKEN-1')
    expect(asked[0].headers['x-identity-header']).toBe('SECRET-HEADER')
    expect(asked[0].url).toMatch(/^\/msi\?api-version=2019-08-01&resource=/)
  })

  it('that there is not leaves it to the Azure CLI', async () => {
    answers = [{ status: 400, body: { error: 'invalid_request', error_description: 'Identity not found' } }]
    const PATH = azCli(`echo '{"accessToken":"OF-CLI","expires_on":${Math.floor(Date.now() / 1000) + 3600}}'`)
    const { get, way } = await tokens({ PATH, AZURE_POD_IDENTITY_AUTHORITY_HOST: origin })
    expect((await get()).token).toBe('OF-CLI')
    expect(way()).toBe('the Azure CLI')
  })
})

describe('the Azure CLI', () => {
  const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

  it('gives the token of who is logged in', async () => {
    mkdirSync(join(dir, 'out'), { recursive: true })
    const seen = join(dir, 'out', 'args')
    const PATH = azCli(
      `echo "$@" > ${seen}; echo '{"accessToken":"OF-CLI","expires_on":${inAnHour()},"expiresOn":"x"}'`,
    )
    const { get } = await tokens({ PATH, AZURE_TENANT_ID: 'tenant-1' })
    const { token, expiresMs } = await get()
    expect(token).toBe('OF-CLI')
    expect(expiresMs).toBeGreaterThan(Date.now() + 3_500_000)
    expect(require('node:fs').readFileSync(seen, 'utf8')).toBe(
      'account get-access-token --output json --resource https://storage.azure.com/ --tenant tenant-1\n',
    )
  })

  test.each([
    [
      'says that nobody is logged in',
      'echo "ERROR: Please run \'az login\' to setup account." >&2; exit 1',
      /Please run 'az login' to setup account/,
    ],
    ['fails without a word', 'exit 3', /without a word/],
    ['prints something else', 'echo hello', /no token/],
    ['prints an old token', 'echo \'{"accessToken":"x","expires_on":1}\'', /no token/],
    ['prints half of it', 'printf \'{"accessToken":"SECRETSECRET\'', /no token/],
  ])('that %s is an error', async (_, script, message) => {
    const { get } = await tokens({ PATH: azCli(script) })
    const error = await failure(get())
    expect(error).toMatchObject({ code: 'ENTRA_FAILED', message: expect.stringMatching(message) })
    expect(error.hint).toMatch(/az login|AZURE_STORAGE_KEY/)
    expect(JSON.stringify(error)).not.toContain('SECRETSECRET')
  })
})

it('without any way to log in there are no credentials', async () => {
  const { get } = await tokens({})
  const error = await failure(get())
  expect(error).toMatchObject({ code: 'NO_CREDENTIALS', exitCode: 4 })
  expect(error.hint).toMatch(/AZURE_STORAGE_KEY.*az login/)
})

it('a token is not sent where all on the way could read it', async () => {
  const env = { ...APP, AZURE_CLIENT_SECRET: SECRET, AZURE_AUTHORITY_HOST: origin }
  const { get } = await tokens(env, { endpointUrl: 'http://store.example' })
  expect(await failure(get())).toMatchObject({ code: 'USAGE', message: expect.stringMatching(/could read it/) })
  expect(asked).toEqual([])
})
