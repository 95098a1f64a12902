'use strict'

/**
 * Of the store contract: what leaks from a function is good for its one range or part and nothing else. Each case plays a
 * request with something of another one in it, and must be refused for its signature.
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
      putOther: (await other.put(whole)).request,
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
    ['of the whole object', ({ read }) => withHeaders(read, { range: undefined })],
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
    ['as a part of an upload', 'put', ({ put, part }) => ({ ...put, url: part.url })],
    ['turned into a read', 'put', ({ put }) => ({ ...put, method: 'GET' })],
    ['of another key', 'put', ({ put, putSecret }) => ({ ...put, url: putSecret.url })],
    ['of another bucket', 'put', ({ put, putOther }) => ({ ...put, url: putOther.url })],
    ['turned into a removal', 'put', ({ put }) => ({ ...put, method: 'DELETE' })],
  ])('a leaked write is refused %s', async (_, kind, change) => {
    const requests = await signed()
    expectRefused(await play(requests.store, kind, change(requests), BODY))
  })

  it.each([5, 20])('a leaked write is refused with %d bytes in place of 10', async bytes => {
    const { store, part, put } = await signed()
    for (const [kind, request] of [
      ['part', part],
      ['put', put],
    ]) {
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

module.exports = { leakContract }
