'use strict'

/** What a download is compared with, and `--expect-sha256`: of small objects in many ranges, of a store in this process. */

const { sha256Judge } = require('../../../lib/stream/download')
const { bytesOf, put, sha256 } = require('../../support/s3')
const { cut, uploadParts } = require('../../support/uploaded-parts')
const { startThings } = require('./things')

const KiB = 1024
const AGAIN = 'READING_SOURCE'
const BODY = bytesOf(11 * KiB + 7)

let server
let things
let options
let read
beforeAll(async () => {
  const usual = { concurrency: 2, retries: 0, chunk: '1KiB' }
  ;({ server, things, options, read } = await startThings(BODY, { minPartBytes: 10 }, usual))
})
afterEach(() => server.faults.clear())

describe('the proof', () => {
  it.each([
    ['by a CRC-32', 'large', {}, ['source-crc32'], []],
    ['by an ETag, over several ranges', 'tagged', {}, ['source-md5'], []],
    ['of a range: none', 'large', { range: `${KiB - 1}-${3 * KiB}` }, [], []],
    ['without a comparison: none', 'large', { verify: 'size' }, [], []],
    ['by a second reading with verify: full', 'large', { verify: 'full' }, ['source-crc32', 'source-read'], [AGAIN]],
  ])('%s', async (_, key, how, proof, notices) => {
    const { bytes, last, codes } = await read(key, how)
    expect(bytes.equals('range' in how ? BODY.subarray(KiB - 1, 3 * KiB + 1) : BODY)).toBe(true)
    expect(last).toMatchObject({ type: 'done', proof })
    expect({ codes, told: 'uncompared' in last }).toEqual({ codes: notices, told: false })
  })

  const COMPOSITE = { checksum: 'COMPOSITE' }
  it.each([
    ['a composite CRC-32', [5, 5], COMPOSITE, '2KiB', ['source-crc32']],
    ['an ETag of parts, each of several ranges', [5, 5], {}, '2KiB', ['source-md5']],
    ['an ETag of parts, each a range', [5, 5], {}, undefined, ['source-md5']],
    // As many as if all had the size of the first.
    ['a composite CRC-32 of parts of other sizes: none', [5, 6], COMPOSITE, '1KiB', []],
    ['an ETag of parts of other sizes: none', [5, 6], {}, '1KiB', []],
  ])('by %s', async (name, [one, two], kept, chunk, proof) => {
    await uploadParts(server, 'things', name, cut(BODY, one * KiB, two * KiB), kept)
    const { bytes, last, codes } = await read(name, { chunk })
    expect(sha256(bytes)).toBe(sha256(BODY))
    expect(last).toMatchObject({ type: 'done', proof })
    expect({ codes, uncompared: last.uncompared }).toEqual({ codes: [], uncompared: proof.length === 0 || undefined })
  })

  it('is said to fail where the bytes are not what the source keeps, before the last range is handed out', async () => {
    server.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 5 })
    const { bytes, error, last } = await read('large')
    expect(error).toMatchObject({ code: 'READ_CORRUPTED', exitCode: 8 })
    expect(bytes.length).toBe(11 * KiB)
    expect(last).toMatchObject({ type: 'error', code: 'READ_CORRUPTED', exitCode: 8 })
  })

  it('by an ETag that differs is a second reading: the ETag may be no MD5, or a byte was flipped on the way', async () => {
    server.faults.add({ operation: 'PutObject', on: 'stored', flipByteAt: 5 })
    await put(things, 'odd tag', BODY)
    const { last, codes } = await read('odd tag')
    expect(last).toMatchObject({ type: 'done', proof: ['source-read'] })
    expect(codes).toEqual([AGAIN, 'SOURCE_ETAG_DIFFERS'])
    server.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 5 })
    expect((await read('tagged')).error).toMatchObject({ code: 'READ_CORRUPTED', exitCode: 8 })
  })
})

describe('--expect-sha256', () => {
  const expectSha256 = sha256(BODY).toUpperCase()
  const judgeOf = (wish, { settings, events = [] }) => {
    const run = { cancel: new AbortController().signal, emit: event => events.push(event.code) }
    const asked = { ...options, expectSha256, ...wish }
    return sha256Judge('s3://things/tagged', asked, /** @type {any} */ ({ run, settings }))
  }
  const proved = { proved: true, dryRun: false }

  it.each([
    ['the bytes that are expected', {}, {}, undefined],
    ['other bytes', { expectSha256: '0'.repeat(64) }, {}, { code: 'INPUT_DIFFERS', exitCode: 8 }],
    ['another ETag', {}, { etag: '"other"' }, { code: 'SOURCE_CHANGED' }],
    ['another size', {}, { bytes: 1 }, { code: 'SOURCE_CHANGED' }],
  ])('reads an object with %s', async (_, wish, differs, failure) => {
    const events = []
    const object = { ...(await things.head('tagged')), sums: { crc64nvme: 'kept' }, ...differs }
    const judged = judgeOf(wish, { settings: proved, events })(object)
    if (failure) await expect(judged).rejects.toMatchObject(failure)
    else {
      const { etag, sums, notices } = await judged
      expect({ etag, sums }).toEqual({
        etag: object.etag,
        sums: { crc64nvme: 'kept', crc32: expect.any(String), md5: object.etag.slice(1, -1) },
      })
      expect(notices.all.map(({ code }) => code)).toEqual([AGAIN])
    }
    expect(events).toEqual([AGAIN])
  })

  it('is refused without a comparison, and of what is no SHA-256; a dry run says it, and reads nothing', async () => {
    const usage = expect.objectContaining({ code: 'USAGE' })
    expect(() => judgeOf({}, { settings: { ...proved, proved: false } })).toThrow(usage)
    expect(() => judgeOf({ expectSha256: 'a'.repeat(63) }, { settings: proved })).toThrow(usage)
    const events = []
    const judge = judgeOf({ source: undefined }, { settings: { ...proved, dryRun: true }, events })
    expect((await judge({ bytes: 5, etag: '"e"' })).notices.all).toMatchObject([{ code: AGAIN }])
    expect(events).toEqual([])
  })
})
