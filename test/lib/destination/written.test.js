'use strict'

/** What is at the destination, and whether it is ours. */

const {
  checkFound,
  asConditionError,
  readCondition,
  judge,
  leavesOpen,
  removeWrong,
} = require('../../../lib/destination')
const { XferError } = require('../../../lib/errors')
const { explainAnswer } = require('../../../lib/stores/s3/explain')
const { startStore } = require('../../../sandbox/store')
const { bytesOf, get, openStore, put } = require('../../support/s3')

describe('the condition', () => {
  const FACTS = { side: 'destination', location: 's3://bucket/key' }
  const ETAG = '"9b2cf535f27731c974343645a3985328"'
  const there = { denied: false, object: { etag: ETAG } }
  const denied = { denied: true }

  test.each([
    [{ clobber: false }, { ifNoneMatch: true }],
    [{ ifMatch: ETAG }, { ifMatch: ETAG }],
    [{ ifMatch: ETAG.replaceAll('"', '') }, { ifMatch: ETAG }],
  ])('%j asks for %j', (options, condition) => expect(readCondition(options)).toEqual(condition))

  test.each(['', '""', '*', '"*"', 'W/"abc"', '"abc', 'abc"', 'a b', 'é', '"a","b"'])(
    '--if-match %j is refused',
    ifMatch => {
      expect(() => readCondition({ ifMatch })).toThrow(expect.objectContaining({ code: 'USAGE' }))
    },
  )

  test.each([
    ['nothing wanted, something there', { ifNoneMatch: true }, there, 'DESTINATION_EXISTS'],
    ['nothing wanted, nobody may look', { ifNoneMatch: true }, denied, undefined],
    ['that one wanted, and there', { ifMatch: ETAG }, there, undefined],
    ['that one wanted, another there', { ifMatch: '"other"' }, there, 'DESTINATION_CHANGED'],
    ['that one wanted, nobody may look', { ifMatch: ETAG }, denied, undefined],
  ])('%s', (what, condition, found, code) => {
    const check = () => checkFound(found, condition, FACTS)
    if (code === undefined) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ code, exitCode: 7 }))
  })

  test.each([
    ['DESTINATION_EXISTS', { status: 412, storeCode: 'PreconditionFailed' }, 'DESTINATION_CHANGED'],
    ['UPLOAD_GONE', { status: 404, storeCode: 'NoSuchKey' }, 'DESTINATION_CHANGED'],
    ['UPLOAD_GONE', { status: 404, storeCode: 'NoSuchUpload' }, 'UPLOAD_GONE'],
  ])('%s of %j is %s where that object was wanted, and itself otherwise', (code, facts, changed) => {
    const { noSuchKey } = explainAnswer({ of: 'write', ...facts }, FACTS).facts
    const error = new XferError(code, { ...FACTS, bucket: 'bucket', key: 'key', ...facts, noSuchKey })
    expect(asConditionError(error, { ifMatch: ETAG }).code).toBe(changed)
    expect(asConditionError(error, { ifNoneMatch: true })).toBe(error)
    expect(asConditionError(error, {})).toBe(error)
  })
})

describe('what is there after a write', () => {
  const SENT = { kept: ['crc32'], bytes: 10, sums: { crc32: '12345678' }, etag: '"0123456789abcdef0123456789abcdef-2"' }
  const OTHER_ETAG = '"fedcba9876543210fedcba9876543210-2"'
  const there = facts => ({ denied: false, object: { bytes: 10, etag: OTHER_ETAG, lastModifiedMs: 1000, ...facts } })

  test.each([
    ['nothing', { denied: false }, 'other'],
    ['what may not be looked at', { denied: true }, 'unknown'],
    ['another size', there({ bytes: 11, sums: SENT.sums, etag: SENT.etag }), 'other'],
    ['the same checksum', there({ sums: SENT.sums }), 'ours'],
    ['another checksum, and the ETag', there({ sums: { crc32: '00000001' }, etag: SENT.etag }), 'other'],
    ['the ETag', there({ etag: SENT.etag }), 'ours'],
    ['another ETag', there({}), 'unknown'],
  ])('%s where something was sent is judged %s', (what, found, verdict) => {
    expect(judge(found, undefined, SENT)).toBe(verdict)
    expect(judge(found, { denied: true }, SENT)).toBe(verdict)
    expect(judge(found, { denied: false }, SENT)).toBe(verdict)
  })

  test.each([
    ['the same checksum', there({ sums: SENT.sums }), 'unknown'],
    ['another checksum, and the ETag', there({ sums: { crc32: '00000001' }, etag: SENT.etag }), 'ours'],
  ])('of a store that may echo what it is sent, %s is judged %s', (_, found, verdict) => {
    expect(judge(found, undefined, { ...SENT, kept: [] })).toBe(verdict)
  })

  test.each([
    ['what was there before', there({}), 'other'],
    ['what was there before, written again', there({ lastModifiedMs: 999 }), 'unknown'],
    ['what was there before, with the ETag', there({ etag: SENT.etag }), 'unknown'],
  ])('%s is known by its time and ETag', (what, before, verdict) => {
    expect(judge(there({}), before, SENT)).toBe(verdict)
  })

  test.each([
    ['without a checksum is somebody else’s', there({}), 'other'],
    ['with the same checksum is ours', there({ sums: SENT.sums }), 'ours'],
  ])('where the store shows the checksum of what was sent, what is there %s', (_, found, verdict) => {
    expect(judge(found, undefined, { ...SENT, summed: true })).toBe(verdict)
  })

  test.each([
    ['STORE_ERROR', { status: 500 }, true],
    ['STORE_UNREACHABLE', { reason: 'ECONNRESET' }, true],
    ['STORE_UNREACHABLE', { reason: 'ECONNREFUSED' }, false],
    ['BAD_ANSWER', { status: 200, reason: 'it ends a completion with nothing' }, true],
    ['DESTINATION_EXISTS', { status: 412 }, false],
  ])('after %s (%j) a call may have been carried out: %s', (code, facts, open) => {
    expect(leavesOpen(new XferError(code, { side: 'destination', ...facts }))).toBe(open)
  })
})

