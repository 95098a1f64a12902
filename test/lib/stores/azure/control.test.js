'use strict'

/** What the store makes of answers that are none, half, late, or lies; against servers of its own. */

const http = require('node:http')
const { openAzureStore } = require('../../../../lib/stores/azure/store')
const { closing, listen } = require('../../../support/listen')

const KEY = Buffer.alloc(64, 7)
const BLOB = '<Blob><Name>a</Name><Properties><Etag>0x1</Etag><Content-Length>1</Content-Length></Properties></Blob>'
const LIST = `<?xml version="1.0"?><EnumerationResults><Blobs>${BLOB}</Blobs><NextMarker/></EnumerationResults>`

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
  (status, headers = {}, body = '') =>
  (_, response) =>
    response.writeHead(status, headers).end(body)
/** A refusal by its code alone. */
const refuses = (status, code) => says(status, { 'x-ms-error-code': code })
/** A refusal by its document. */
const document = (code, words) =>
  says(403, {}, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${words}\nRequestId:1</Message></Error>`)

test.each([
  ['a web page', says(200, { 'content-type': 'text/html' }, '<html>'), 'NOT_A_STORE', /a web page/],
  ['a redirect', says(307, { location: 'http://elsewhere/' }), 'NOT_A_STORE', /a redirect/],
  ['half a document', says(200, { 'content-type': 'application/xml' }, LIST.slice(0, 150)), 'BAD_ANSWER', /breaks off/],
  ['a missing container', refuses(404, 'ContainerNotFound'), 'NO_SUCH_BUCKET', /container "box"/],
])('a list answered with %s', async (_, answer, code, message) => {
  const store = await storeAt(answer)
  await expect(store.list({ prefix: 'in/' })).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

test('a HEAD without a length is followed by a read of the first byte, which says the size', async () => {
  const chunked = says(200, { etag: '"0x1"', 'transfer-encoding': 'chunked' })
  const first = says(206, { 'content-range': 'bytes 0-0/1234' }, 'x')
  const store = await storeAt((request, ...rest) => (request.method === 'GET' ? first : chunked)(request, ...rest))
  expect(await store.head('a')).toMatchObject({ bytes: 1234, etag: '"0x1"' })
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
  const answer = (request, response) => {
    const date = Date.parse(String(request.headers['x-ms-date']))
    dates.push(date)
    const isWrong = Math.abs(date - Date.now()) > 15 * 60_000
    return (isWrong ? refuses(403, 'AuthenticationFailed') : says(200, {}, LIST))(request, response)
  }
  const store = await storeAt(answer, {}, () => Date.now() - hour)
  await expect(store.list({ prefix: '' })).resolves.toMatchObject({ objects: [{ key: 'a', etag: '"0x1"' }] })
  expect(dates).toHaveLength(2)
  expect(Math.abs(store.now() - Date.now())).toBeLessThan(60_000)
})

const DETAIL =
  '<AuthenticationErrorDetail>Lifetime validation failed. The token is expired.</AuthenticationErrorDetail>'
const expired = says(401, {}, `<Error><Code>InvalidAuthenticationInfo</Code><Message>No.</Message>${DETAIL}</Error>`)
test.each([
  ['CREDENTIALS_REFUSED', refuses(401, 'InvalidAuthenticationInfo')],
  ['CREDENTIALS_EXPIRED', expired],
])('a token that is refused is renewed, once: %s', async (code, refused) => {
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
  const answer = (request, response) => seen.push(request.headers.authorization) && refused(request, response)
  await expect((await storeAt(answer, { credentials })).list({ prefix: '' })).rejects.toMatchObject({ code })
  expect(seen).toEqual(['Bearer old', 'Bearer new'])
})

test('a SAS is appended, and no message repeats it', async () => {
  const token = 'sv=2021-12-02&sp=r&sig=c2VjcmV0c2VjcmV0c2VjcmV0%3D'
  const answer = (request, response) => document('InvalidInput', `What is ${request.url}`)(request, response)
  const store = await storeAt(answer, { credentials: { kind: 'sas', token: () => token, shared: false } })
  const refusal = await store.list({ prefix: 'p' }).catch(failure => failure)
  expect(refusal).toMatchObject({ code: 'ACCESS_DENIED', facts: { storeCode: 'InvalidInput' } })
  expect(JSON.stringify([refusal, refusal.message, refusal.hint])).not.toContain('c2VjcmV0')
})

test('a refusal after the end of a SAS says that it has expired', async () => {
  const credentials = { kind: 'sas', token: () => 'sig=x', shared: true, expiresMs: Date.now() - 1000 }
  const store = await storeAt(refuses(403, 'AuthenticationFailed'), { credentials })
  const expired = { code: 'CREDENTIALS_EXPIRED', hint: expect.stringMatching(/SAS/) }
  await expect(store.list({ prefix: '' })).rejects.toMatchObject(expired)
  expect(store.explain({ of: 'read', status: 403, storeCode: 'AuthenticationFailed' })).toMatchObject(expired)
})

test('each of many blobs is deleted by itself, and told of if it was refused', async () => {
  const asked = []
  const store = await storeAt((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const answers = { a: says(202), gone: refuses(404, 'BlobNotFound'), kept: refuses(409, 'SnapshotsPresent') }
    answers[request.url.split('/').at(-1)](request, response)
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
    document('CannotVerifyCopySource', `No: ${source}`)(undefined, response)
  })
  const part = { from: { etag: '"1"', lend: async () => lent }, key: 'key', uploadId: '1vQx0Aq7b.24', partNumber: 1 }
  const error = await store.pull.part(part).catch(failure => failure)
  expect(error.code).toBe('COPY_REFUSED')
  const told = JSON.stringify([error.message, error.facts, error.cause.message, error.cause.facts])
  expect(told).toContain('CannotVerifyCopySource')
  expect(told).not.toMatch(/sig=|c2VjcmV0|sp=r|2026-11-23T10/)
})

/** What is asked, in order, and answered. */
const PREVIOUS = ['DELETE ?versionid=v', 'HEAD ?versionid=v', 'DELETE  "0x1"', 'DELETE ?versionid=v']
const FIRST = [refuses(409, 'OperationNotAllowedOnRootBlob'), says(200, { etag: '"0x1"', 'content-length': '5' })]
const gone = refuses(404, 'BlobNotFound')

const written = refuses(412, 'ConditionNotMet')
test.each([
  ['of a version that is the blob itself first makes it a previous one', [...FIRST, says(202), says(202)]],
  ['goes on where somebody else has written the blob', [...FIRST, written, says(202)]],
  ['goes on where somebody else has deleted it', [...FIRST, gone, says(202)]],
  ['ends where that is refused', [...FIRST, refuses(403, 'AuthorizationFailure')], 'ACCESS_DENIED'],
  ['of another version is one request', [says(202)]],
  ['that is refused for another reason is one too', [refuses(409, 'SnapshotsPresent')], 'STORE_REFUSED'],
  ['of what is gone is done', [gone]],
  ['of what was there, and is gone, fails', [gone], 'NO_SUCH_KEY', { etag: '"0x1"' }],
])('a deletion %s', async (_, answers, ...[code, more]) => {
  const found = []
  const store = await storeAt((request, response) => {
    const { method, url, headers } = request
    found.push(`${method} ${url.slice('/acct/box/a'.length)}${headers['if-match'] ? ` ${headers['if-match']}` : ''}`)
    const answer = answers[found.length - 1] ?? says(500)
    answer(request, response)
  })
  const failure = await store.remove({ key: 'a', versionId: 'v', ...more }).catch(error => error)
  expect(failure?.code).toBe(code)
  if (!more) expect(found).toEqual(PREVIOUS.slice(0, answers.length))
})

const blob = (name, properties = '<Content-Length>1</Content-Length>') =>
  `<Blob>${name && `<Name>${name}</Name>`}<Properties>${properties}</Properties></Blob>`
const page = (blobs, more = '') =>
  says(200, {}, `<EnumerationResults>${more}<Blobs>${blobs}</Blobs></EnumerationResults>`)
const listOf = async (answer, asked) => (await storeAt(answer)).list({ prefix: 'in/', ...asked })

test.each([
  ['for another prefix', page('', '<Prefix>out/</Prefix>'), /with one for "out\/"/],
  ['that continues where it began', page('', '<NextMarker>m</NextMarker>'), /where it began/],
  ['of a blob without its name', page(blob('')), /without its name/],
  ['of a blob without its size', page(blob('in/a', '')), /without its size/],
])('a list %s is none', async (_, answer, message) => {
  const failure = { code: 'BAD_ANSWER', message: expect.stringMatching(message) }
  await expect(listOf(answer, { marker: 'm' })).rejects.toMatchObject(failure)
})

test('a list has no folders of a hierarchical namespace, which stand without marks, and not where it begins', async () => {
  const size = '<Content-Length>1</Content-Length><Etag>0x1</Etag><AccessTier>Cool</AccessTier>'
  const blobs = [
    blob('in/', '<ResourceType>directory</ResourceType>'),
    ...[blob('in/a'), blob('in/b', size), blob('in/c', `${size}<AccessTierInferred>true</AccessTierInferred>`)],
  ]
  const store = await storeAt(page(blobs.join(''), '<NextMarker>m</NextMarker>'))
  expect(store.can.marksFolders).toBe(true)
  const { objects, next } = await store.list({ prefix: 'in/', after: 'in/a' })
  const told = objects.map(({ key, bytes, etag, storageClass }) => `${key} ${bytes} ${etag} ${storageClass}`)
  expect([...told, next]).toEqual(['in/b 1 "0x1" Cool', 'in/c 1 "0x1" undefined', 'm'])
  expect(store.can.marksFolders).toBe(false)
})

test('a list begins at the beginning at a service that cannot begin elsewhere, which is asked once', async () => {
  const asked = []
  const store = await storeAt((request, response) => {
    const isFirst = asked.push(new URL(request.url, 'http://a').searchParams.get('startFrom')) === 1
    const answer = isFirst ? refuses(400, 'InvalidHeaderValue') : page(blob('in/a'))
    answer(request, response)
  })
  for (const after of ['in/0', 'in/1']) expect((await store.list({ prefix: 'in/', after })).objects).toHaveLength(1)
  expect(asked).toEqual(['in/0', null, null])
})

test.each([
  ['is there already', ['ContainerAlreadyExists'], 'DESTINATION_EXISTS'],
  ['was made by an attempt whose answer was lost', ['InternalError', 'ContainerAlreadyExists'], undefined],
  ['is being deleted', ['ContainerBeingDeleted'], 'STORE_REFUSED'],
  ['may not be made', ['AuthorizationFailure'], 'ACCESS_DENIED'],
])('a container that is to be made, and %s', async (_, codes, code) => {
  const status = { InternalError: 500, AuthorizationFailure: 403 }
  const answers = codes.map(storeCode => refuses(status[storeCode] ?? 409, storeCode))
  const store = await storeAt((...exchange) => answers.shift()?.(...exchange))
  let outcome
  for (const _code of codes) outcome = await store.makeContainer({}).catch(failure => failure.code)
  expect(outcome).toBe(code)
  await expect(store.makeContainer({ region: 'r' })).rejects.toMatchObject({ code: 'USAGE' })
})
