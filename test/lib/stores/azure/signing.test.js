'use strict'

/** Signatures: those of Azure's specification and library, and what a store takes a SAS for. */

const { createControl } = require('../../../../lib/stores/azure/control')
const { encodeKey } = require('../../../../lib/stores/common')
const { DELEGATED: VERSION, sasOf, sharedKeyHeader, stringToSign } = require('../../../../lib/stores/azure/sign')
const { resolveSide } = require('../../../../lib/stores/azure/settings')
const { PRINCIPAL, loggedIn } = require('../../../support/azure-cli')
const { startAzureStore } = require('../../../support/opened')
const { send: play } = require('../../../support/stores')

/** Of Azure's own documents, for its emulator. */
const BASE64 = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='
const KEY = Buffer.from(BASE64, 'base64')
const DATE = 'Mon, 23 Nov 2026 10:00:00 GMT'

/** The texts are made by hand as the specification says, the signatures with `openssl dgst -sha256 -mac HMAC`. */
const VECTORS = [
  {
    what: 'a block in path style',
    account: 'devstoreaccount1',
    request: {
      ...{ method: 'PUT', path: '/devstoreaccount1/box/a%20b', query: { comp: 'block', blockid: 'eDAwMQ==' } },
      headers: { 'content-length': '11', 'x-ms-date': DATE, 'x-ms-version': '2021-12-02' },
    },
    text: `PUT\n\n\n11\n\n\n\n\n\n\n\n\nx-ms-date:${DATE}\nx-ms-version:2021-12-02\n/devstoreaccount1/devstoreaccount1/box/a%20b\nblockid:eDAwMQ==\ncomp:block`,
    signature: 'S5zCDsA6skcSQPpdOiZexVEkWQlvoAM3y+jhIcmgvgs=',
  },
  {
    what: 'a range, a condition, and metadata with an underscore before a digit',
    account: 'myaccount',
    request: {
      ...{ method: 'GET', path: '/box/key', query: {} },
      headers: {
        ...{ range: 'bytes=5-9', 'if-match': '"0x8D"', 'x-ms-version': '2021-12-02', 'x-ms-date': DATE },
        ...{ 'x-ms-meta-a1': '2', 'x-ms-meta-a_1': ' one two ', host: 'myaccount.blob.core.windows.net' },
      },
    },
    text: `GET\n\n\n\n\n\n\n\n"0x8D"\n\n\nbytes=5-9\nx-ms-date:${DATE}\nx-ms-meta-a_1:one two\nx-ms-meta-a1:2\nx-ms-version:2021-12-02\n/myaccount/box/key`,
    signature: 'NVP7TAFx2grL3HrODH/Z2y2OnrsiisbVEuq+pWEfVKc=',
  },
]

test.each(VECTORS)('signs $what', ({ account, request, text, signature }) => {
  expect(stringToSign(request, account)).toBe(text)
  expect(sharedKeyHeader(request, { account, key: KEY })).toBe(`SharedKey ${account}:${signature}`)
})

/** Signed by the same request with `@azure/storage-blob` 12.34. */
test('a SAS is signed as the library of Azure signs it', () => {
  const sas = sasOf(
    {
      ...{ container: 'con', key: 'a b/ü', query: { comp: 'block', blockid: 'YWJj' }, permission: 'w' },
      headers: { 'content-length': '11', host: 'h', 'x-ms-date': 'now' },
    },
    {
      ...{ account: 'acc1', nowMs: Date.parse('2026-11-23T12:00:00.500Z'), plain: false },
      by: {
        ...{ SignedOid: 'oid', SignedTid: 'tid', SignedService: 'b', SignedVersion: '2026-04-06' },
        ...{ SignedStart: '2026-11-23T11:45:00Z', SignedExpiry: '2026-11-23T18:00:00Z' },
        Value: Buffer.from('a key').toString('base64'),
      },
    },
  )
  expect(Object.fromEntries(new URLSearchParams(sas))).toEqual({
    ...{ sv: '2026-04-06', sr: 'b', sp: 'w', spr: 'https', srh: 'content-length', srq: 'comp,blockid' },
    ...{ st: '2026-11-23T11:55:00Z', se: '2026-11-23T12:15:00Z', sks: 'b', skv: '2026-04-06' },
    ...{ skoid: 'oid', sktid: 'tid', skt: '2026-11-23T11:45:00Z', ske: '2026-11-23T18:00:00Z' },
    sig: '/Iw8GJyQttxU+NnolWI1Jip1osCPE+9ZuK10twYgR0s=',
  })
})

describe('a user delegation SAS at a store', () => {
  let store
  let signer
  let asked = 0

  beforeAll(async () => {
    store = await startAzureStore({ containers: ['con'], principals: [PRINCIPAL] })
    const settings = await resolveSide(
      { scheme: 'az', account: store.account, container: 'con', key: 'k' },
      'destination',
      { endpointUrl: store.endpoint },
      { PATH: loggedIn(new URL(store.endpoint).origin, PRINCIPAL) },
    )
    store.on('request', ({ operation }) => {
      if (operation === 'GetUserDelegationKey') asked += 1
    })
    signer = createControl({ settings, container: 'con', now: Date.now }).signer
  })

  /** Sends a request with the SAS of another one, perhaps. */
  async function send(method, request, as = request) {
    const sas = await signer.sas({ container: 'con', query: {}, headers: {}, ...as })
    const { key, query = {}, headers = {} } = request
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const url = `${store.endpoint}/con/${encodeKey(key)}?${[...search, sas].join('&')}`
    const body = method === 'GET' ? undefined : Buffer.from('hello')
    return (await play({ method, url, headers: { 'x-ms-version': VERSION, ...headers } }, body)).status
  }
  const block = (name = 'b-01', more = {}) => ({
    key: 'ü/a b+c',
    query: { comp: 'block', blockid: Buffer.from(name).toString('base64') },
    ...{ headers: { 'content-length': '5' }, permission: 'w', ...more },
  })
  const blob = { key: 'ü/a b+c', headers: { 'content-length': '5', 'x-ms-blob-type': 'BlockBlob' }, permission: 'cw' }
  const read = (range = 'bytes=0-1') => ({ key: blob.key, headers: { range }, permission: 'r' })

  it('writes the block, the blob and reads the range that it is for', async () => {
    expect([await send('PUT', block()), await send('PUT', blob), await send('GET', read())]).toEqual([201, 201, 206])
  })

  test.each([
    ['another block', 'PUT', block('b-02'), block()],
    ['the list of blocks', 'PUT', block('b-01', { query: { comp: 'blocklist' } }), block()],
    ['another range', 'GET', read('bytes=2-3'), read()],
  ])('is refused for %s', async (_, method, request, as) => {
    await send('PUT', blob)
    expect(await send(method, request, as)).toBe(403)
  })

  it('is signed with one key for all', () => expect(asked).toBe(1))
})
