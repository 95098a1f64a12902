'use strict'

/**
 * What S3 adds to store-leaks.js: each header, each part of the scope and each form of the payload is signed. Each case plays a
 * request that was changed after signing, and must be refused for its signature.
 */

const { bytesOf, play, put } = require('../support/s3')

/** What is said with 400 in place of 403: of a scope that is wrong, and by MinIO of a signed header that is missing. */
const SAID_WITH_400 = ['AuthorizationHeaderMalformed', 'AuthorizationParametersError', 'AccessDenied']

/** The status of a request that should be refused for its signature. @param {any} request @param {Buffer} [bytes] */
async function refusal(request, bytes) {
  const { status, code } = await play(request, bytes)
  return status === 400 && SAID_WITH_400.includes(code) ? 403 : status
}

/** @typedef {(request: any) => any} Change */

/** @param {Record<string, string | undefined>} changes undefined removes @returns {Change} */
const headers = changes => request => {
  const changed = { ...request.headers, ...changes }
  return { ...request, headers: Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) }
}

/** @param {string | RegExp} from @param {string} to @returns {Change} */
const url = (from, to) => request => ({ ...request, url: request.url.replace(from, to) })

/** Of the credential, which the signature is for. @param {string} from @param {string} to @returns {Change} */
const scope = (from, to) => request =>
  headers({ authorization: request.headers.authorization.replace(from, to) })(request)

/** Within the day, whose name is in the signature's scope as well. @param {string} date */
function aSecondLater(date) {
  return date.replace(/\d(?=Z$)/, digit => String((Number(digit) + 1) % 10))
}

/** @type {Array<[what: string, change: Change]>} */
const READ_CHANGES = [
  ['without its range', headers({ range: undefined })],
  ['with another range', headers({ range: 'bytes=0-99' })],
  ['without its If-Match', headers({ 'if-match': undefined })],
  ['with another If-Match', headers({ 'if-match': '*' })],
  ['of another key', url('/object', '/secret')],
  ['of another bucket', url('/leaks/', '/other/')],
  ['turned into a listing', url('/object', '?list-type=2')],
  ['as a HEAD', request => ({ ...request, method: 'HEAD' })],
  ['as a DELETE', request => ({ ...request, method: 'DELETE' })],
  ['turned into a write', request => ({ ...request, method: 'PUT' })],
  ['with a query', url(/$/, '?response-content-type=text%2Fhtml')],
  ['of another region', scope('/us-east-1/', '/us-west-2/')],
  ['of another service', scope('/s3/', '/sts/')],
  ['with a later date', request => headers({ 'x-amz-date': aSecondLater(request.headers['x-amz-date']) })(request)],
]

