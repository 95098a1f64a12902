'use strict'

/** What a store can do to a copy. */

const KiB = 1024
const MiB = 1024 ** 2

const WRITES = ['UploadPart', 'PutObject']
const READS = ['GetObject']
/** Answered with a document, or with nothing. */
const CONTROL = ['CreateMultipartUpload', 'CompleteMultipartUpload', 'ListParts', 'AbortMultipartUpload']

/** What a copy may say when it was met more often than it tries again. */
const WORN_OUT = { PART_FAILED: 1, STORE_ERROR: 1, STORE_UNREACHABLE: 1, BAD_ANSWER: 1, UPLOAD_LEFT: 1 }
const CORRUPTED = { PART_FAILED: 8, PART_CORRUPTED: 8, READ_CORRUPTED: 8, INTEGRITY: 8, WRONG_COPY: 8 }
const CHANGED = { SOURCE_CHANGED: 6 }
const DENIED = { ACCESS_DENIED: 4, PART_FAILED: 4, UPLOAD_LEFT: 4 }

const SHORT_SILENCE = ['--io-timeout', '1']

/** @type {import('../fault-matrix').Row[]} */
module.exports = [
  { it: '500', fault: 'status', rule: { status: 500 }, many: WORN_OUT },
  {
    it: '500, when its work is done',
    fault: 'status',
    rule: { status: 500, afterWork: true },
    many: WORN_OUT,
  },
  { it: '503 SlowDown', fault: 'status', rule: { status: 503 }, many: WORN_OUT },
  { it: '429 with Retry-After', fault: 'status', rule: { status: 429, retryAfter: 1 }, boundMs: 240_000 },
  { it: '403', fault: 'status', rule: { status: 403, code: 'AccessDenied' }, once: { ACCESS_DENIED: 4 }, many: DENIED },
  {
    it: '404: it has forgotten the upload',
    fault: 'status',
    rule: { status: 404, code: 'NoSuchUpload' },
    meets: ['UploadPart', 'CompleteMultipartUpload'],
    once: { UPLOAD_GONE: 1 },
    many: { UPLOAD_GONE: 1, PART_FAILED: 1 },
  },
  { it: 'a pause before the work', fault: 'delayMs', rule: { delayMs: 400 } },
  { it: 'a pause between the work and its answer', fault: 'answerDelayMs', rule: { answerDelayMs: 400 } },
  {
    it: '200 and blanks, long before the rest of the answer',
    fault: 'blanks',
    rule: { blanks: 20, answerDelayMs: 2_000 },
    meets: ['CompleteMultipartUpload'],
    flags: SHORT_SILENCE,
  },
  {
    it: '200 and blanks, and in the end an error',
    fault: 'blanks',
    rule: { blanks: 20, answerDelayMs: 1_000, status: 500 },
    meets: ['CompleteMultipartUpload'],
    many: WORN_OUT,
  },
  {
    it: 'few bytes a second, for all together',
    fault: 'bytesPerSecond',
    rule: { bytesPerSecond: 16 * MiB, shared: true },
    meets: [...READS, ...WRITES],
  },
  {
    it: 'a write is cut in its middle',
    fault: 'cutAfterBytes',
    rule: { cutAfterBytes: 300 * KiB },
    meets: WRITES,
    many: WORN_OUT,
  },
  {
    it: 'a read is cut in its middle',
    fault: 'cutAfterBytes',
    rule: { cutAfterBytes: 300 * KiB, on: 'response' },
    meets: READS,
    many: WORN_OUT,
  },
  {
    it: 'an answer is cut in its middle',
    fault: 'cutAfterBytes',
    rule: { cutAfterBytes: 60, on: 'response' },
    meets: CONTROL,
    many: WORN_OUT,
  },
  {
    it: 'a byte is another one when it arrives',
    fault: 'flipByteAt',
    rule: { flipByteAt: 300 * KiB },
    meets: WRITES,
    many: CORRUPTED,
  },
  {
    it: 'a byte is another one when it is read',
    fault: 'flipByteAt',
    rule: { flipByteAt: 300 * KiB, on: 'response' },
    meets: READS,
    many: CORRUPTED,
  },
  {
    it: 'a byte rots on the disk, and is read back',
    fault: 'flipByteAt',
    rule: { flipByteAt: 300 * KiB, on: 'stored' },
    meets: WRITES,
    // What is read back wrong is copied again.
    flags: ['--verify', 'full'],
    many: CORRUPTED,
  },
  {
    it: 'a byte is another one when it is read, of a source that keeps no checksum',
    fault: 'flipByteAt',
    rule: { flipByteAt: 300 * KiB, on: 'response' },
    meets: READS,
    unsummed: true,
    // The rule flips the same byte each time: where both reads of a range are wrong alike, nobody can tell.
    onlyOnce: true,
    flags: ['--verify', 'full'],
  },
  {
    it: 'a write stops in its middle',
    fault: 'stall',
    rule: { stall: 300 * KiB },
    meets: WRITES,
    flags: SHORT_SILENCE,
    many: { ...WORN_OUT, STALLED: 1 },
  },
  {
    it: 'a read stops in its middle',
    fault: 'stall',
    rule: { stall: 300 * KiB, on: 'response' },
    meets: READS,
    flags: SHORT_SILENCE,
    many: { ...WORN_OUT, STALLED: 1 },
  },
  {
    it: 'an answer stops before its first byte',
    fault: 'stall',
    rule: { stall: true, on: 'response' },
    meets: ['CreateMultipartUpload'],
    flags: SHORT_SILENCE,
    many: { ...WORN_OUT, STALLED: 1 },
  },
  {
    it: 'the completion is done, and its answer stops before its first byte',
    fault: 'stall',
    rule: { stall: true, on: 'response' },
    meets: ['CompleteMultipartUpload'],
    // Some put the object together before they answer, so it is waited for a quarter of an hour.
    slow: true,
    boundMs: 2_500_000,
  },
  {
    it: 'it tells another ETag than it keeps',
    fault: 'etag',
    rule: { etag: '"0123456789abcdef0123456789abcdef"' },
    once: ({ moment }) => (moment === 'first request' || moment === 'the read' ? CHANGED : {}),
    many: CHANGED,
  },
  {
    it: 'a range is answered with everything',
    fault: 'ignoreRange',
    rule: { ignoreRange: true },
    meets: READS,
    many: WORN_OUT,
  },
  {
    it: 'a range is said to be another one',
    fault: 'wrongContentRange',
    rule: { wrongContentRange: true },
    meets: READS,
    many: WORN_OUT,
  },
  {
    it: 'the source is replaced, and conditions are ignored',
    fault: 'ignoreIfMatch',
    rule: { ignoreIfMatch: true },
    meets: READS,
    replaced: true,
    reads: 2,
    always: CHANGED,
  },
  {
    it: '200, and an error in the body',
    fault: 'errorInBody',
    rule: { errorInBody: true },
    // Which a HEAD has not: it is a 200 without a size.
    once: ({ moment }) => (moment === 'first request' ? { NOT_A_STORE: 1 } : {}),
    many: { ...WORN_OUT, NOT_A_STORE: 1 },
  },
  {
    it: 'the work is done, and 200 has an error in the body',
    fault: 'errorInBody',
    rule: { errorInBody: true, afterWork: true },
    once: ({ moment }) => (moment === 'first request' ? { NOT_A_STORE: 1 } : {}),
    many: { ...WORN_OUT, NOT_A_STORE: 1 },
  },
  { it: 'the work is done, and its answer lost', fault: 'loseAnswer', rule: { loseAnswer: true }, many: WORN_OUT },
  {
    it: 'half of a document, as if it were all',
    fault: 'truncateXml',
    rule: { truncateXml: true },
    meets: CONTROL,
    // An error that breaks off could be anybody's.
    many: { ...WORN_OUT, NOT_A_STORE: 1 },
  },
  { it: 'a document without end', fault: 'endless', rule: { endless: true }, meets: CONTROL, many: WORN_OUT },
]
