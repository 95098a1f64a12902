'use strict'

const {
  blockId,
  blockRequest,
  call,
  iso,
  listRequest,
  plain,
  putRequest,
  sasQuery,
  send,
  signed,
  useStore,
} = require('./support')

const PRINCIPAL = { tenantId: 'tenant', clientId: 'copier', clientSecret: 'secret', objectId: 'object-of-copier' }
const MINUTE_MS = 60_000

const using = useStore({ containers: ['photos'], principals: [PRINCIPAL] })
const PATH = '/photos/a b/ü.txt'
const FAILED = { status: 403, code: 'AuthenticationFailed' }
const MISMATCH = { status: 403, code: 'AuthorizationPermissionMismatch' }

beforeAll(() => call(using.store, putRequest(PATH, 'hello')))

describe('Shared Key', () => {
  const get = { path: PATH, headers: { range: 'bytes=1-2', 'x-ms-client-request-id': 'one' }, query: { timeout: '30' } }

  test('is taken as Azure defines it', async () => {
    expect(await call(using.store, get)).toMatchObject({ status: 206, text: 'el' })
  })

  test.each([
    ['one parameter more', request => ({ ...request, path: `${request.path}&versionid=x` })],
    ['another range', request => ({ ...request, headers: { ...request.headers, range: 'bytes=0-2' } })],
    ['one x-ms- header more', request => ({ ...request, headers: { ...request.headers, 'x-ms-range': 'bytes=0-9' } })],
  ])('signs for nothing with %s', async (_, change) => {
    expect((await send(using.store, change(signed(using.store, get)))).status).toBe(403)
  })

  test('of a block signs its id, its length and its sums', async () => {
    const request = signed(using.store, blockRequest('/photos/blocks', blockId(1), 'one'))
    const other = encodeURIComponent(blockId(2))
    const changes = [
      { path: request.path.replace(encodeURIComponent(blockId(1)), other) },
      { body: 'four', headers: { ...request.headers, 'content-length': '4' } },
      { headers: { ...request.headers, 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' } },
      { path: request.path.replace('comp=block', 'comp=blocklist') },
    ]
    for (const change of changes) expect(await send(using.store, { ...request, ...change })).toMatchObject(FAILED)
    expect(await send(using.store, request)).toMatchObject({ status: 201 })
  })

  test.each([
    [-16, FAILED],
    [14, { status: 206 }],
  ])('dated %i minutes from now', async (minutes, expected) => {
    const date = new Date(Date.now() + minutes * MINUTE_MS)
    expect(await call(using.store, get, { date })).toMatchObject(expected)
  })

  test('of another account, with another key or without a version, is refused', async () => {
    expect(await call(using.store, get, { key: 'AAAA' })).toMatchObject(FAILED)
    expect(await call({ ...using.store, account: 'other' }, get)).toMatchObject(FAILED)
    expect(await call(using.store, get, { version: '' })).toMatchObject({ status: 400, code: 'MissingRequiredHeader' })
  })
})

describe('a SAS', () => {
  const use = (fields, request = { path: PATH }, options = {}) =>
    send(
      using.store,
      plain(using.store, {
        ...request,
        query: { ...request.query, ...sasQuery(using.store, request.path, fields, options) },
      }),
    )
  const list = { path: '/photos', query: { restype: 'container', comp: 'list' } }

  test('allows what its letters say', async () => {
    expect(await use({ sp: 'r' })).toMatchObject({ status: 200, text: 'hello' })
    expect(await use({ sp: 'w' })).toMatchObject(MISMATCH)
    expect(await use({ sp: 'r' }, putRequest(PATH, 'x'))).toMatchObject(MISMATCH)
    expect(await use({ sp: 'w' }, putRequest('/photos/new', 'x'))).toMatchObject({ status: 201 })
    expect(await use({ sp: 'rl', sr: 'c' }, list)).toMatchObject({ status: 200 })
    expect(await use({ sp: 'r', sr: 'c' }, list)).toMatchObject(MISMATCH)
  })

  test.each([
    ['expired', { se: iso(-1000) }, FAILED],
    ['of later', { st: iso(60_000) }, FAILED],
    ['for https', { spr: 'https' }, { status: 403, code: 'AuthorizationProtocolMismatch' }],
  ])('%s', async (_, fields, expected) => {
    expect(await use({ sp: 'r', ...fields })).toMatchObject(expected)
  })
})

describe('a token', () => {
  /** @param {object} principal */
  async function tokenOf({ clientId, clientSecret }, scope = 'https://storage.azure.com/.default') {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope,
    })
    const response = await fetch(`${using.store.authority}/tenant/oauth2/v2.0/token`, { method: 'POST', body })
    return { status: response.status, ...(await response.json()) }
  }
  /** @param {object} principal */
  async function as(principal, request) {
    const { access_token } = await tokenOf(principal)
    const headers = { ...request.headers, authorization: `Bearer ${access_token}` }
    return send(using.store, plain(using.store, { ...request, headers }))
  }
  const keyRequest = (expiry = iso(3_600_000)) => ({
    ...{ method: 'POST', path: '/', query: { restype: 'service', comp: 'userdelegationkey' } },
    body: `<?xml version="1.0"?><KeyInfo><Start>${iso(-60_000)}</Start><Expiry>${expiry}</Expiry></KeyInfo>`,
  })

  /** A key, and what of it a SAS tells. */
  async function delegationOf(principal) {
    const { status, text } = await as(principal, keyRequest())
    expect(status).toBe(200)
    const field = name => new RegExp(`<${name}>(.*?)</${name}>`).exec(text)[1]
    const [skoid, sktid, skt, ske] = ['SignedOid', 'SignedTid', 'SignedStart', 'SignedExpiry'].map(field)
    const delegation = { skoid, sktid, skt, ske, sks: field('SignedService'), skv: field('SignedVersion') }
    return { key: field('Value'), delegation }
  }

  test('signs a SAS that is good for one block', async () => {
    const { key, delegation } = await delegationOf(PRINCIPAL)
    const path = '/photos/bound'
    const request = id => blockRequest(path, id, 'one', { 'content-length': '3' })
    const bound = {
      ...{ sp: 'w', sv: '2026-04-06', srh: 'content-length', srq: 'comp,blockid' },
      ...{ signedHeaders: 'content-length:3\n', signedQuery: `\ncomp:block\nblockid:${blockId(1)}` },
    }
    const query = sasQuery(using.store, path, bound, { key, delegation })
    const use = ({ query: own, ...rest }) =>
      send(using.store, plain(using.store, { ...rest, path, query: { ...own, ...query } }))
    expect(await use(request(blockId(1)))).toMatchObject({ status: 201 })
    expect(await use(request(blockId(2)))).toMatchObject(FAILED)
    expect(await use({ ...request(blockId(1)), body: 'four', headers: {} })).toMatchObject(FAILED)
    expect(await use(listRequest(path, [blockId(1)]))).toMatchObject(FAILED)
    expect(await use(putRequest(path, 'all'))).toMatchObject(FAILED)
    expect(await use({ path })).toMatchObject(FAILED)
  })
})
