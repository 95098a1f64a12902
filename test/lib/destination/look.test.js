'use strict'

const { XferError } = require('../../../lib/errors')
const { judge, leavesOpen } = require('../../../lib/destination')

const SENT = { kept: ['crc32'], bytes: 10, sums: { crc32: '12345678' }, etag: '"0123456789abcdef0123456789abcdef-2"' }
const OTHER_ETAG = '"fedcba9876543210fedcba9876543210-2"'
const there = facts => ({ denied: false, object: { bytes: 10, etag: OTHER_ETAG, lastModifiedMs: 1000, ...facts } })

test.each([
  ['nothing', { denied: false }, 'other'],
  ['what may not be looked at', { denied: true }, 'unknown'],
  ['another size', there({ bytes: 11, sums: SENT.sums, etag: SENT.etag }), 'other'],
  ['the same checksum', there({ sums: SENT.sums }), 'ours'],
  ['another checksum', there({ sums: { crc32: '00000001' } }), 'other'],
  ['another checksum, and the ETag', there({ sums: { crc32: '00000001' }, etag: SENT.etag }), 'other'],
  ['the ETag', there({ etag: SENT.etag }), 'ours'],
  ['the ETag, without its quotes', there({ etag: SENT.etag.replaceAll('"', '') }), 'ours'],
  ['a checksum of the parts, and the ETag', there({ composite: { crc32: 'x-2' }, etag: SENT.etag }), 'ours'],
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
  ['with a checksum of its parts is somebody else’s', there({ composite: { crc32: 'x-2' } }), 'other'],
  ['with the same checksum is ours', there({ sums: SENT.sums }), 'ours'],
  ['that may not be looked at is not known', { denied: true }, 'unknown'],
])('where the store shows the checksum of what was sent, what is there %s', (_, found, verdict) => {
  expect(judge(found, undefined, { ...SENT, summed: true })).toBe(verdict)
})

test('where no checksum was computed, one that is there says nothing', () => {
  expect(judge(there({ sums: { crc32: '00000001' } }), undefined, { ...SENT, sums: {} })).toBe('unknown')
  expect(judge(there({ sums: { crc32: '00000001' }, etag: SENT.etag }), undefined, { ...SENT, sums: {} })).toBe('ours')
})

test.each([
  ['STORE_ERROR', { status: 500 }, true],
  ['STORE_THROTTLED', { status: 503 }, true],
  ['STORE_UNREACHABLE', { reason: 'ECONNRESET' }, true],
  ['STORE_UNREACHABLE', { reason: 'no answer in time' }, true],
  ['STORE_UNREACHABLE', { reason: 'ECONNREFUSED' }, false],
  ['STORE_UNREACHABLE', { reason: 'ENOTFOUND' }, false],
  ['BAD_ANSWER', { status: 200, reason: 'it ends a completion with nothing' }, true],
  ['DESTINATION_EXISTS', { status: 412 }, false],
  ['UPLOAD_GONE', { status: 404 }, false],
  ['ACCESS_DENIED', { status: 403 }, false],
])('after %s (%j) a call may have been carried out: %s', (code, facts, open) => {
  expect(leavesOpen(new XferError(code, { side: 'destination', ...facts }))).toBe(open)
})
