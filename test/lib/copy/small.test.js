'use strict'

/** What the answers leave open of an object that was written, and what is asked for then. */

const { passTime } = require('../../support/time')
const { XferError } = require('../../../lib/errors')
const { createProver, stepAfter } = require('../../../lib/copy/prove')
const { throughEngine } = require('../../../lib/copy/through-engine')
const { compositeCrc32, weighWritten } = require('../../../lib/integrity')
const { NO_METADATA, crcOf, createRiggedStore, errorOf, md5Of } = require('../../support/rigged-store')

const BODY = 'twenty bytes of text'
/** Of an object whose ETag tells nothing. */
const SOURCE = { bytes: BODY.length, etag: '"of the source"' }

let rigged
let side
beforeEach(() => {
  rigged = createRiggedStore()
  side = { store: rigged.open(), key: 'key', text: 's3://bucket/key' }
})

/** Proves a write of BODY, by a store that shows it with another ETag or size only as a row says. */
function prove({
  settings,
  puts = true,
  via,
  single = false,
  noted = [],
  lastTry = true,
  source = SOURCE,
  run = {},
  before,
  proofs = [],
  ...attempt
}) {
  const prover = createProver({
    job: { settings, trust: { put: () => puts }, run },
    via: { reader: {}, asks: () => false, ...via },
    single,
    looks: single ? undefined : { of: async () => 'other', oneByOne: ask => ask(), headed() {} },
  })
  const order = { to: side, from: side, source, before, emit() {}, unproved: () => noted.push('unproved') }
  const sent = { source, notices: [], told: { etag: attempt.outcome.etag }, ...attempt }
  return passTime(prover.prove(order, sent, { expected: { known: {}, proofs }, lastTry }))
}
const UNPROVED = { verify: 'size', proved: false }
const PROVED = { verify: 'auto', proved: true }
const readerOf = schedule => ({ job: { engine: {}, settings: {}, run: {} }, reading() {}, schedule })

test('a list that is late, and tells the size of what was there before, does not make a copy a wrong one', async () => {
  const { etag } = rigged.put('key', BODY, 0)
  const weigh = async (_, { told }, { bytes }) => weighWritten({ bytes: BODY.length, sums: {} }, { ...told, bytes })
  const how = { settings: UNPROVED, via: { weigh }, outcome: { bytes: BODY.length, etag } }
  for (let object = 1; object <= 2; object++) expect(await prove(how)).toMatchObject({ etag, proof: ['size'] })
  expect(rigged.text('key')).toBe(BODY)
})

test('what was there before is not the copy, though its size is right and nothing has to be proved', async () => {
  rigged.put('key', BODY, 0)
  const before = { object: await side.store.head('key') }
  const outcome = { bytes: BODY.length, etag: '"of the answer"' }
  const weigh = async () => ({ verdict: 'proved', proofs: ['size'] })
  const again = await prove({ settings: UNPROVED, via: { weigh }, single: true, lastTry: false, before, outcome })
  expect(again).toEqual({ expected: expect.anything(), missing: false })
})

const UNFIT = { etag: '"opaque"', composite: { crc32: `${compositeCrc32(['00000001'])}-1` } }
const WRONG = { code: 'WRONG_COPY', message: expect.stringContaining('nothing is there now') }
const NO_MD5 = { etag: `"${'0'.repeat(32)}"` }
test.each([
  ['does not fit the checksum of its source is known to be wrong', UNFIT, WRONG, undefined],
  ['does not fit the ETag of its source, which may be no MD5, stays unproved', NO_MD5, { code: 'NOT_PROVED' }, BODY],
])('what %s, where the source cannot be read again', async (_, kept, error, there) => {
  const { etag } = rigged.put('key', BODY, 0)
  const noted = []
  const reader = readerOf(() => Promise.reject(new XferError('SOURCE_CHANGED', {})))
  const outcome = { bytes: BODY.length, etag, sums: { crc32: crcOf(BODY), md5: md5Of(BODY) } }
  const source = { bytes: BODY.length, ...kept }
  const proving = prove({ settings: PROVED, via: { reader }, lastTry: false, source, outcome, noted })
  await expect(proving).rejects.toMatchObject(error)
  expect([noted, rigged.text('key')]).toEqual([['unproved'], there])
})

test.each([
  ['sent, to a store that checks it, proves a write', true, true, true],
  ['sent, to a store that may not check it, proves nothing', true, false, false],
  ['not sent, proves nothing of a store that checks them', false, true, false],
])('a checksum that was %s', async (_, checksum, puts, checked) => {
  const asked = []
  const weigh = async (_order, _attempt, how) => {
    asked.push(how.checked)
    return { verdict: 'proved', proofs: ['size'] }
  }
  const outcome = { bytes: BODY.length, etag: rigged.put('key', BODY, 0).etag }
  await prove({ settings: UNPROVED, puts, via: { weigh }, checksum, outcome })
  expect(asked).toEqual([checked])
})

