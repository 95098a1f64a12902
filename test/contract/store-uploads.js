'use strict'

/** Of the store contract: multipart uploads are made, filled, listed, completed and aborted. */

const { NO_METADATA, answersOf, expectedAnswers, hasSums } = require('./store-abilities')
const { all, bytesOf, sumsOf, framingOf, get, play, put, uploadsOf } = require('../support/stores')

/** The parts of an upload: the smallest that there may be, and a last one that is smaller. @param {import('../../lib/types').Store} store */
function bodiesFor({ limits }) {
  const bytes = Math.max(limits.minBytes, 1000)
  return [bytesOf(bytes, 'first'), bytesOf(bytes, 'second'), bytesOf(7, 'third')]
}

async function send(store, { key, uploadId, partNumber, start, checksum }, body) {
  const { request, tag } = await store.upload.part({ key, uploadId, partNumber, start, bytes: body.length, checksum })
  const { accepted, status, error, etag, told } = await play(store, 'part', request, body)
  if (!accepted) throw new Error(`part ${partNumber} was answered ${status} ${error?.code}`)
  expect(answersOf(store, told)).toEqual(expectedAnswers(store, body))
  return { partNumber, start, etag: tag ?? etag, bytes: body.length, sums: sumsOf(body) }
}

/** An upload with all its parts there. */
async function fill(store, key, { checksum = true, metadata = NO_METADATA } = {}) {
  const bodies = bodiesFor(store)
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
  const { id, checksums } = await store.upload.create({ key, attributes: { metadata }, checksum, bytes })
  const parts = []
  for (const [i, body] of bodies.entries()) {
    const start = i * bodies[0].length
    parts.push(await send(store, { key, uploadId: id, partNumber: i + 1, start, checksum: checksums }, body))
  }
  return { id, checksums, parts, bodies, whole: Buffer.concat(bodies) }
}

const PLAIN = { metadata: NO_METADATA }

/** The CRC-32 of an upload with checksums is sent with its completion. @param {{ checksums: boolean, whole: Buffer }} filled */
const sumOf = ({ checksums, whole }) => (checksums ? { sums: sumsOf(whole) } : {})

const PARTS_DIFFER = { facts: { partsDiffer: true, completes: true }, retryable: false }

