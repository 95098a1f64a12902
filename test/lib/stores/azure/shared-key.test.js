'use strict'

const { sharedKeyHeader, stringToSign } = require('../../../../lib/stores/azure/signing')

/** Of Azure's own documents, for its emulator. */
const KEY = Buffer.from(
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'base64',
)
const DATE = 'Mon, 23 Nov 2026 10:00:00 GMT'

/** The texts are made by hand as the specification says, the signatures with `openssl dgst -sha256 -mac HMAC`. */
const VECTORS = [
  {
    what: "the specification's example",
    account: 'myaccount',
    request: {
      method: 'GET',
      path: '/mycontainer',
      query: { restype: 'container', comp: 'metadata', timeout: '20' },
      headers: { 'x-ms-version': '2015-02-21', 'x-ms-date': 'Fri, 26 Jun 2015 23:39:12 GMT' },
    },
    text: 'GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20',
    signature: '1u9lui2jDxj0+fpbHjQ5m5NnastJRSYM+PSmfi8TXx4=',
  },
  {
    what: 'a block in path style',
    account: 'devstoreaccount1',
    request: {
      method: 'PUT',
      path: '/devstoreaccount1/box/a%20b',
      query: { comp: 'block', blockid: 'eDAwMQ==' },
      headers: { 'content-length': '11', 'x-ms-date': DATE, 'x-ms-version': '2021-12-02' },
    },
    text: `PUT\n\n\n11\n\n\n\n\n\n\n\n\nx-ms-date:${DATE}\nx-ms-version:2021-12-02\n/devstoreaccount1/devstoreaccount1/box/a%20b\nblockid:eDAwMQ==\ncomp:block`,
    signature: 'S5zCDsA6skcSQPpdOiZexVEkWQlvoAM3y+jhIcmgvgs=',
  },
  {
    what: 'a range, a condition, and metadata with an underscore before a digit',
    account: 'myaccount',
    request: {
      method: 'GET',
      path: '/box/key',
      query: {},
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

test('a length of zero is an empty line', () => {
  const request = { method: 'DELETE', path: '/box/key', query: {}, headers: { 'content-length': '0' } }
  expect(stringToSign(request, 'myaccount')).toBe(`DELETE${'\n'.repeat(12)}/myaccount/box/key`)
})
