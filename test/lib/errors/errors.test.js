'use strict'

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { runInNewContext } = require('node:vm')
const { EXIT, TABLE, XferError, abortReason, asXferError, messageOf, throwIfAborted } = require('../../../lib/errors')
const { ENGINES } = require('../../../lib/engines')
const { STORES } = require('../../../lib/stores')

const side = {
  side: 'source',
  protocol: 'S3',
  bucket: 'bucket',
  endpoint: 'http://store:9000',
  location: 's3://bucket/key',
  terms: STORES[0].terms('source'),
}
const answered = { ...side, key: 'key', status: 503 }
const platform = {
  ...{ where: 'https://ow.example', action: 'xfer/copy-range' },
  ...{ platform: 'the OpenWhisk platform at https://ow.example', fn: 'the action xfer/copy-range' },
}
const ends = { source: 's3://a/x/', destination: 's3://b/x/' }
const wrapped = { reason: 'The source failed (HTTP 500).', advice: 'Repeat the command later.', exit: 1 }

// Engines and stores bring rows of their own, but for a store that has none.
for (const { errors } of [...ENGINES, ...STORES]) expect(Object.keys(errors ?? { NONE: 0 }).length).toBeGreaterThan(0)

test('what console.error prints of an error is what a log keeps, its stack and its cause', () => {
  const error = new XferError('STORE_REFUSED', { ...answered, reason: 'No' }, { cause: new Error('why') })
  const shown = inspect(error)
  expect(shown).toMatch(/^XferError: The source refused the request \(HTTP 503: No\)\. \{/)
  for (const told of ["code: 'STORE_REFUSED'", 'exitCode: 1', 'hint:', "bucket: 'bucket'", 'Error: why']) {
    expect(shown).toContain(told)
  }
  for (const internal of ['terms', 'container', 'retryable']) expect(shown).not.toContain(internal)
  // Without an answer of a store it has a stack.
  expect(inspect(new XferError('INTERNAL', { reason: 'x' }))).toMatch(/^XferError: .*\n {4}at .*errors\.test\.js/)
})

/** Rows that can count on the same. @param {string} codes @param {object} facts */
const each = (codes, facts) => Object.fromEntries(codes.split(' ').map(code => [code, facts]))

/** The facts that each row can count on, wherever it is thrown: nothing optional among them. */
const FACTS = {
  ...each(
    'NO_SUCH_KEY NO_SUCH_BUCKET CREDENTIALS_REFUSED CREDENTIALS_EXPIRED STORE_THROTTLED STORE_ERROR STORE_REFUSED COPY_REFUSED NO_ETAG ARCHIVED NO_SUCH_STORAGE_CLASS SIGNATURE_TOO_OLD UPLOAD_GONE UPLOAD_CONFLICT DESTINATION_CHANGED PART_CORRUPTED',
    answered,
  ),
  ...each('NOT_STARTED SOURCE_CHANGED HEADERS_DIFFER OBJECT_CHANGED', side),
  ...each('LAMBDA_FOREIGN ACTIVATION_OUT_OF_MEMORY', platform),
  USAGE: { text: '--chunk "abc" is not a size.' },
  BAD_LOCATION: {
    side: 'source',
    location: 's3://',
    reason: 'it names no bucket',
    forms: 's3://bucket/key or s3://profile@bucket/key',
  },
  SAME_OBJECT: [
    { location: 's3://bucket/key' },
    { location: 'az://a/b/c', inPlace: false },
    { source: 's3://bucket/a/', destination: 's3://bucket/a/b/' },
  ],
  NO_NAME: { key: 'photos/' },
  TOO_EXPENSIVE: [
    { total: 99, most: 5, unknown: [] },
    { total: 99, most: 5, unknown: ['PUT at Cloudflare R2'] },
  ],
  TOO_LARGE: [
    { bytes: 10 ** 15, most: 10 ** 14 },
    { most: 10 ** 12, maxParts: 10_000 },
  ],
  INPUT_FAILED: { reason: 'the disk is gone' },
  INPUT_DIFFERS: { what: 'size', expected: 4, found: 3 },
  STREAM_PASSED: { partNumber: 7 },
  BAD_JOURNAL: { path: 'journal', reason: 'it is empty' },
  SEAL_BROKEN: { path: 'm.ndjson', reason: 'it is not signed' },
  JOB_RUNNING: { job: '20260101-abcdef', pid: 7, host: 'here' },
  JOB_SPLIT: { job: '20260101-abcdef', ranges: 4, left: 3, running: 1, waiting: 2 },
  JOB_TAKEN: [{ job: '20260101-abcdef', pid: 7, host: 'there' }, { job: '20260101-abcdef' }],
  STUCK: { job: '20260101-abcdef', runs: 3 },
  STATE_UNSAFE: [{ location: 's3://bucket/state/' }, { location: 's3://bucket/state/', unknown: 'Oddity/1.0' }],
  BAD_MANIFEST: [
    { file: 'manifest.json', reason: 'it is no JSON' },
    { file: '0.csv.gz', row: 7, reason: 'it has no key' },
  ],
  ROW_OUTDATED: { reason: 'it is gone' },
  NO_SUCH_JOB: [{ job: 'x' }, {}, { running: 1, damaged: 0 }],
  NO_CREDENTIALS: { side: 'source' },
  NO_RANGES: { location: 'https://host/path', reason: 'sends no ranges of it' },
  ENCODED_SOURCE: { location: 'https://host/path', encoding: 'gzip' },
  LOCAL_WORKER_MISSING: { path: '/app/worker.js' },
  HANDLER_FAILED: { handler: 'onEvent', reason: 'it is not a function' },
  BAD_CREDENTIALS: { text: 'AZURE_STORAGE_KEY is no account key.', advice: 'Copy it again.' },
  ACCESS_DENIED: { ...answered, needs: 's3:GetObject on the source object' },
  ADDRESS_REFUSED: { ...side, reason: 'it is a link-local or metadata address' },
  NO_PLATFORM: [
    { engine: 'toy', what: 'toy' },
    { what: 'platform', neededBy: 'deploy', platforms: 'Toy nor Doll', advice: 'Configure one of them: Toy.' },
  ],
  WORKER_UNREACHABLE: { where: 'https://worker.example', reason: 'ECONNREFUSED' },
  WORKER_LOST: { where: 'https://worker.example', reason: 'ECONNRESET' },
  PLATFORM_UNREACHABLE: { ...platform, reason: 'no answer' },
  NOT_A_PLATFORM: { ...platform, reason: 'EPROTO' },
  PLATFORM_KEY_REFUSED: [
    { ...platform, status: 401 },
    { ...platform, reason: 'there is no profile "p"' },
  ],
  ACTION_NOT_DEPLOYED: { ...platform, status: 404 },
  ACTION_VERSION: { ...platform, reason: 'its outcomes do not answer the tasks' },
  ACTION_BROKEN: { ...platform, reason: 'Initialization has failed due to: SyntaxError' },
  PLATFORM_THROTTLED: { ...platform, status: 429, reason: 'Too many concurrent requests' },
  PLATFORM_ERROR: { ...platform, status: 500, reason: 'no reason given' },
  PLATFORM_REFUSED: { ...platform, status: 413, reason: 'no reason given' },
  PLATFORM_CONFLICT: { ...platform, status: 409, reason: 'Concurrent modification to resource detected' },
  ACTIVATION_FAILED: { ...platform, reason: 'its record cannot be read' },
  ACTIVATION_LOST: { ...platform, afterMs: 180_000 },
  ACTIVATION_TIMED_OUT: { ...platform, reason: 'The action exceeded its time limits of 1000 milliseconds' },
  ACTIVATION_EXITED: { ...platform, reason: 'The action did not produce a valid response and exited unexpectedly' },
  ACTION_NOT_LOADED: {
    ...platform,
    reason: 'The action exceeded its time limits of 1000 milliseconds during initialization',
  },
  CONTAINER_NOT_READY: { ...platform, reason: 'System not ready, status is starting' },
  PAYLOAD_TOO_LARGE: { ...platform, reason: 'Request larger than allowed: 2097165 > 1048576 bytes' },
  LOCAL_WORKER_FAILED: { reason: 'it exited with 1' },
  STORE_UNREACHABLE: { ...side, reason: 'ECONNREFUSED' },
  NOT_A_STORE: { ...side, reason: 'EPROTO' },
  CERTIFICATE_REFUSED: { ...side, reason: 'CERT_HAS_EXPIRED' },
  KEY_INVALID: { key: 'a.', reason: 'has a dot at its end' },
  LISTING_DISORDERED: { ...side, reason: 'it lists "a" behind "b"' },
  NAMES_FOLDED: { ...side, key: 'A' },
  KEY_UNREADABLE: { ...side, key: 'a\ufffd' },
  OUTCOME_UNKNOWN: { ...side, reason: 'it cannot be looked at' },
  CONNECTION_FAILED: { ...side, reason: 'the connection to the source was cut' },
  STALLED: { ...side, reason: 'nothing moved' },
  BAD_ANSWER: { ...side, reason: 'it told no size' },
  PART_FAILED: { ...wrapped, partNumber: 3, attempts: 4 },
  OUTAGE: { ...wrapped, peer: 'destination', where: 'http://store', forMs: 600_000 },
  TOO_MANY_FILES: { reason: 'EMFILE' },
  OBJECTS_FAILED: { objects: { failed: 2, chosen: 1000 }, failures: 'failed.txt' },
  NOTHING_FOUND: [
    { ...ends, deletes: true },
    { location: 's3://bucket/x', pattern: false },
  ],
  LISTING_UNPROVED: { ...ends, deletions: 2, lacks: 'KeyCount' },
  TOO_MANY_DELETIONS: { ...ends, deletions: 200, chosen: 300, limit: 'more than half of them' },
  UPLOAD_LEFT: { ...wrapped, uploadId: 'id', location: 's3://bucket/key' },
  DESTINATION_EXISTS: [side, { ...answered, others: true }],
  READ_CORRUPTED: { ...side, reason: 'its CRC-32 is another one' },
  MD5_DIFFERS: { ...side, reason: 'its MD5 is another one' },
  OBJECTS_DIFFER: [
    {
      ...ends,
      pairs: { listed: 3, equal: 1, differing: 1, missing: 1, extra: 0, failed: 0, filtered: 0 },
      names: ['one', 'two'],
      more: 0,
    },
    { source: 's3://a/x', destination: 's3://b/x', reason: 'the one has 1 byte, the other 2' },
    { ...side, sum: 'CRC-32', expected: 'AAAAAA==', found: 'BBBBBA==' },
  ],
  WRONG_COPY: { ...side, reason: 'bytes 0-9 are not what was sent', now: 'it was removed' },
  READ_BACK_REFUSED: { ...wrapped, ...side, reason: wrapped.reason },
  NOT_READ_BACK: { ...wrapped, ...side, reason: wrapped.reason },
  NOT_PROVED: { ...side, reason: 'it may not be read', instead: 'size|none' },
  INTEGRITY: { reason: '1 of 2 parts were copied' },
  TIMED_OUT: [{ afterMs: 1_800_000 }, { afterMs: 30_000, check: true }],
  INTERRUPTED: {},
  SOURCE_KEPT: { source: 's3://a/x', destination: 's3://b/x', reason: 'somebody has written it anew' },
  NOT_CONFIRMED: { location: 's3://b/x/', objects: 3 },
  FILE_UNWRITABLE: { reason: 'ENOSPC' },
  MANIFEST_UNWRITABLE: { path: 'm.ndjson', reason: 'ENOSPC' },
  FILE_FAILED: { side: 'source', path: '/data/x', of: 'read', storeCode: 'EIO' },
  NOT_A_FILE: { side: 'destination', path: '/data/x', what: 'is a folder' },
  FILE_SYNC_FAILED: { side: 'destination', path: '/data/x', of: 'write', storeCode: 'EIO' },
  REDIS_REFUSED: { side: 'destination', endpoint: 'redis://host:6379', storeCode: 'OOM', reason: 'its memory is full' },
  REDIS_BUSY: { side: 'source', storeCode: 'LOADING' },
  DISK_FULL: { side: 'destination', path: '/data/x', storeCode: 'ENOSPC', free: 10, bytes: 20_000 },
  INTERNAL: { reason: 'oops' },
}

test('every row has its facts in this table, and no other', () => {
  expect(Object.keys(FACTS).sort()).toEqual(Object.keys(TABLE).sort())
})

/** Each form that a row has. */
const FORMS = Object.entries(FACTS).flatMap(([code, facts]) => [facts].flat().map(each => ({ code, facts: each })))

describe.each(FORMS)('$code', ({ code, facts: given }) => {
  const optional = { storeCode: 'SlowDown', reason: 'because of it', activationId: 'abc', advice: 'Do this.' }
  const variants = [
    given,
    { ...given, side: 'destination' },
    { ...given, terms: undefined },
    { ...optional, ...given },
    ...Object.keys(optional).map(name => ({ [name]: undefined, ...given })),
  ]

  test.each(variants)('says one sentence of what happened and one of what to do (%#)', facts => {
    const error = new XferError(code, facts)
    for (const text of [error.message, error.hint]) {
      expect(text).toMatch(/^[-A-Z0-9"].*[^.]\.$/)
      expect(text).not.toMatch(/[.!?] +[A-Z]/)
      expect(text).not.toMatch(/undefined|null|NaN|\[object/)
    }
    expect(error).toMatchObject({ name: 'XferError', code, facts })
  })
})

describe('the table and the code', () => {
  const lib = join(__dirname, '..', '..', '..', 'lib')
  const files = readdirSync(lib, { recursive: true }).filter(name => name.endsWith('.js') && name !== 'errors.js')
  const text = files.map(name => readFileSync(join(lib, name), 'utf8')).join('\n')

  test('every code that is thrown is a row', () => {
    const thrown = [...text.matchAll(/new XferError\(\s*'(\w+)'/g)].map(match => match[1])
    expect(thrown.filter(code => !TABLE[code])).toEqual([])
  })

  test('every row is used', () => {
    expect(Object.keys(TABLE).filter(code => !text.includes(`'${code}'`))).toEqual([])
  })
})

describe('an error', () => {
  test('keeps its cause, and the exit status of what it wraps', () => {
    const cause = new XferError('ACCESS_DENIED', answered)
    const error = new XferError('PART_FAILED', { ...FACTS.PART_FAILED, exit: cause.exitCode }, { cause })
    expect(error).toMatchObject({ exitCode: EXIT.ACCESS, cause })
  })

  test('of another kind is wrapped as INTERNAL, and one of ours is not', () => {
    const ours = new XferError('INTERRUPTED')
    expect(asXferError(ours)).toBe(ours)
    const cause = new TypeError('oops')
    expect(asXferError(cause)).toMatchObject({ code: 'INTERNAL', cause, facts: { reason: 'oops' } })
    expect(asXferError('text')).toMatchObject({ code: 'INTERNAL', facts: { reason: 'text' } })
  })

  test('of an abort is its reason where that is one of ours, else the interruption', () => {
    const ours = new XferError('SOURCE_CHANGED')
    expect(abortReason(AbortSignal.abort(ours))).toBe(ours)
    expect(() => throwIfAborted(AbortSignal.abort('why'))).toThrow(
      expect.objectContaining({ code: 'INTERRUPTED', exitCode: 130, cause: 'why' }),
    )
    expect(() => throwIfAborted(new AbortController().signal)).not.toThrow()
    expect(() => throwIfAborted(undefined)).not.toThrow()
  })
})

describe('what a program prints of an error', () => {
  const cause = Object.assign(new Error('cut'), { code: 'ECONNRESET' })
  const error = new XferError('STORE_UNREACHABLE', { ...side, reason: 'ECONNRESET', retryAfterMs: 5 }, { cause })

  test('as JSON: what a log needs, with the message', () => {
    const { name, code, message, hint, exitCode, facts, ...others } = JSON.parse(JSON.stringify(error))
    expect(others).toEqual({})
    expect({ name, code, exitCode }).toEqual({ name: 'XferError', code: 'STORE_UNREACHABLE', exitCode: 1 })
    expect([message, hint]).toEqual([error.message, error.hint])
    expect(facts).toMatchObject({ side: 'source', endpoint: 'http://store:9000', reason: 'ECONNRESET' })
    expect(facts).not.toHaveProperty('terms')
  })
})

describe('whatever somebody else throws has a text:', () => {
  const circular = new Error('round')
  circular.cause = new Error('and round', { cause: circular })
  const secret = 'k'.repeat(20) + 'A1'.repeat(10)
  test.each([
    ['a value without a prototype', Object.create(null), 'it has no text'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an error of another realm', runInNewContext('new TypeError("it broke")'), 'it broke'],
    ['an error that is its own cause', circular, 'round'],
    ['a text with a secret', `the key ${secret}`, 'the key …'],
  ])('%s', (_, thrown, text) => {
    expect(messageOf(thrown)).toBe(text)
    const error = asXferError(thrown)
    expect(error).toMatchObject({ code: 'INTERNAL', facts: { reason: text } })
    expect(abortReason(AbortSignal.abort(thrown))).toMatchObject({ code: 'INTERRUPTED' })
    expect(inspect(error, { depth: null })).not.toContain(secret)
    expect(error.cause.message ?? error.cause).toBe(text)
  })
})