function uploadContract({ bucket, open, traits }) {
  describe('upload', () => {
    it('with checksums becomes one object with its metadata, whose CRC-32 the store gives back, where it keeps one', async () => {
      const store = await bucket('upload')
      const metadata = {
        headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip', 'cache-control': 'no-store' },
        user: { color: 'blue' },
      }
      const filled = await fill(store, 'summed', { metadata })
      const { id, checksums, parts, whole } = filled
      expect(checksums).toBe(hasSums(store))
      const complete = { key: 'summed', uploadId: id, parts, bytes: whole.length, attributes: { metadata } }
      const completed = await store.upload.complete({ ...complete, ...sumOf(filled) })
      const head = await store.head('summed')
      expect(head).toMatchObject({ bytes: whole.length, etag: completed.etag })
      expect(head.metadata).toEqual(traits().keeps?.(metadata) ?? metadata)
      // Some stores compute other sums by themselves.
      const { crc32: kept } = completed.sums ?? head.sums ?? {}
      expect(kept).toBe(checksums ? sumsOf(whole).crc32 : undefined)
      expect((await get(store, 'summed')).equals(whole)).toBe(true)
      expect(await uploadsOf(store, 'summed')).toEqual([])
    })

    it('without checksums becomes one object as well, whose sizes of parts the store tells, if it can', async () => {
      const store = await bucket('upload')
      const { id, checksums, parts, bodies, whole } = await fill(store, 'layout', { checksum: false })
      expect(checksums).toBe(false)
      await store.upload.complete({ key: 'layout', uploadId: id, parts, bytes: whole.length, attributes: PLAIN })
      expect((await get(store, 'layout')).equals(whole)).toBe(true)
      if (!store.partSize) return
      expect(await store.partSize('layout')).toEqual({ bytes: bodies[0].length, parts: 3 })
      expect(await store.partSize('layout', { partNumber: 3 })).toEqual({ bytes: 7, parts: 3 })
      await put(store, 'whole', bytesOf(10))
      expect(await store.partSize('whole')).toBeUndefined()
      await expect(store.partSize('nowhere')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
    })

    it('takes a part again, and the later one counts', async () => {
      const store = await bucket('upload')
      const { id, checksums, parts, bodies } = await fill(store, 'again')
      const body = bytesOf(9, 'another third')
      const start = bodies[0].length + bodies[1].length
      const again = { key: 'again', uploadId: id, partNumber: 3, start, checksum: checksums }
      const third = await send(store, again, body)
      const whole = Buffer.concat([bodies[0], bodies[1], body])
      const sum = sumOf({ checksums, whole })
      const complete = { key: 'again', uploadId: id, bytes: whole.length, attributes: PLAIN, ...sum }
      await store.upload.complete({ ...complete, parts: [parts[0], parts[1], third] })
      expect((await get(store, 'again')).equals(whole)).toBe(true)
    })

    it('is completed with the parts that the store answered for alone, if it answers checksums', async () => {
      const store = await bucket('upload')
      if (store.can.sums.answered.length === 0) return
      const { id, checksums, parts, bodies, whole } = await fill(store, 'replaced')
      const upload = { key: 'replaced', uploadId: id }
      const other = bytesOf(bodies[1].length, 'another second')
      await send(store, { ...upload, partNumber: 2, start: bodies[0].length, checksum: checksums }, other)
      const { tag } = await store.upload.part({ ...upload, partNumber: 2, bytes: other.length, checksum: checksums })
      const complete = () => store.upload.complete({ ...upload, parts, bytes: whole.length, attributes: PLAIN })
      // Each attempt has a name of its own: the later one has replaced nothing.
      if (tag !== undefined) {
        await complete()
        expect((await get(store, 'replaced')).equals(whole)).toBe(true)
        return
      }
      await expect(complete()).rejects.toMatchObject(PARTS_DIFFER)
      await expect(store.head('replaced')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
      await store.upload.abort?.(upload)
    })

    it('whose parts another upload of its object has removed is refused as one whose parts differ', async () => {
      const store = await bucket('upload')
      if (store.upload.abort) return
      const [ours, theirs] = [await fill(store, 'removed'), await fill(store, 'removed')]
      const complete = ({ id, parts, whole }) =>
        store.upload.complete({ key: 'removed', uploadId: id, parts, bytes: whole.length, attributes: PLAIN })
      await complete(theirs)
      await expect(complete(ours)).rejects.toMatchObject(PARTS_DIFFER)
      expect((await store.upload.parts({ key: 'removed', uploadId: ours.id })).parts).toEqual([])
    })

    it.each([
      ['of the object', complete => ({ ...complete, sums: { crc32: '00000001' } })],
      [
        'of a part',
        complete => ({ ...complete, parts: complete.parts.map(part => ({ ...part, sums: { crc32: '00000001' } })) }),
      ],
    ])('with checksums is refused with a wrong CRC-32 %s, and no object appears', async (_, spoil) => {
      const store = await bucket('upload')
      const { id, checksums, parts, whole } = await fill(store, 'wrong')
      expect(checksums).toBe(hasSums(store))
      const complete = { key: 'wrong', uploadId: id, parts, bytes: whole.length, attributes: PLAIN }
      if (checksums) {
        const refused = store.upload.complete(spoil({ ...complete, sums: sumsOf(whole) }))
        await expect(refused).rejects.toMatchObject({ code: 'INTEGRITY', exitCode: 8, retryable: false })
        await expect(store.head('wrong')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
      }
      await store.upload.abort?.({ key: 'wrong', uploadId: id })
    })

    it('refuses a part whose bytes are others than its checksum says', async () => {
      const store = await bucket('upload')
      const attributes = { metadata: NO_METADATA }
      const { id, checksums: checksum } = await store.upload.create({ key: 'spoilt', attributes, checksum: true })
      const part = { key: 'spoilt', uploadId: id, partNumber: 1, bytes: 9, checksum }
      const { request } = await store.upload.part(part)
      expect(framingOf(request) !== undefined).toBe(store.can.sumAt === 'trailer')
      if (framingOf(request)) {
        const summed = Buffer.from('123456789')
        const answer = await play(store, 'part', request, Buffer.from('123456780'), { summed })
        expect(answer).toMatchObject({ accepted: false, status: 400 })
        expect((await store.upload.parts({ key: 'spoilt', uploadId: id })).parts).toEqual([])
      }
      await store.upload.abort?.({ key: 'spoilt', uploadId: id })
    })

    it('with ifNoneMatch does not replace an object that is there, where the store heeds conditions', async () => {
      const store = await bucket('upload')
      const first = await fill(store, 'once')
      const second = await fill(store, 'once')
      const condition = { ifNoneMatch: true }
      const complete = { key: 'once', bytes: first.whole.length, condition, attributes: PLAIN, ...sumOf(first) }
      const { etag } = await store.upload.complete({ ...complete, uploadId: first.id, parts: first.parts })
      if (traits().uploadConditions ?? traits().conditions) {
        const again = store.upload.complete({ ...complete, uploadId: second.id, parts: second.parts })
        await expect(again).rejects.toMatchObject({ code: 'DESTINATION_EXISTS', exitCode: 7 })
      }
      expect((await store.head('once')).etag).toBe(etag)
      await store.upload.abort?.({ key: 'once', uploadId: second.id })
    })

    it('lists its parts by marker, each once and in order', async () => {
      const store = await bucket('upload')
      const { id, parts } = await fill(store, 'listed')
      const upload = { key: 'listed', uploadId: id, ranges: parts.map(({ sums: _, ...range }) => range) }
      const { entries } = await all(marker => store.upload.parts({ ...upload, marker }), 'parts')
      // Not every store tells what it keeps of a part.
      const told = entries.every(({ sums }) => sums !== undefined)
      const facts = ({ partNumber, etag, bytes, sums }) => ({ partNumber, etag, bytes, ...(told && { sums }) })
      expect(entries).toEqual(parts.map(facts))
      const rest = await store.upload.parts({ ...upload, marker: '2' })
      expect(rest.parts.map(({ partNumber }) => partNumber)).toEqual([3])
      const one = await store.upload.parts({ ...upload, marker: '1', most: 1 })
      expect(one.parts.map(({ partNumber }) => partNumber)).toEqual([2])
      await store.upload.abort?.({ key: 'listed', uploadId: id })
    })

    it('is listed among the uploads of its key until it is aborted or completed; parts and completion of an aborted one are refused', async () => {
      const store = await bucket('upload')
      const filled = await fill(store, 'pending')
      const { id, parts, bodies, whole } = filled
      const upload = { key: 'pending', uploadId: id }
      expect(await uploadsOf(store, 'pending')).toMatchObject([{ key: 'pending', id }])
      if (!store.upload.abort) {
        await store.upload.complete({ ...upload, parts, bytes: whole.length, attributes: PLAIN })
        expect(await uploadsOf(store, 'pending')).toEqual([])
        return
      }
      expect(await uploadsOf(store, 'pending')).toMatchObject([{ initiatedMs: expect.any(Number) }])
      await store.upload.abort(upload)
      expect(await uploadsOf(store, 'pending')).toEqual([])
      const gone = { code: expect.stringMatching(/^(UPLOAD_GONE|NO_SUCH_KEY)$/) }
      await expect(store.upload.parts(upload)).rejects.toMatchObject(gone)
      const complete = { ...upload, parts, bytes: whole.length, attributes: PLAIN, ...sumOf(filled) }
      await expect(store.upload.complete({ ...complete, condition: {} })).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
      const { request: late } = await store.upload.part({ ...upload, partNumber: 1, bytes: 7, checksum: false })
      const answer = await play(store, 'part', late, bodies[2])
      expect(answer).toMatchObject({ accepted: false, error: { code: 'UPLOAD_GONE' } })
    })
  })
}

module.exports = { uploadContract }