describe('a wrong copy', () => {
  const WRONG = bytesOf(10, 'wrong')
  const GOOD = bytesOf(20, 'good')
  const THEIRS = bytesOf(30, 'theirs')

  let server
  let heedless
  let store
  let versioned
  let careless
  beforeAll(async () => {
    const buckets = ['bucket', { name: 'versioned', versions: true }]
    ;[server, heedless] = await Promise.all([startStore({ buckets }), startStore({ buckets, conditions: false })])
    store = openStore(server, 'bucket')
    versioned = openStore(server, 'versioned')
    careless = openStore(heedless, 'bucket')
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    for (const each of [store, versioned, careless]) each?.close()
    await Promise.all([server?.close(), heedless?.close()])
  })

  const bodyOf = async (place, key) => await get(place, key).catch(({ code }) => code)

  test('without versions nothing is there afterwards, nor what it replaced', async () => {
    for (const place of [store, careless]) {
      const etag = await put(place, 'plain', WRONG)
      expect(await removeWrong({ store: place, key: 'plain' }, { etag })).toMatch(/^it was removed, so that nothing is/)
      expect(await bodyOf(place, 'plain')).toBe('NO_SUCH_KEY')
    }
  })

  test('with versions that one goes, and the one before is there again', async () => {
    await put(versioned, 'again', GOOD)
    const etag = await put(versioned, 'again', WRONG)
    const { versionId } = await versioned.head('again')
    for (const written of [{ etag, versionId }, { etag }]) {
      if (written.versionId === undefined) written.etag = await put(versioned, 'again', bytesOf(11, 'wrong too'))
      expect(await removeWrong({ store: versioned, key: 'again' }, written)).toMatch(/the version before it/)
      expect((await get(versioned, 'again')).equals(GOOD)).toBe(true)
    }
  })

  test('what somebody else has written since is left alone', async () => {
    for (const place of [store, careless]) {
      const etag = await put(place, 'theirs', WRONG)
      await put(place, 'theirs', THEIRS)
      expect(await removeWrong({ store: place, key: 'theirs' }, { etag })).toMatch(/^somebody else has replaced it/)
      expect((await get(place, 'theirs')).equals(THEIRS)).toBe(true)
    }
  })

  test('what was removed by an attempt whose answer was lost is said to be gone', async () => {
    const etag = await put(store, 'lost', WRONG)
    // As Azurite, which finds the condition of a deletion unmet where no object is.
    server.faults.add({ operation: 'DeleteObject', nth: 1, loseAnswer: true })
    server.faults.add({ operation: 'DeleteObject', nth: 2, status: 412, code: 'PreconditionFailed' })
    expect(await removeWrong({ store, key: 'lost' }, { etag })).toMatch(/^it was removed, so that nothing is/)
    expect(await bodyOf(store, 'lost')).toBe('NO_SUCH_KEY')
  })

  test.each([
    ['a store', () => store, {}, /^the wrong object is still there, .*AccessDenied/],
    ['a bucket with versions', () => versioned, {}, /still there, .*; deleting its version \S+ brings back/],
  ])('where %s does not let it be removed it is said to be there', async (_, place, more, says) => {
    const etag = await put(place(), 'kept', WRONG)
    server.faults.add({ operation: 'DeleteObject', status: 403, code: 'AccessDenied' })
    expect(await removeWrong({ store: place(), key: 'kept' }, { etag, ...more })).toMatch(says)
    server.faults.clear()
    expect((await get(place(), 'kept')).equals(WRONG)).toBe(true)
  })
})
