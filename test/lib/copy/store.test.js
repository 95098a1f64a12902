'use strict'

/** Copies that a store makes by itself: when it is asked, what follows a refusal, and the proof by reading both ends. */

const { passTime } = require('../../support/time')
const { UNLIMITED } = require('../../../lib/engines')
const { createOutages, createPressure } = require('../../../lib/schedule')
const { copiesWhole, proofsOfPulled, refusalOf, serverWay, whyNotPulled } = require('../../../lib/copy/store')
const { crcOf, createReader, createRiggedStore, errorOf } = require('../../support/rigged-store')

const MiB = 1024 ** 2
const MD5 = '0'.repeat(32)
const PINNED = { bytes: 4, etag: `"${MD5}"` }
const SAME = async (_key, { versionId }) => (versionId === 'v' ? PINNED : GONE())
const GONE = async () => {
  throw errorOf('NO_SUCH_KEY')
}
const OTHER = async () => ({ ...PINNED, etag: '"other"' })

const ALONE = { settings: { route: 'server' } }
test.each([
  ['a refused copy leaves it to the engine', {}, 'COPY_REFUSED', 'falls back'],
  ['an answer that nobody understands leaves it to the engine', {}, 'BAD_ANSWER', 'falls back'],
  ['an error of the store leaves it to the engine', {}, 'STORE_ERROR', 'falls back'],
  ['a missing bucket fails', {}, 'NO_SUCH_BUCKET', 'NO_SUCH_BUCKET'],
  ['a refused copy fails if only the store may copy', ALONE, 'COPY_REFUSED', 'COPY_REFUSED'],
  ['a refused read of another store does not', { ...ALONE, asksServer: 'pulls' }, 'COPY_REFUSED', 'falls back'],
  ['a refused change in place fails', { settings: { inPlace: true } }, 'COPY_REFUSED', 'COPY_REFUSED in place'],
  ['another error of a change in place does not', { settings: { inPlace: true } }, 'STORE_ERROR', 'falls back'],
  ['after an abort nothing is tried', { run: { cancel: AbortSignal.abort() } }, 'COPY_REFUSED', 'COPY_REFUSED'],
  ['a changed source fails', { head: OTHER }, 'SOURCE_CHANGED', 'SOURCE_CHANGED'],
  ['a source that is gone fails', { head: GONE }, 'SOURCE_CHANGED', 'SOURCE_CHANGED'],
  ['a source that only the destination sees otherwise does not', { head: SAME }, 'SOURCE_CHANGED', 'falls back'],
])('of a copy by the store: %s', async (_, { head, ...how }, code, expected) => {
  const job = { source: { store: { head }, key: 'from', versionId: 'v' }, settings: {}, run: {}, ...how }
  const ended = await refusalOf(job, PINNED, errorOf(code)).then(
    reason => (/^\S.*\.$/.test(reason) ? 'falls back' : reason),
    error => error.code + (error.facts.inPlace ? ' in place' : ''),
  )
  expect(ended).toBe(expected)
})

const lend = () => {}
test.each([
  ['network', 'network', lend, undefined],
  ['network', 'network', undefined, 'no URL'],
  ['machine', 'network', lend, 'Only this machine'],
  ['machine', 'machine', lend, undefined],
])('a source on the %s is read by a destination on the %s if it lends a URL (%s)', (from, to, lends, why) => {
  const side = (reach, more) => ({ store: { can: { reach }, ...more } })
  const found = whyNotPulled({ source: side(from, { lend: lends }), destination: side(to) })
  expect(found).toEqual(why && expect.stringContaining(why))
})

test.each([
  ['give the checksum that the source keeps', {}, ['stored-crc32']],
  ['give another one', { parts: ['aa', 'bx'] }, 'INTEGRITY'],
  ['are not all', { parts: ['aa'] }, 'INTEGRITY'],
  ['prove nothing of a source that keeps none', { sums: undefined }, []],
  ['are of a source that was replaced meanwhile', { head: OTHER }, 'SOURCE_CHANGED'],
])('parts that a destination has read by itself %s', async (_, how, expected) => {
  const { parts = ['aa', 'bb'], head = SAME, sums = { crc32: crcOf('aabb') } } = { ...how }
  const asked = []
  const store = { head: async (...input) => asked.push(input) && (await head(...input)) }
  const work = {
    job: { source: { store, key: 'from', versionId: 'v' }, run: {} },
    object: { ...PINNED, sums: 'sums' in how ? how.sums : sums },
    plan: { parts: RANGES },
  }
  const copied = parts.map((text, i) => ({
    ...RANGES[i],
    sums: { crc32: '00000000' },
    answered: { crc32: crcOf(text) },
  }))
  expect(await proofsOfPulled(work, copied).catch(({ code }) => code)).toEqual(expected)
  expect(asked).toEqual([['from', { versionId: 'v' }]])
})
const RANGES = [0, 2].map((start, i) => ({ partNumber: i + 1, start, bytes: 2 }))

