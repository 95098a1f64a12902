'use strict'

/** What S3 adds to the store contract: the statuses, codes and headers of its answers, and the framing of its bodies. */

const { bytesOf, play, put, tryPut } = require('../support/s3')
const { NO_METADATA } = require('./store-abilities')

/** The bytes `123456780` with the CRC-32 of `123456789` behind them. */
const corrupted = trailer => Buffer.from(`9\r\n123456780\r\n0\r\n${trailer}:y/Q5Jg==\r\n\r\n`)

function s3WireContract({ bucket, open }) {
  const attributes = { metadata: NO_METADATA }

  it('a read is signed in its headers, and its URL has no signature', async () => {
    const store = await bucket('wire')
    const { url, headers } = (await store.read({ key: 'object', etag: '"e"', range: { start: 0, end: 1 } })).request
    expect(url).not.toMatch(/[?]|signature|credential/i)
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 /)
  })

  it('a read is answered 412 once the object is another one', async () => {
    const store = await bucket('wire')
    const etag = await put(store, 'changing', bytesOf(1000))
    const { request } = await store.read({ key: 'changing', etag, range: { start: 0, end: 9 } })
    await put(store, 'changing', bytesOf(1000, 'another'))
    expect((await play(request)).status).toBe(412)
  })

  it('a read of the whole object has the CRC-32 in a header', async () => {
    const store = await bucket('wire')
    const etag = await put(store, 'summed', Buffer.from('123456789'), { checksum: true })
    const { headers } = await play((await store.read({ key: 'summed', etag, checksum: true })).request)
    expect(headers['x-amz-checksum-crc32']).toBe('y/Q5Jg==')
  })

  it('a write with If-None-Match is answered 412 over an old object', async () => {
    const store = await bucket('wire')
    const write = { key: 'once', bytes: 3, attributes, checksum: false, condition: { ifNoneMatch: true } }
    expect((await play((await store.put(write)).request, Buffer.from('one'))).status).toBe(200)
    expect((await play((await store.put(write)).request, Buffer.from('two'))).status).toBe(412)
  })

  it('a write and a part are answered 400 where the CRC-32 in the trailer is wrong', async () => {
    const store = await bucket('wire')
    const { framing, ...write } = (await store.put({ key: 'spoilt', bytes: 9, attributes, checksum: true })).request
    expect((await play(write, corrupted(framing.trailer))).status).toBe(400)
    const { id } = await store.upload.create({ key: 'spoilt', attributes, checksum: true })
    const { request: part } = await store.upload.part({
      key: 'spoilt',
      uploadId: id,
      partNumber: 1,
      bytes: 9,
      checksum: true,
    })
    expect((await play({ ...part, framing: undefined }, corrupted(part.framing.trailer))).status).toBe(400)
    await store.upload.abort({ key: 'spoilt', uploadId: id })
  })

  it('a part of an upload that is gone is answered 404 NoSuchUpload', async () => {
    const store = await bucket('wire')
    const { id } = await store.upload.create({ key: 'gone', attributes, checksum: false })
    await store.upload.abort({ key: 'gone', uploadId: id })
    const { request: late } = await store.upload.part({
      key: 'gone',
      uploadId: id,
      partNumber: 1,
      bytes: 7,
      checksum: false,
    })
    expect(await play(late, bytesOf(7))).toMatchObject({ status: 404, code: 'NoSuchUpload' })
  })

  it('a write to a missing bucket is answered 404 NoSuchBucket', async () => {
    const { status, code } = await tryPut(await open('no-such-bucket'), 'key', bytesOf(1))
    expect({ status, code }).toEqual({ status: 404, code: 'NoSuchBucket' })
  })

  it('an object of several parts has an ETag that ends in their number', async () => {
    const store = await bucket('wire')
    const { id } = await store.upload.create({ key: 'parts', attributes, checksum: false })
    const parts = []
    for (const [i, body] of [bytesOf(store.limits.minBytes), bytesOf(7)].entries()) {
      const part = { key: 'parts', uploadId: id, partNumber: i + 1, bytes: body.length, checksum: false }
      const { headers } = await play((await store.upload.part(part)).request, body)
      parts.push({ partNumber: i + 1, etag: headers.etag, bytes: body.length })
    }
    const bytes = store.limits.minBytes + 7
    const { etag } = await store.upload.complete({ key: 'parts', uploadId: id, parts, bytes })
    expect(etag).toMatch(/^"[^"]+-2"$/)
  })
}

module.exports = { s3WireContract }
