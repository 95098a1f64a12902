'use strict'

/**
 * Of the store contract: what leaks from a function is good for its one range or part and nothing else. Each case plays a
 * request with something of another one in it, and must be refused for its signature. S3 adds what is its own: each header, each
 * part of the scope and each form of the payload is signed.
 */

const { NO_METADATA } = require('./store-abilities')
const { bytesOf, play, put } = require('../support/stores')

/** Whoever asks is refused, and not what is asked for. */
const REFUSED = /^(CREDENTIALS_REFUSED|ACCESS_DENIED|SIGNATURE_TOO_OLD)$/

const BODY = bytesOf(10)

/** @typedef {import('../../lib/types').DataRequest} DataRequest */

/** @param {DataRequest} request @param {Record<string, string | undefined>} changes undefined removes @returns {DataRequest} */
function withHeaders(request, changes) {
  const headers = Object.entries({ ...request.headers, ...changes }).filter(([, value]) => value !== undefined)
  return { ...request, headers: /** @type {Record<string, string>} */ (Object.fromEntries(headers)) }
}

function leakContract({ bucket, open, traits }) {
  /** @param {Awaited<ReturnType<typeof play>>} answer */
  function expectRefused({ accepted, error }) {
    const codes = traits().late ? [REFUSED, /^STORE_REFUSED$/] : [REFUSED]
    expect({ accepted, code: error?.code }).toEqual({ accepted: false, code: expect.any(String) })
    expect(codes.some(code => code.test(error?.code))).toBe(true)
  }

  /** Signed requests, by what they are for. @returns {Promise<any>} */
  async function signed() {
    const [store, other] = [await bucket('leaks'), await bucket('other')]
    const etag = await put(store, 'object', bytesOf(1000))
    await put(store, 'secret', bytesOf(1000, 'secret'))
    const create = { key: 'object', attributes: { metadata: NO_METADATA }, checksum: false }
    const upload = await store.upload.create(create)
    const another = await store.upload.create(create)
    const read = { key: 'object', etag, range: { start: 10, end: 19 } }
    const part = { key: 'object', uploadId: upload.id, partNumber: 2, bytes: 10, checksum: false }
    const whole = { key: 'object', bytes: 10, attributes: create.attributes, checksum: false }
    const requests = {
      store,
      read: (await store.read(read)).request,
      readSecret: (await store.read({ ...read, key: 'secret' })).request,
      readOther: (await other.read(read)).request,
      part: (await store.upload.part(part)).request,
      anotherPart: (await store.upload.part({ ...part, partNumber: 3 })).request,
      anotherUpload: (await store.upload.part({ ...part, uploadId: another.id })).request,
      put: (await store.put(whole)).request,
      putSecret: (await store.put({ ...whole, key: 'secret' })).request,
    }
    await store.upload.abort?.({ key: 'object', uploadId: another.id })
    return requests
  }

  it('leaked requests are good for what they were signed for', async () => {
    const { store, read, part, put } = await signed()
    const answer = await play(store, 'read', read)
    expect(answer.body.equals(bytesOf(1000).subarray(10, 20))).toBe(true)
    expect(await play(store, 'part', part, BODY)).toMatchObject({ accepted: true })
    expect(await play(store, 'put', put, BODY)).toMatchObject({ accepted: true })
  })

  it.each([
    ['of another key', ({ read, readSecret }) => ({ ...read, url: readSecret.url })],
    ['of another bucket', ({ read, readOther }) => ({ ...read, url: readOther.url })],
    ['of another range', ({ read }) => withHeaders(read, { range: 'bytes=0-99' })],
    ['turned into a write', ({ read }) => ({ ...read, method: 'PUT' })],
    ['turned into a removal', ({ read }) => ({ ...read, method: 'DELETE' })],
  ])('a leaked read is refused %s', async (_, change) => {
    const requests = await signed()
    expectRefused(await play(requests.store, 'read', change(requests)))
  })

  it.each([
    ['as another part', 'part', ({ part, anotherPart }) => ({ ...part, url: anotherPart.url })],
    ['of another upload', 'part', ({ part, anotherUpload }) => ({ ...part, url: anotherUpload.url })],
    ['as a whole object', 'part', ({ part, put }) => ({ ...part, url: put.url })],
    ['turned into a completion', 'part', ({ part }) => ({ ...part, method: 'POST' })],
    ['of another key', 'put', ({ put, putSecret }) => ({ ...put, url: putSecret.url })],
  ])('a leaked write is refused %s', async (_, kind, change) => {
    const requests = await signed()
    expectRefused(await play(requests.store, kind, change(requests), BODY))
  })

  it.each([5, 20])('a leaked write is refused with %d bytes in place of 10', async bytes => {
    const { store, part, put } = await signed()
    for (const [kind, request] of Object.entries({ part, put })) {
      expectRefused(await play(store, kind, withHeaders(request, { 'content-length': String(bytes) }), bytesOf(bytes)))
    }
  })

  it('a leaked request is refused after a quarter of an hour', async () => {
    const etag = await put(await bucket('leaks'), 'object', bytesOf(10))
    if (traits().ageless) return
    const aged = minutes => open('leaks', {}, () => Date.now() - minutes * 60_000)
    const [old, young] = [await aged(16), await aged(13)]
    const read = { key: 'object', etag, range: { start: 0, end: 4 } }
    const part = { key: 'object', uploadId: 'any', partNumber: 1, bytes: 10, checksum: false }
    expectRefused(await play(old, 'read', (await old.read(read)).request))
    expectRefused(await play(old, 'part', (await old.upload.part(part)).request, BODY))
    expect(await play(young, 'read', (await young.read(read)).request)).toMatchObject({ accepted: true })
  })
}