test.each([
  ['its own store', undefined, ['copied', true, { key: 'from', versionId: 'v', etag: '"e"' }]],
  ['another store', 'pulls', ['pulled', false, { key: 'from', versionId: 'v' }, '"e"']],
])('a store is asked for an object of %s as it was found', async (_, asksServer, expected) => {
  const copier = etag => ({ part: async () => ({ etag }), source: found => found })
  const store = { serverCopy: copier('copied'), pull: copier('pulled'), lend: found => found }
  const settings = { chunkBytes: 8, condition: {} }
  const job = { source: { store, key: 'from', versionId: 'v' }, destination: { store }, settings, asksServer, run: {} }
  const { engine, copies, chooseChunk } = serverWay(job)
  const [{ etag }] = await engine.run([{ partNumber: 1, bytes: 1, copy: { part: {} } }])
  const from = copies(job, { etag: '"e"' })
  const { whole } = await chooseChunk(job, PINNED)
  expect([etag, whole, ...(from.lend ? [from.lend(), from.etag] : [from])]).toEqual(expected)
})

const ofParts = `"${MD5}-3"`
const partsOf = (mib, parts) => async () => ({ bytes: mib * MiB, parts })
const BYTE = 1 / MiB
const match = { matchChunk: true }
const atomic = { condition: { ifNoneMatch: true } }
// Of a source of 24 MiB in one piece, in chunks of 8 MiB, as is usual, unless a row says otherwise.
test.each([
  ['of an object in one piece', {}, 'whole'],
  ['of an object in one piece, in chunks that somebody chose', { settings: { usualChunk: false } }, '8'],
  ['of one chunk', { mib: 8, etag: '"opaque"' }, 'whole'],
  ['of more than one chunk', { etag: '"opaque"' }, '8'],
  ['of an empty object, under a condition', { mib: 0, settings: atomic }, 'whole'],
  ['under a condition that the store keeps', { settings: atomic, copies: { conditional: true } }, 'whole'],
  ['under a condition that only a completion keeps', { settings: atomic }, '8'],
  ['of more than one request copies', { mib: 5 * 1024 + BYTE }, '8'],
  ['of as much as one request copies', { mib: 5 * 1024 }, 'whole'],
  ['by a store that copies only whole objects', { etag: ofParts, copies: { wholeOnly: true } }, 'whole'],
  ["of an object of parts: they are the source's", { etag: ofParts, partSize: partsOf(10, 3) }, '10 own'],
  ['of parts, in other chunks', { etag: ofParts, partSize: partsOf(10, 3), settings: { usualChunk: false } }, '8'],
  ['of parts that are too small', { etag: ofParts, partSize: partsOf(4, 6) }, '8'],
  ['of parts that are too large', { etag: ofParts, partSize: partsOf(24, 1) }, '8'],
  ['of too many parts', { mib: 55, etag: ofParts, partSize: partsOf(5, 11) }, '8'],
  ['of as many parts as there may be', { mib: 50, etag: ofParts, partSize: partsOf(5, 10) }, '5 own'],
  ['of uneven parts', { etag: ofParts, partSize: partsOf(10, 4) }, '8'],
  ['of parts that nobody tells', { etag: ofParts }, '8'],
  ['in equal parts', { settings: match, etag: ofParts, partSize: partsOf(6, 4) }, '6 matched'],
  ['in equal parts, of a source that does not tell them', { settings: match, etag: ofParts }, '8'],
  ['in place', { settings: { inPlace: true }, etag: '"opaque"' }, 'whole'],
  ['in place, of as much as one request copies', { settings: { inPlace: true }, mib: 5 * 1024 }, 'whole'],
  ['in place, of more', { settings: { inPlace: true }, mib: 5 * 1024 + BYTE }, 'USAGE'],
])('within a store: %s', async (_, { mib = 24, etag = PINNED.etag, copies = {}, settings, partSize }, expected) => {
  const limits = { minBytes: 5 * MiB, maxBytes: 20 * MiB, maxParts: 10 }
  const store = { serverCopy: { ...copies }, limits, partSize }
  const job = {
    source: { store, key: 'from', text: 's3://bucket/from' },
    destination: { store },
    settings: { chunkBytes: 8 * MiB, usualChunk: true, condition: {}, ...settings },
    run: {},
  }
  const object = { bytes: mib * MiB, etag }
  const found = await serverWay(job)
    .chooseChunk(job, object)
    .then(
      ({ bytes, whole, matched, why }) => {
        if (whole) return bytes >= object.bytes ? 'whole' : 'cut'
        return [bytes / MiB, ...(matched ? ['matched'] : []), ...(why ? ['own'] : [])].join(' ')
      },
      error => error.code,
    )
  expect(found).toBe(expected)
  // The same, known without a request.
  if (!settings?.inPlace) expect(copiesWhole(job, object)).toBe(found === 'whole')
})