/** @type {Array<[what: string, change: Change, bytes: number]>} bytes: as many are sent */
const WRITE_CHANGES = [
  ['with fewer bytes', headers({ 'content-length': '5' }), 5],
  ['with more bytes', headers({ 'content-length': '20' }), 20],
  ['of another key', url('/object', '/secret'), 10],
  ['of another bucket', url('/leaks/', '/other/'), 10],
  ['turned into a read', request => ({ ...request, method: 'GET' }), 10],
  ['as a DELETE', request => ({ ...request, method: 'DELETE' }), 10],
  ['with another payload form', headers({ 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' }), 10],
]

/** @type {typeof WRITE_CHANGES} */
const PART_CHANGES = [
  ['turned into a completion', request => ({ ...request, method: 'POST' }), 10],
  ['as another part', url('partNumber=2', 'partNumber=3'), 10],
  ['of another upload', url(/uploadId=[^&]+/, 'uploadId=another'), 10],
  ['as a whole object', url(/\?.*/, ''), 10],
]

/** @type {typeof WRITE_CHANGES} */
const PUT_CHANGES = [
  ['with another content type', headers({ 'content-type': 'text/html' }), 10],
  ['without its content type', headers({ 'content-type': undefined }), 10],
  ['with other metadata', headers({ 'x-amz-meta-color': 'red' }), 10],
  ['without its metadata', headers({ 'x-amz-meta-color': undefined }), 10],
  ['with another cache control', headers({ 'cache-control': 'max-age=31536000' }), 10],
  ['without its If-None-Match', headers({ 'if-none-match': undefined }), 10],
  ['as a part of an upload', request => ({ ...request, url: `${request.url}?partNumber=1&uploadId=x` }), 10],
]

/**
 * Headers of S3's own that nobody signed: AWS and most others refuse them. Where they are taken, a leaked write can be made a
 * copy of whatever the key that signed it may read; see SECURITY.md.
 *
 * @type {typeof WRITE_CHANGES}
 */
const ADDED = [
  ['a copy of another object', headers({ 'x-amz-copy-source': '/leaks/secret' }), 10],
  ['public', headers({ 'x-amz-acl': 'public-read' }), 10],
]

/** @type {typeof READ_CHANGES} */
const FRAMED_CHANGES = [
  ['with another length of the content', headers({ 'x-amz-decoded-content-length': '11' })],
  ['without its trailer', headers({ 'x-amz-trailer': undefined })],
]

function s3LeakContract({ bucket, traits }) {
  describe('a leaked read', () => {
    const read = async () => {
      const store = await bucket('leaks')
      const etag = await put(store, 'object', bytesOf(1000))
      await put(store, 'secret', bytesOf(1000, 'secret'))
      return (await store.read({ key: 'object', etag, range: { start: 10, end: 19 } })).request
    }

    it('is good for what it was signed for', async () => {
      expect((await play(await read())).body.equals(bytesOf(1000).subarray(10, 20))).toBe(true)
    })

    it.each(READ_CHANGES)('is refused %s', async (_, change) => {
      const request = await read()
      const changed = change(request)
      expect(changed).not.toEqual(request)
      expect(await refusal(changed)).toBe(403)
    })
  })

  const body = bytesOf(10)
  const refused = async (request, change, bytes) => {
    const changed = change(request)
    expect(changed).not.toEqual(request)
    // As whoever found it would: with as many bytes as its header says, unframed.
    const { framing, ...plain } = changed
    const length = framing ? Number(changed.headers['content-length']) : bytes
    expect(await refusal(plain, bytesOf(length))).toBe(403)
  }

  describe('a leaked write of a part', () => {
    let upload
    const part = async checksum => {
      const store = await bucket('leaks')
      upload ??= await store.upload.create({
        key: 'object',
        attributes: { metadata: { headers: {}, user: {} } },
        checksum: false,
      })
      return (await store.upload.part({ key: 'object', uploadId: upload.id, partNumber: 2, bytes: 10, checksum }))
        .request
    }

    it('is good for what it was signed for', async () => {
      expect((await play(await part(false), body)).status).toBe(200)
    })

    it.each([...WRITE_CHANGES, ...PART_CHANGES])('is refused %s', async (_, change, bytes) => {
      await refused(await part(false), change, bytes)
    })

    it.each(FRAMED_CHANGES)('is refused %s, where it has a checksum behind the bytes', async (_, change) => {
      await refused(await part(true), change, 10)
    })

    it.each(ADDED)('cannot be made %s, unless the store takes headers that were not signed', async (_, change) => {
      await put(await bucket('leaks'), 'secret', bytesOf(1000, 'secret'))
      const status = await refusal(change(await part(false)), body)
      expect(status).toBe(traits().unsignedHeaders ? 200 : 403)
    })
  })

  describe('a leaked write of a whole object', () => {
    const METADATA = { headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' }, user: { color: 'blue' } }
    let count = 0
    const whole = async checksum => {
      const store = await bucket('leaks')
      const key = `object-${++count}`
      const { request } = await store.put({
        key,
        bytes: 10,
        attributes: { metadata: METADATA },
        checksum,
        condition: { ifNoneMatch: true },
      })
      return request
    }

    it('is good for what it was signed for', async () => {
      expect((await play(await whole(false), body)).status).toBe(200)
    })

    it.each([...WRITE_CHANGES, ...PUT_CHANGES])('is refused %s', async (_, change, bytes) => {
      await refused(await whole(false), change, bytes)
    })

    it.each(FRAMED_CHANGES)('is refused %s, where it has a checksum behind the bytes', async (_, change) => {
      await refused(await whole(true), change, 10)
    })

    it.each(ADDED)('cannot be made %s, unless the store takes headers that were not signed', async (_, change) => {
      await put(await bucket('leaks'), 'secret', bytesOf(1000, 'secret'))
      const status = await refusal(change(await whole(false)), body)
      expect(status).toBe(traits().unsignedHeaders ? 200 : 403)
    })
  })
}

module.exports = { s3LeakContract }
