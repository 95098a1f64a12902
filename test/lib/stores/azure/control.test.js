'use strict'

/** What the store makes of answers that are none, half, late, or lies; against servers of its own. */

const http = require('node:http')
const { openAzureStore } = require('../../../../lib/stores/azure/store')
const { closing, listen } = require('../../../support/listen')

const KEY = Buffer.alloc(64, 7)
const LIST =
  '<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs><Blob><Name>a</Name><Properties><Etag>0x1</Etag><Content-Length>1</Content-Length></Properties></Blob></Blobs><NextMarker/></EnumerationResults>'

/**
 * @param {http.RequestListener} answer
 * @param {object} [more] settings
 * @param {() => number} [now]
 */
async function storeAt(answer, more = {}, now = Date.now) {
  const { port } = await listen(http.createServer(answer))
  const store = openAzureStore({
    place: { container: 'box' },
    settings: /** @type {any} */ ({
      ...{ side: 'source', account: 'acct', endpoint: `http://127.0.0.1:${port}/acct`, endpointFrom: null, keep: {} },
      ...{ credentials: { kind: 'sharedKey', key: () => KEY }, ...more },
    }),
    now,
  })
  closing(store.close)
  return store
}

/** @param {number} status @param {Record<string, string>} headers @param {string} [body] */
const says =
  (status, headers, body = '') =>
  (_, response) =>
    response.writeHead(status, headers).end(body)
