'use strict'

/** What is at the destination, and whether it is ours. */

const { checkFound, asConditionError, readCondition, judge, leavesOpen } = require('../../../lib/destination')
const { XferError } = require('../../../lib/errors')
const { explainAnswer } = require('../../../lib/stores/s3/explain')

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

  test.each(['', '"*"', '"a","b"'])('--if-match %j is refused', ifMatch => {
    expect(() => readCondition({ ifMatch })).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

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
  ])('%s where something was sent is judged %s', (_, found, verdict) => {
    const befores = [undefined, { denied: true }, { denied: false }]
    expect(befores.map(before => judge(found, before, SENT))).toEqual(Array(3).fill(verdict))
  })

  test.each([
    ['the same checksum', { kept: [] }, there({ sums: SENT.sums }), 'unknown'],
    ['another checksum, and the ETag', { kept: [] }, there({ sums: { crc32: '00000001' }, etag: SENT.etag }), 'ours'],
    ['no checksum, where it was to show one,', { summed: true }, there({}), 'other'],
    ['the same one, where it was to show one,', { summed: true }, there({ sums: SENT.sums }), 'ours'],
  ])('%s of a store that may echo, or shows the checksum (%j), is judged by that', (_, how, found, verdict) => {
    expect(judge(found, undefined, { ...SENT, ...how })).toBe(verdict)
  })

  test.each([
    ['what was there before', there({}), 'other'],
    ['what was there before, written again', there({ lastModifiedMs: 999 }), 'unknown'],
    ['what was there before, with the ETag', there({ etag: SENT.etag }), 'unknown'],
  ])('%s is known by its time and ETag', (what, before, verdict) => {
    expect(judge(there({}), before, SENT)).toBe(verdict)
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
