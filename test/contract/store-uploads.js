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
  const whole = Buffer.concat(bodies)
  const completion = { key, uploadId: id, parts, bytes, attributes: { metadata } }
  // The CRC-32 of an upload with checksums is sent with its completion.
  const summed = { ...completion, ...(checksums && { sums: sumsOf(whole) }) }
  return { id, checksums, parts, bodies, whole, completion, summed }
}

const WRONG = { crc32: '00000001' }
const PARTS_DIFFER = { facts: { partsDiffer: true, completes: true }, retryable: false }

function uploadContract({ bucket, open, traits }) {
  describe('upload', () => {
    it('with checksums becomes one object with its metadata, whose CRC-32 the store gives back, where it keeps one', async () => {
      const store = await bucket('upload')
      const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip', 'cache-control': 'no-store' }
      const metadata = { headers, user: { color: 'blue' } }
      const { checksums, whole, summed } = await fill(store, 'summed', { metadata })
      expect(checksums).toBe(hasSums(store))
      const completed = await store.upload.complete(summed)
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
      const { checksums, bodies, whole, completion } = await fill(store, 'layout', { checksum: false })
      expect(checksums).toBe(false)
      await store.upload.complete(completion)
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
      const { id, checksums, parts, bodies, completion } = await fill(store, 'again')
      const body = bytesOf(9, 'another third')
      const start = bodies[0].length + bodies[1].length
      const third = await send(store, { key: 'again', uploadId: id, partNumber: 3, start, checksum: checksums }, body)
      const whole = Buffer.concat([bodies[0], bodies[1], body])
      const others = { bytes: whole.length, parts: [parts[0], parts[1], third] }
      await store.upload.complete({ ...completion, ...others, ...(checksums && { sums: sumsOf(whole) }) })
      expect((await get(store, 'again')).equals(whole)).toBe(true)
    })

    it('is completed with the parts that the store answered for alone, if it answers checksums', async () => {
      const store = await bucket('upload')
      if (store.can.sums.answered.length === 0) return
      const { id, checksums, bodies, whole, completion } = await fill(store, 'replaced')
      const upload = { key: 'replaced', uploadId: id }
      const other = bytesOf(bodies[1].length, 'another second')
      await send(store, { ...upload, partNumber: 2, start: bodies[0].length, checksum: checksums }, other)
      const { tag } = await store.upload.part({ ...upload, partNumber: 2, bytes: other.length, checksum: checksums })
      const completed = store.upload.complete(completion)
      // Each attempt has a name of its own: the later one has replaced nothing.
      if (tag !== undefined) {
        await completed
        expect((await get(store, 'replaced')).equals(whole)).toBe(true)
        return
      }
      await expect(completed).rejects.toMatchObject(PARTS_DIFFER)
      await expect(store.head('replaced')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
      await store.upload.abort?.(upload)
    })

    it('whose parts another upload of its object has removed is refused as one whose parts differ', async () => {
      const store = await bucket('upload')
      if (store.upload.abort) return
      const [ours, theirs] = [await fill(store, 'removed'), await fill(store, 'removed')]
      await store.upload.complete(theirs.completion)
      await expect(store.upload.complete(ours.completion)).rejects.toMatchObject(PARTS_DIFFER)
      expect((await store.upload.parts({ key: 'removed', uploadId: ours.id })).parts).toEqual([])
    })

    it.each([
      ['of the object', complete => ({ ...complete, sums: WRONG })],
      ['of a part', ({ parts, ...how }) => ({ ...how, parts: parts.map(part => ({ ...part, sums: WRONG })) })],
    ])('with checksums is refused with a wrong CRC-32 %s, and no object appears', async (_, spoil) => {
      const store = await bucket('upload')
      const { id, checksums, summed } = await fill(store, 'wrong')
      expect(checksums).toBe(hasSums(store))
      if (checksums) {
        const refused = store.upload.complete(spoil(summed))
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
      const [first, second] = [await fill(store, 'once'), await fill(store, 'once')]
      const complete = ({ summed }) => store.upload.complete({ ...summed, condition: { ifNoneMatch: true } })
      const { etag } = await complete(first)
      if (traits().uploadConditions ?? traits().conditions) {
        await expect(complete(second)).rejects.toMatchObject({ code: 'DESTINATION_EXISTS', exitCode: 7 })
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
      const { id, bodies, completion, summed } = await fill(store, 'pending')
      const upload = { key: 'pending', uploadId: id }
      expect(await uploadsOf(store, 'pending')).toMatchObject([{ key: 'pending', id }])
      if (!store.upload.abort) {
        await store.upload.complete(completion)
        expect(await uploadsOf(store, 'pending')).toEqual([])
        return
      }
      expect(await uploadsOf(store, 'pending')).toMatchObject([{ initiatedMs: expect.any(Number) }])
      await store.upload.abort(upload)
      expect(await uploadsOf(store, 'pending')).toEqual([])
      const gone = { code: expect.stringMatching(/^(UPLOAD_GONE|NO_SUCH_KEY)$/) }
      await expect(store.upload.parts(upload)).rejects.toMatchObject(gone)
      await expect(store.upload.complete({ ...summed, condition: {} })).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
      const { request: late } = await store.upload.part({ ...upload, partNumber: 1, bytes: 7, checksum: false })
      const answer = await play(store, 'part', late, bodies[2])
      expect(answer).toMatchObject({ accepted: false, error: { code: 'UPLOAD_GONE' } })
    })
  })
}

module.exports = { uploadContract }