/** A refusal by its code alone. */
const refuses = (status, code, body = '') => says(status, { 'x-ms-error-code': code }, body)
const error = code =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Some words.\nRequestId:1</Message></Error>`

test.each([
  ['a web page', says(200, { 'content-type': 'text/html' }, '<html>'), 'NOT_A_STORE', /a web page/],
  ['a redirect', says(307, { location: 'http://elsewhere/' }), 'NOT_A_STORE', /a redirect/],
  ['half a document', says(200, { 'content-type': 'application/xml' }, LIST.slice(0, 150)), 'BAD_ANSWER', /breaks off/],
  ['a missing container', refuses(404, 'ContainerNotFound'), 'NO_SUCH_BUCKET', /container "box"/],
])('a list answered with %s', async (_, answer, code, message) => {
  const store = await storeAt(answer)
  await expect(store.list({ prefix: 'in/' })).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

test.each([
  ['of its first byte', says(206, { 'content-range': 'bytes 0-0/1234' }, 'x'), 1234],
  ['that it has no byte', refuses(416, 'InvalidRange'), 0],
])('a HEAD without a length is followed by a read, which says the size: %s', async (_, get, bytes) => {
  const store = await storeAt((request, response) => {
    if (request.method === 'GET') get(request, response)
    else response.writeHead(200, { etag: '"0x1"', 'transfer-encoding': 'chunked' }).end()
  })
  expect(await store.head('a')).toMatchObject({ bytes, etag: '"0x1"' })
})

test('a silent server is given up, after a while or with the signal', async () => {
  const silent = await storeAt(() => {}, { silenceMs: 50 })
  await expect(silent.head('a')).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', facts: { reason: 'ETIMEDOUT' } })
  const stop = new AbortController()
  const store = await storeAt(() => stop.abort())
  await expect(store.head('a', { signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

const WHOLE = { etag: '"1"', 'content-length': '0' }
test.each([
  [{ etag: '"1"' }, 'NOT_A_STORE', /without the blob's size/],
  [{ ...WHOLE, 'x-ms-resource-type': 'directory' }, 'STORE_REFUSED', /a folder of the hierarchical namespace/],
  [{ ...WHOLE, 'x-ms-copy-status': 'pending' }, 'STORE_REFUSED', /a copy into it has not ended/],
])('a HEAD answered with %j tells of no object', async (headers, code, message) => {
  const store = await storeAt(says(200, headers))
  await expect(store.head('a')).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

test('a clock that is wrong is learned from the refusal, and the call is made again', async () => {
  const hour = 3_600_000
  const dates = []
  const store = await storeAt(
    (request, response) => {
      const date = Date.parse(String(request.headers['x-ms-date']))
      dates.push(date)
      if (Math.abs(date - Date.now()) > 15 * 60_000) return refuses(403, 'AuthenticationFailed')(request, response)
      says(200, {}, LIST)(request, response)
    },
    {},
    () => Date.now() - hour,
  )
  await expect(store.list({ prefix: '' })).resolves.toMatchObject({ objects: [{ key: 'a', etag: '"0x1"' }] })
  expect(dates).toHaveLength(2)
  expect(Math.abs(store.now() - Date.now())).toBeLessThan(60_000)
})

test('a token that is refused is renewed, once', async () => {
  let token = 'old'
  const credentials = {
    kind: 'token',
    get: async () => ({ token, expiresMs: Number.POSITIVE_INFINITY, way: 'test' }),
    renew: async refused => {
      token = 'new'
      return refused.token === 'old'
    },
  }
  const seen = []
  const store = await storeAt(
    (request, response) => {
      seen.push(request.headers.authorization)
      refuses(401, 'InvalidAuthenticationInfo')(request, response)
    },
    { credentials },
  )
  await expect(store.list({ prefix: '' })).rejects.toMatchObject({ code: 'CREDENTIALS_REFUSED' })
  expect(seen).toEqual(['Bearer old', 'Bearer new'])
})

test('a SAS is appended, and no message repeats it', async () => {
  const token = 'sv=2021-12-02&sp=r&sig=c2VjcmV0c2VjcmV0c2VjcmV0%3D'
  const store = await storeAt(
    (request, response) =>
      says(400, {}, error('InvalidInput').replace('Some words', `What is ${request.url}`))(request, response),
    { credentials: { kind: 'sas', token: () => token, shared: false } },
  )
  const refusal = await store.list({ prefix: 'p' }).catch(failure => failure)
  expect(refusal.code).toBe('STORE_REFUSED')
  expect(JSON.stringify([refusal, refusal.message, refusal.hint])).not.toContain('c2VjcmV0')
})

test('a refusal after the end of a SAS says that it has expired', async () => {
  const credentials = { kind: 'sas', token: () => 'sig=x', shared: true, expiresMs: Date.now() - 1000 }
  const store = await storeAt(refuses(403, 'AuthenticationFailed'), { credentials })
  await expect(store.list({ prefix: '' })).rejects.toMatchObject({
    code: 'CREDENTIALS_EXPIRED',
    hint: expect.stringMatching(/SAS/),
  })
  const { code } = store.explain({ of: 'read', status: 403, storeCode: 'AuthenticationFailed' })
  expect(code).toBe('CREDENTIALS_EXPIRED')
})

test('each of many blobs is deleted by itself, and told of if it was refused', async () => {
  const asked = []
  const store = await storeAt((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const code = { a: undefined, gone: 'BlobNotFound', kept: 'SnapshotsPresent' }[request.url.split('/').at(-1)]
    const status = code === undefined ? 202 : code === 'BlobNotFound' ? 404 : 409
    says(status, code === undefined ? {} : { 'x-ms-error-code': code })(request, response)
  })
  expect(await store.removeAll(['a', 'gone', 'kept'])).toEqual([
    { key: 'kept', code: 'STORE_REFUSED', message: expect.stringMatching(/SnapshotsPresent/) },
  ])
  expect(asked.sort()).toEqual(['a', 'gone', 'kept'].map(key => `DELETE /acct/box/${key}`))
})

test('a destination that repeats a lent URL repeats no secret of it', async () => {
  const lent = 'https://other.example/box/key?sp=r&se=2026-11-23T10%3A00%3A00Z&sig=c2VjcmV0IG9mIGEgc291cmNl'
  const store = await storeAt(({ headers }, response) => {
    const source = String(headers['x-ms-copy-source']).replaceAll('&', '&amp;')
    const body = `<?xml version="1.0"?><Error><Code>CannotVerifyCopySource</Code><Message>No: ${source}</Message></Error>`
    response.writeHead(403, { 'content-type': 'application/xml' }).end(body)
  })
  const from = { etag: '"1"', lend: async () => lent }
  const part = { from, key: 'key', uploadId: '1vQx0Aq7b.24', partNumber: 1 }
  const error = await store.pull.part(part).catch(failure => failure)
  expect(error.code).toBe('COPY_REFUSED')
  const told = JSON.stringify([error.message, error.facts, error.cause.message, error.cause.facts])
  expect(told).toContain('CannotVerifyCopySource')
  expect(told).not.toMatch(/sig=|c2VjcmV0|sp=r|2026-11-23T10/)
})
