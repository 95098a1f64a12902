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

test('uploads take no conditions, no checksums at their completion, and no copied parts', async () => {
  const begin = await send('POST', 'parts', { query: { uploads: '' } })
  const uploadId = /<UploadId>(.*)<\/UploadId>/.exec(begin.text)[1]
  const refused = { status: 400, code: 'NotImplemented' }
  const conditional = { query: { uploads: '' }, headers: { 'if-none-match': '*' } }
  expect(await send('POST', 'parts', conditional)).toMatchObject(refused)
  await put('source')
  const copied = { 'x-amz-copy-source': 'bucket/source' }
  const part = { partNumber: '1', uploadId }
  expect(await send('PUT', 'parts', { query: part, headers: copied })).toMatchObject(refused)
  const { headers } = await put('parts', { query: part })
  expect(headers['x-goog-hash']).toBe('crc32c=mnG7TA==, md5=XUFAKrxLKna5cZ2REBfFkg==')
  const body = Buffer.from(
    `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${headers.etag}</ETag></Part></CompleteMultipartUpload>`,
  )
  const complete = (/** @type {Record<string, string>} */ more) =>
    send('POST', 'parts', { query: { uploadId }, headers: more, body })
  expect(await complete({ 'x-amz-checksum-crc32': 'y/Q5Jg==' })).toMatchObject({ status: 412 })
  await put('parts')
  const done = await complete({ 'if-none-match': '*' })
  expect(done).toMatchObject({ status: 200, headers: { 'x-goog-hash': 'crc32c=mnG7TA==' } })
})