/** The route through an engine that does this with its part. */
function through(schedule, { proved, can = {} }) {
  const settings = { proved, attributes: { given: NO_METADATA } }
  return throughEngine({
    job: { source: side, destination: side, settings, trust: { put: () => false }, engine: { can }, run: {} },
    describer: { describe: async () => ({ attributes: { metadata: NO_METADATA }, notices: [], encrypted: false }) },
    reader: {},
    schedule,
  })
}
const plan = () => ({ sums: [], sent: false })
const orderOf = source => ({ from: side, to: side, source, emit() {} })

test.each([
  ['may run twice, so what is there may be its own', { once: false }, true],
  ['runs once, so what is there is not its own', { once: true }, false],
])('a conditional write that finds something there was sent by an engine that %s', async (_, can, open) => {
  const via = through(
    async ([part], { sign, explain }) => {
      await sign(part)
      throw explain({ side: 'write', known: errorOf('DESTINATION_EXISTS', { status: 412 }) })
    },
    { proved: false, can },
  )
  const source = { ...SOURCE, headers: {} }
  const failed = await via.send(orderOf(source), source, { known: {}, plan, condition: { ifNoneMatch: true } })
  expect({ code: failed.error.code, open: failed.open }).toEqual({ code: 'DESTINATION_EXISTS', open })
})

test.each([
  ['the checksum of its source proves it', { md5: md5Of(BODY) }, 1],
  ['nothing is known of its source', {}, 0],
  ['it is another one', { md5: md5Of('another') }, 0],
])('what is there after a lost answer counts where %s', async (_, known, count) => {
  const found = []
  const via = through(
    async ([part], { sign, settle }) => {
      await sign(part)
      rigged.put('key', BODY, Date.now())
      found.push(...(await settle([part])))
      throw errorOf('STORE_UNREACHABLE')
    },
    { proved: true },
  )
  const source = { ...SOURCE, headers: {} }
  await via.send(orderOf(source), source, { known, plan, condition: {} })
  expect(found).toMatchObject(Array(count).fill({ bytes: BODY.length, sums: known }))
})

// An engine reads, and the copy is to be proved, unless a row says otherwise.
test.each([
  ['proved', {}, 'done'],
  ['proved', { full: true }, 'read-back'],
  ['proved', { full: true, readable: false }, 'done'],
  ['unproved', {}, 'read-back'],
  ['unproved', { readable: false }, 'not-proved'],
  ['unproved', { proved: false }, 'done'],
  ['unproved', { proved: false, readable: false }, 'done'],
  ['contradicted', {}, 'read-back'],
  ['contradicted', { missing: true }, 'wrong'],
  ['contradicted', { proved: false }, 'wrong'],
  ['contradicted', { readable: false }, 'not-the-copy'],
])('what is %s (%j) is %s', (verdict, how, step) => {
  expect(stepAfter(verdict, { missing: false, readable: true, proved: true, full: false, ...how })).toBe(step)
})

test('an object of somebody else that is read back is left alone, though its size is right', async () => {
  const { etag } = rigged.put('key', BODY.toUpperCase(), 0)
  const told = { etag: '"of the answer"' }
  const reader = readerOf(async ([part], { sign }) => {
    const { read } = await sign(part)
    if (read.etag === told.etag) throw new XferError('OBJECT_CHANGED', {})
    return [{ ...part, sums: { crc32: crcOf(BODY.toUpperCase()) } }]
  })
  const via = { reader, asks: () => true, weigh: async () => ({ verdict: 'unproved', proofs: [] }) }
  const outcome = { bytes: BODY.length, ...told, sums: { crc32: '00000000' } }
  const proving = prove({ settings: PROVED, via, single: true, puts: false, outcome })
  await expect(proving).rejects.toMatchObject({ code: 'OBJECT_CHANGED' })
  expect((await side.store.head('key')).etag).toBe(etag)
})