// --- of S3 alone -----------------------------------------------------------------------------------------------------

/** @typedef {(request: DataRequest) => DataRequest} Change */

/** @param {Record<string, string | undefined>} changes @returns {Change} */
const headers = changes => request => withHeaders(request, changes)

/** Within the day, whose name is in the signature's scope as well. @type {Change} */
function aSecondLater(request) {
  const date = request.headers['x-amz-date'].replace(/\d(?=Z$)/, digit => String((Number(digit) + 1) % 10))
  return withHeaders(request, { 'x-amz-date': date })
}

/** @type {Array<[of: 'read' | 'put' | 'framed', what: string, change: Change]>} */
const CHANGES = [
  ['read', 'without its If-Match', headers({ 'if-match': undefined })],
  ['read', 'turned into a listing', request => ({ ...request, url: request.url.replace('/object', '?list-type=2') })],
  ['read', 'with a later date', aSecondLater],
  ['put', 'with another payload form', headers({ 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' })],
  ['put', 'with another content type', headers({ 'content-type': 'text/html' })],
  ['put', 'without its If-None-Match', headers({ 'if-none-match': undefined })],
  ['framed', 'with another length of the content', headers({ 'x-amz-decoded-content-length': '11' })],
]

/**
 * Headers of S3's own that nobody signed: AWS and most others refuse them. Where they are taken, a leaked write can be made a
 * copy of whatever the key that signed it may read; see SECURITY.md.
 *
 * @type {Array<[what: string, change: Change]>}
 */
const ADDED = [
  ['a copy of another object', headers({ 'x-amz-copy-source': '/leaks/secret' })],
  ['public', headers({ 'x-amz-acl': 'public-read' })],
]

/** What is said with 400 in place of 403: of a scope that is wrong, and by MinIO of a signed header that is missing. */
const SAID_WITH_400 = ['AuthorizationHeaderMalformed', 'AuthorizationParametersError', 'AccessDenied']

function s3LeakContract({ bucket, traits }) {
  /** The status of a request that should be refused for its signature. @param {any} request @param {Buffer} [bytes] */
  async function refusal(request, bytes) {
    // As whoever found it would: unframed, with as many bytes as its header says.
    const { status, error } = await play(await bucket('leaks'), 'put', { ...request, framing: undefined }, bytes)
    return status === 400 && SAID_WITH_400.includes(error.facts.storeCode) ? 403 : status
  }

  const METADATA = { headers: { 'content-type': 'text/plain' }, user: { color: 'blue' } }
  let count = 0
  async function signed(of) {
    const store = await bucket('leaks')
    if (of === 'read') {
      const etag = await put(store, 'object', bytesOf(1000))
      return (await store.read({ key: 'object', etag, range: { start: 10, end: 19 } })).request
    }
    const write = { key: `new-${++count}`, bytes: 10, attributes: { metadata: METADATA }, checksum: of === 'framed' }
    return (await store.put({ ...write, condition: { ifNoneMatch: true } })).request
  }

  it.each(CHANGES)('a leaked request of S3 is refused: a %s %s', async (of, _, change) => {
    const request = await signed(of)
    const changed = change(request)
    expect(changed).not.toEqual(request)
    const body = of === 'read' ? undefined : bytesOf(Number(changed.headers['content-length']))
    expect(await refusal(changed, body)).toBe(403)
  })

  it.each(ADDED)('a leaked write cannot be made %s, unless the store takes unsigned headers', async (_, change) => {
    const store = await bucket('leaks')
    await put(store, 'secret', bytesOf(1000, 'secret'))
    const { id } = await store.upload.create({ key: 'object', attributes: { metadata: METADATA }, checksum: false })
    const part = { key: 'object', uploadId: id, partNumber: 2, bytes: 10, checksum: false }
    for (const request of [(await store.upload.part(part)).request, await signed('put')])
      expect(await refusal(change(request), BODY)).toBe(traits().unsignedHeaders ? 200 : 403)
  })
}

module.exports = { leakContract, s3LeakContract }
