'use strict'

/** Of the store contract: multipart uploads are made, filled, listed, completed and aborted. */

const { all, bytesOf, crc32, get, play, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const NO_METADATA = { headers: {}, user: {} }

/** Sizes of the parts: the least, and a last one that is smaller. */
const BODIES = [bytesOf(5 * MiB, 'first'), bytesOf(5 * MiB, 'second'), bytesOf(7, 'third')]
const WHOLE = Buffer.concat(BODIES)

async function send(store, { key, uploadId, partNumber, checksum }, body) {
  const request = await store.partRequest({ key, uploadId, partNumber, bytes: body.length, checksum })
  const { status, code, headers } = await play(request, body)
  if (status !== 200) throw new Error(`part ${partNumber} was answered ${status} ${code}`)
  return { partNumber, etag: headers.etag, bytes: body.length, crc32: crc32(body) }
}

/** An upload with all its parts there. */
async function fill(store, key, { checksum = true, metadata = NO_METADATA } = {}) {
  const { id, checksums } = await store.createUpload({ key, attributes: { metadata }, checksum })
  const parts = []
  for (const [i, body] of BODIES.entries()) {
    parts.push(await send(store, { key, uploadId: id, partNumber: i + 1, checksum: checksums }, body))
  }
  return { id, checksums, parts }
}

function uploadContract({ bucket, open }) {
  describe('upload', () => {
    it('with checksums becomes one object whose CRC-32 the store gives back', async () => {
      const store = await bucket('upload')
      const { id, checksums, parts } = await fill(store, 'summed')
      expect(checksums).toBe(true)
      const complete = { key: 'summed', uploadId: id, parts, bytes: WHOLE.length }
      const completed = await store.completeUpload({ ...complete, crc32: crc32(WHOLE) })
      const head = await store.head('summed')
      const sum = Buffer.alloc(4)
      sum.writeUInt32BE(crc32(WHOLE))
      expect(completed).toMatchObject({ etag: expect.stringMatching(/^"[^"]+-3"$/) })
      expect(head).toMatchObject({ bytes: WHOLE.length, etag: completed.etag })
      expect(completed.checksum ?? head.checksum).toEqual({ crc32: sum.toString('base64'), type: 'FULL_OBJECT' })
      expect((await get(store, 'summed')).equals(WHOLE)).toBe(true)
      expect(await uploadsOf(store, 'summed')).toEqual([])
    })

    it('without checksums becomes one object as well', async () => {
      const store = await bucket('upload')
      const { id, checksums, parts } = await fill(store, 'unsummed', { checksum: false })
      expect(checksums).toBe(false)
      await store.completeUpload({ key: 'unsummed', uploadId: id, parts, bytes: WHOLE.length })
      expect((await get(store, 'unsummed')).equals(WHOLE)).toBe(true)
    })

    it('leaves the sizes of its parts to be asked for', async () => {
      const store = await bucket('upload')
      const { id, parts } = await fill(store, 'layout', { checksum: false })
      await store.completeUpload({ key: 'layout', uploadId: id, parts, bytes: WHOLE.length })
      expect(await store.partSize('layout')).toEqual({ bytes: 5 * MiB, parts: 3 })
      expect(await store.partSize('layout', { partNumber: 3 })).toEqual({ bytes: 7, parts: 3 })
      await put(store, 'whole', bytesOf(10))
      expect(await store.partSize('whole')).toBeUndefined()
      await expect(store.partSize('nowhere')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
    })

    it('gives its object the metadata that it was created with', async () => {
      const store = await bucket('upload')
      const metadata = {
        headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip', 'cache-control': 'no-store' },
        user: { color: 'blue' },
      }
      const { id, parts } = await fill(store, 'described', { metadata })
      const complete = { key: 'described', uploadId: id, parts, bytes: WHOLE.length }
      await store.completeUpload({ ...complete, crc32: crc32(WHOLE) })
      expect((await store.head('described')).metadata).toEqual(metadata)
    })

    it('takes a part again, and the later one counts', async () => {
      const store = await bucket('upload')
      const { id, checksums, parts } = await fill(store, 'again')
      const body = bytesOf(9, 'another third')
      const third = await send(store, { key: 'again', uploadId: id, partNumber: 3, checksum: checksums }, body)
      const whole = Buffer.concat([BODIES[0], BODIES[1], body])
      const complete = { key: 'again', uploadId: id, bytes: whole.length, crc32: crc32(whole) }
      await store.completeUpload({ ...complete, parts: [parts[0], parts[1], third] })
      expect((await get(store, 'again')).equals(whole)).toBe(true)
    })

    it.each([
      ['of the object', complete => ({ ...complete, crc32: 1 })],
      ['of a part', complete => ({ ...complete, parts: complete.parts.map(part => ({ ...part, crc32: 1 })) })],
    ])('is refused with a wrong CRC-32 %s, and no object appears', async (_, spoil) => {
      const store = await bucket('upload')
      const { id, parts } = await fill(store, 'wrong')
      const complete = { key: 'wrong', uploadId: id, parts, bytes: WHOLE.length }
      const refused = store.completeUpload(spoil({ ...complete, crc32: crc32(WHOLE) }))
      await expect(refused).rejects.toMatchObject({ code: 'INTEGRITY', exitCode: 8, retryable: false })
      await expect(store.head('wrong')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
      await store.abortUpload({ key: 'wrong', uploadId: id })
    })

    it('refuses a part whose bytes are others than its checksum says', async () => {
      const store = await bucket('upload')
      const { id } = await store.createUpload({ key: 'spoilt', attributes: { metadata: NO_METADATA }, checksum: true })
      const part = { key: 'spoilt', uploadId: id, partNumber: 1, bytes: 9, checksum: true }
      const { trailer, ...plain } = await store.partRequest(part)
      const frames = Buffer.from(`9\r\n123456780\r\n0\r\n${trailer}:y/Q5Jg==\r\n\r\n`)
      expect((await play(plain, frames)).status).toBe(400)
      expect((await store.listParts({ key: 'spoilt', uploadId: id })).parts).toEqual([])
      await store.abortUpload({ key: 'spoilt', uploadId: id })
    })

    it('with ifNoneMatch does not replace an object that is there', async () => {
      const store = await bucket('upload')
      const first = await fill(store, 'once')
      const second = await fill(store, 'once')
      const complete = { key: 'once', bytes: WHOLE.length, crc32: crc32(WHOLE), condition: { ifNoneMatch: true } }
      const { etag } = await store.completeUpload({ ...complete, uploadId: first.id, parts: first.parts })
      await expect(
        store.completeUpload({ ...complete, uploadId: second.id, parts: second.parts }),
      ).rejects.toMatchObject({ code: 'DESTINATION_EXISTS', exitCode: 7 })
      expect((await store.head('once')).etag).toBe(etag)
      await store.abortUpload({ key: 'once', uploadId: second.id })
    })

    it('lists its parts by marker, each once and in order', async () => {
      const store = await bucket('upload')
      const { id, parts } = await fill(store, 'listed')
      const { entries } = await all(marker => store.listParts({ key: 'listed', uploadId: id, marker }), 'parts')
      // Not every store tells what it keeps of a part.
      const told = entries.every(({ crc32 }) => crc32 !== undefined)
      const facts = ({ partNumber, etag, bytes, crc32 }) => ({ partNumber, etag, bytes, ...(told && { crc32 }) })
      expect(entries).toEqual(parts.map(facts))
      const rest = await store.listParts({ key: 'listed', uploadId: id, marker: '2' })
      expect(rest.parts.map(({ partNumber }) => partNumber)).toEqual([3])
      const one = await store.listParts({ key: 'listed', uploadId: id, marker: '1', most: 1 })
      expect(one.parts.map(({ partNumber }) => partNumber)).toEqual([2])
      await store.abortUpload({ key: 'listed', uploadId: id })
    })

    it('is listed among the uploads of its key until it is aborted', async () => {
      const store = await bucket('upload')
      const { id } = await fill(store, 'pending')
      expect(await uploadsOf(store, 'pending')).toMatchObject([{ key: 'pending', id, initiatedMs: expect.any(Number) }])
      await store.abortUpload({ key: 'pending', uploadId: id })
      expect(await uploadsOf(store, 'pending')).toEqual([])
      const gone = { code: expect.stringMatching(/^(UPLOAD_GONE|NO_SUCH_KEY)$/) }
      await expect(store.listParts({ key: 'pending', uploadId: id })).rejects.toMatchObject(gone)
    })

    it('that is gone is refused as such: parts and completion', async () => {
      const store = await bucket('upload')
      const { id, parts } = await fill(store, 'aborted')
      await store.abortUpload({ key: 'aborted', uploadId: id })
      const complete = { key: 'aborted', uploadId: id, parts, bytes: WHOLE.length, crc32: crc32(WHOLE) }
      await expect(store.completeUpload({ ...complete, condition: {} })).rejects.toMatchObject({
        code: 'UPLOAD_GONE',
      })
      const late = await store.partRequest({ key: 'aborted', uploadId: id, partNumber: 1, bytes: 7, checksum: false })
      expect(await play(late, BODIES[2])).toMatchObject({ status: 404, code: 'NoSuchUpload' })
    })

    it('of a missing bucket cannot be created', async () => {
      const create = { key: 'key', attributes: { metadata: NO_METADATA }, checksum: true }
      await expect(open('no-such-bucket').createUpload(create)).rejects.toMatchObject({ code: 'NO_SUCH_BUCKET' })
    })
  })
}

module.exports = { uploadContract }