const HALF = BODY.slice(0, 10)
const cancelled = { run: { cancel: AbortSignal.abort() } }
// What the readings show, or why they fail; the last one stays. What is there is what was written, unless a row says otherwise.
test.each([
  ['shows what was sent', [BODY], {}, 'read-back, stays, 1'],
  ['shows it the second time', [HALF, BODY], {}, 'read-back, stays, 2'],
  ['shows something else each time', [HALF], {}, 'WRONG_COPY, goes, 3'],
  ['shows something else, before it is written again', [HALF], { lastTry: false }, 'again, stays, 3'],
  ['finds nothing', ['NO_SUCH_KEY'], { there: null }, 'WRONG_COPY, none, 1'],
  ['finds nothing, though it is there', ['NO_SUCH_KEY'], {}, 'NOT_READ_BACK, stays, 3'],
  ['finds nothing at first, and then something else', ['NO_SUCH_KEY', HALF], {}, 'WRONG_COPY, goes, 3'],
  ['finds half of it', ['NO_SUCH_KEY'], { there: HALF, same: true }, 'WRONG_COPY, goes, 1'],
  ['finds half of another one', ['OBJECT_CHANGED'], { there: HALF }, 'OBJECT_CHANGED, stays, 1'],
  ['finds what was there before', ['OBJECT_CHANGED'], { there: HALF, old: true }, 'WRONG_COPY, stays, 1'],
  ['finds one that may not be looked at', ['OBJECT_CHANGED'], { fails: 'ACCESS_DENIED' }, 'NOT_READ_BACK, stays, 1'],
  ['cannot be understood', ['BAD_ANSWER'], {}, 'NOT_READ_BACK, stays, 1'],
  ['is denied', ['ACCESS_DENIED'], {}, 'NOT_PROVED, stays, 1'],
  ['finds it archived', ['ARCHIVED'], {}, 'NOT_PROVED, stays, 1'],
  ['fails otherwise', ['STORE_ERROR'], {}, 'NOT_READ_BACK, stays, 1'],
  ['is cancelled', ['INTERRUPTED'], cancelled, 'INTERRUPTED, stays, 1, unproved'],
])('a copy that nothing else proves is read back, which %s', async (_, readings, how, expected) => {
  const { there = BODY, same, old, fails, ...more } = how
  const { etag } = rigged.put('key', BODY, 0)
  if (there === null) rigged.objects.clear()
  else rigged.put('key', there, 0, same || there === BODY ? etag : undefined)
  const before = old && { object: await side.store.head('key') }
  side.store = { ...side.store, can: { ...side.store.can, written: true } }
  if (fails) side.store.head = async () => Promise.reject(errorOf(fails))
  let read = 0
  const reader = readerOf(async ([part]) => {
    read++
    const shown = readings.length > 1 ? readings.shift() : readings[0]
    if (/^[A-Z_]+$/.test(shown)) throw errorOf(shown)
    return [{ ...part, sums: { crc32: crcOf(shown) } }]
  })
  const noted = []
  const via = { reader, weigh: async () => ({ verdict: 'unproved', proofs: [] }) }
  const outcome = { bytes: BODY.length, etag, sums: { crc32: crcOf(BODY) } }
  const ended = await prove({ settings: PROVED, via, outcome, before, noted, ...more }).then(
    ({ proof }) => proof?.join() ?? 'again',
    ({ code }) => code,
  )
  const stays = rigged.text('key') === undefined ? (there === null ? 'none' : 'goes') : 'stays'
  expect([ended, stays, read, ...noted].join(', ')).toBe(expected)
})

const FIRST = { condition: { ifNoneMatch: true } }
test.each([
  ['is another one, if only its store copied it', 'contradicted', {}, 'COPY_REFUSED'],
  ['is another one, if only its store copied it, under a condition', 'contradicted', FIRST, 'OUTCOME_UNKNOWN'],
  ['is not proved, if only its store copied it', 'unproved', {}, 'NOT_PROVED'],
  ['may not be looked at', 'unproved', { ...UNPROVED, denied: true }, 'NOT_PROVED'],
  ['may not be looked at, which is enough', 'unproved', { ...UNPROVED, verify: 'none', denied: true }, 'done'],
  ['is proved, and may not be looked at', 'proved', { denied: true }, 'done'],
])('what was written, and %s', async (_, verdict, { denied, ...settings }, expected) => {
  const { etag } = rigged.put('key', BODY, 0)
  if (denied) side.store.head = async () => Promise.reject(errorOf('ACCESS_DENIED'))
  const via = { reader: undefined, weigh: async () => ({ verdict, proofs: [] }) }
  const outcome = { bytes: BODY.length, etag, sums: {} }
  const how = { settings: { ...PROVED, condition: {}, ...settings }, single: true, via, outcome }
  expect((await prove(how).catch(error => error)).code ?? 'done').toBe(expected)
  expect(rigged.text('key')).toBe(BODY)
})

const ANOTHER = 'other bytes, as many'
test.each([
  ['is sent again', { lastTry: false }, { expected: { known: { crc32: crcOf(ANOTHER) } } }],
  ['is wrong at the last try', {}, { code: 'WRONG_COPY' }],
  ['is damaged at its source, as a reading before has shown', { proofs: ['source-read'] }, { code: 'INTEGRITY' }],
  ['is damaged at its source, if both readings are equal', { again: BODY }, { code: 'INTEGRITY' }],
])('what was read does not fit what its source keeps: it %s', async (_, { again = ANOTHER, ...how }, expected) => {
  const { etag } = rigged.put('key', BODY, 0)
  const reader = readerOf(async ranges =>
    ranges.map(range => ({ ...range, sums: { crc32: crcOf(again.slice(range.start, range.start + range.bytes)) } })),
  )
  const kept = again === BODY ? '00000001' : crcOf(again)
  const source = { ...SOURCE, composite: { crc32: `${compositeCrc32([kept])}-1` } }
  const via = { reader, weigh: async () => ({ verdict: 'proved', proofs: [] }) }
  const outcome = { bytes: BODY.length, etag, sums: { crc32: crcOf(BODY) } }
  const ended = await prove({ settings: PROVED, via, source, outcome, ...how }).catch(error => error)
  expect(ended).toMatchObject(expected)
})