/**
 * Reads both ends, of two ranges, and tells how it ended, whether the copy is still there, what the journal was told, and how
 * often the second range of the source was read.
 *
 * @param {object} how
 * @param {string} [how.copy] the bytes of the copy
 * @param {Record<string, Array<string | Error>>} [how.shows] by key and start of a range: what its readings show at first
 * @param {any} [how.sums] that the source keeps
 * @param {() => Promise<any>} [how.limits] of the engine
 */
async function readBoth({ copy = 'aabb', shows = {}, sums, limits = async () => ({ ...UNLIMITED, concurrent: 9 }) }) {
  const rigged = createRiggedStore({ texts: { from: 'aabb', to: copy } })
  const facts = []
  const reader = createReader(rigged, shows)
  const emit = () => {}
  const sideOf = key => ({ store: rigged.open(), key, text: `s3://bucket/${key}` })
  const outages = createOutages({ timeoutMs: 0, emit })
  const job = {
    source: sideOf('from'),
    destination: sideOf('to'),
    engine: { run: reader.run, limits, can: {} },
    settings: { chunkBytes: 2, concurrency: 1, retries: 0 },
    run: {
      emit,
      pressure: createPressure({ outages, random: () => 0.5 }),
      journal: {
        state: { upload: { id: 'upload' } },
        note: ({ type, partNumber }) => facts.push(`${type} ${partNumber}`),
        write: async ({ type, upload }) => facts.push(`${type} ${upload}`),
      },
    },
  }
  const { etag } = rigged.objects.get('to')
  const work = { job, object: { ...rigged.objects.get('from'), bytes: 4, sums }, plan: {}, reading: () => emit }
  const ended = await passTime(
    serverWay(job)
      .readBack(work, { etag, outcomes: [] })
      .then(
        proofs => proofs.join(),
        ({ code, facts: { start, end } }) => [code, start, end].filter(x => x !== undefined).join(' '),
      ),
  )
  const there = rigged.text('to') === copy ? 'there' : 'removed'
  expect(reader.atOnce).toBeLessThan(2)
  return [ended, there, facts.join(), reader.read.filter(name => name === 'from 2').length].join('; ')
}
const TWICE = { 'from 0': ['a1', 'a2'], 'from 2': ['b1', 'b2'] }
const wrongly = Array.from({ length: 9 }, (_, i) => `b${i}`)
const KEPT = { crc32: crcOf('aabb') }
const denied = errorOf('ACCESS_DENIED', { status: 403 })
const refuse = () => Promise.reject(denied)
test.each([
  ['are equal', {}, 'read-back; there; checked 1,checked 2; 1'],
  ['are what the source keeps', { sums: KEPT }, 'read-back,source-crc32; there; checked 1,checked 2; 1'],
  ['are not what the source keeps', { sums: { crc32: crcOf('aabx') } }, 'INTEGRITY; there; checked 1,checked 2; 1'],
  ['differ', { copy: 'aabx' }, 'WRONG_COPY 2 3; removed; checked 1,gone upload; 2'],
  ['differ in one reading of the copy', { shows: { 'to 2': ['bx'] } }, 'read-back; there; checked 1,checked 2; 1'],
  ['differ in one reading of the source', { shows: { 'from 2': ['bx'] } }, 'read-back; there; checked 1,checked 2; 2'],
  ['differ twice in each range of the source', { shows: TWICE }, 'read-back; there; checked 1,checked 2; 3'],
  ['differ in each reading of the source', { shows: { 'from 2': wrongly } }, 'INTEGRITY; there; checked 1; 4'],
  ['may not be read from the source', { shows: { 'from 2': [denied] } }, 'NOT_READ_BACK; there; ; 1'],
  ['may not be read from the copy', { shows: { 'to 2': [denied] } }, 'NOT_READ_BACK; there; checked 1; 1'],
  ['cannot be read, as the engine tells no limits', { limits: refuse }, 'NOT_READ_BACK; there; ; 0'],
])('the bytes of both ends %s', async (_, how, expected) => expect(await readBoth(how)).toBe(expected))
