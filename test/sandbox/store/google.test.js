'use strict'

/** The mode `google`: what Google refuses, as its documentation says or others have measured (docs/design/google.md). */

const { startStore } = require('../../support/opened')
const { call } = require('./support')

const BODY = Buffer.from('hello')

let server
beforeAll(async () => {
  server = await startStore({ mode: 'google', buckets: ['bucket'] })
})

/** Signed as Amazon's requests are, by Amazon's signer. */
const send = (method, key, { query = {}, headers = {}, body = undefined } = {}) =>
  call(server, { method, path: `/bucket/${key}`, query, headers, body })

const put = (key, more) => send('PUT', key, { body: BODY, ...more })

test.each([
  ['headers of both kinds', { headers: { 'x-goog-if-generation-match': '0' } }, 400, 'ExcessHeaderValues'],
  ['the query x-id', { query: { 'x-id': 'PutObject' } }, 403, 'SignatureDoesNotMatch'],
  ['Accept-Encoding, signed', { headers: { 'accept-encoding': 'identity' } }, 403, 'SignatureDoesNotMatch'],
  ['tags', { headers: { 'x-amz-tagging': 'a=1' } }, 400, 'NotImplemented'],
])('a PUT with %s is refused', async (_, how, status, code) => {
  expect(await put('refused', how)).toMatchObject({ status, code })
})
