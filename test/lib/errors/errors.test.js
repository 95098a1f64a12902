'use strict'

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { runInNewContext } = require('node:vm')
const { EXIT, TABLE, XferError, abortReason, asXferError, messageOf, throwIfAborted } = require('../../../lib/errors')
const { ENGINES } = require('../../../lib/engines')
const { STORES } = require('../../../lib/stores')

const location = 's3://bucket/key'
const terms = STORES[0].terms('source')
const side = { side: 'source', protocol: 'S3', bucket: 'bucket', endpoint: 'http://store:9000', location, terms }
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
/** Each form that a row has. @param {...object} facts */
const forms = (...facts) => facts

const reason = 'because of this'
/** Of objects that are compared. */
const pairs = { listed: 3, equal: 1, differing: 1, missing: 1, extra: 0, failed: 0, filtered: 0 }

/** The facts that each row can count on, wherever it is thrown: nothing optional among them. */
const FACTS = {
  ...each('NO_SUCH_KEY NO_SUCH_BUCKET CREDENTIALS_REFUSED CREDENTIALS_EXPIRED STORE_THROTTLED STORE_ERROR', answered),
  ...each('STORE_REFUSED COPY_REFUSED NO_ETAG ARCHIVED NO_SUCH_STORAGE_CLASS SIGNATURE_TOO_OLD UPLOAD_GONE', answered),
  ...each('UPLOAD_CONFLICT DESTINATION_CHANGED PART_CORRUPTED', answered),
  ...each('NOT_STARTED SOURCE_CHANGED HEADERS_DIFFER OBJECT_CHANGED', side),
  ...each('ADDRESS_REFUSED STORE_UNREACHABLE NOT_A_STORE CERTIFICATE_REFUSED LISTING_DISORDERED', { ...side, reason }),
  ...each('OUTCOME_UNKNOWN CONNECTION_FAILED STALLED BAD_ANSWER READ_CORRUPTED MD5_DIFFERS', { ...side, reason }),
  ...each('READ_BACK_REFUSED NOT_READ_BACK', { ...wrapped, ...side, reason: wrapped.reason }),
  ...each('LAMBDA_FOREIGN ACTIVATION_OUT_OF_MEMORY', platform),
  ...each('PLATFORM_UNREACHABLE NOT_A_PLATFORM ACTION_VERSION ACTION_BROKEN', { ...platform, reason }),
  ...each('ACTIVATION_FAILED ACTIVATION_TIMED_OUT ACTIVATION_EXITED ACTION_NOT_LOADED', { ...platform, reason }),
  ...each('CONTAINER_NOT_READY PAYLOAD_TOO_LARGE', { ...platform, reason }),
  ...each('PLATFORM_THROTTLED PLATFORM_ERROR PLATFORM_REFUSED PLATFORM_CONFLICT', { ...platform, status: 409, reason }),
  ...each('WORKER_UNREACHABLE WORKER_LOST', { where: 'https://worker.example', reason }),
  ...each('INPUT_FAILED ROW_OUTDATED LOCAL_WORKER_FAILED TOO_MANY_FILES FILE_UNWRITABLE', { reason }),
  ...each('INTERNAL INTEGRITY', { reason }),
  ...each('BAD_JOURNAL SEAL_BROKEN MANIFEST_UNWRITABLE', { path: 'file', reason }),
  ...each('FILE_FAILED FILE_SYNC_FAILED', { side: 'source', path: '/data/x', of: 'read', storeCode: 'EIO' }),
  NOT_A_FILE: { side: 'destination', path: '/data/x', what: 'is a folder' },
  USAGE: { text: '--chunk "abc" is not a size.' },
  BAD_LOCATION: { side: 'source', location: 's3://', reason: 'it names no bucket', forms: 's3://bucket/key' },
  SAME_OBJECT: forms({ location: 's3://a/b' }, { location: 's3://a/b', inPlace: false }, ends),
  NO_NAME: { key: 'photos/' },
  TOO_EXPENSIVE: forms({ total: 99, most: 5, unknown: [] }, { total: 99, most: 5, unknown: ['PUT at Cloudflare R2'] }),
  TOO_LARGE: forms({ bytes: 10 ** 15, most: 10 ** 14 }, { most: 10 ** 12, maxParts: 10_000 }),
  INPUT_DIFFERS: { what: 'size', expected: 4, found: 3 },
  STREAM_PASSED: { partNumber: 7 },
  JOB_RUNNING: { job: '20260101-abcdef', pid: 7, host: 'here' },
  JOB_SPLIT: { job: '20260101-abcdef', ranges: 4, left: 3, running: 1, waiting: 2 },
  JOB_TAKEN: forms({ job: '20260101-abcdef', pid: 7, host: 'there' }, { job: '20260101-abcdef' }),
  STUCK: { job: '20260101-abcdef', runs: 3 },
  STATE_UNSAFE: forms({ location: 's3://bucket/state/' }, { location: 's3://bucket/state/', unknown: 'Oddity/1.0' }),
  BAD_MANIFEST: forms({ file: 'manifest.json', reason }, { file: '0.csv.gz', row: 7, reason }),
  NO_SUCH_JOB: [{ job: 'x' }, {}, { running: 1, damaged: 0 }],
  NO_CREDENTIALS: { side: 'source' },
  NO_RANGES: { location: 'https://host/path', reason: 'sends no ranges of it' },
  ENCODED_SOURCE: { location: 'https://host/path', encoding: 'gzip' },
  LOCAL_WORKER_MISSING: { path: '/app/worker.js' },
  HANDLER_FAILED: { handler: 'onEvent', reason },
  BAD_CREDENTIALS: { text: 'AZURE_STORAGE_KEY is no account key.', advice: 'Copy it again.' },
  ACCESS_DENIED: { ...answered, needs: 's3:GetObject on the source object' },
  NO_PLATFORM: forms(
    { engine: 'toy', what: 'toy' },
    { what: 'platform', neededBy: 'deploy', platforms: 'Toy nor Doll', advice: 'Configure one of them: Toy.' },
  ),
  PLATFORM_KEY_REFUSED: forms({ ...platform, status: 401 }, { ...platform, reason: 'there is no profile "p"' }),
  ACTION_NOT_DEPLOYED: { ...platform, status: 404 },
  ACTIVATION_LOST: { ...platform, afterMs: 180_000 },
  KEY_INVALID: { key: 'a.', reason: 'has a dot at its end' },
  NAMES_FOLDED: { ...side, key: 'A' },
  KEY_UNREADABLE: { ...side, key: 'a\ufffd' },
  PART_FAILED: { ...wrapped, partNumber: 3, attempts: 4 },
  OUTAGE: { ...wrapped, peer: 'destination', where: 'http://store', forMs: 600_000 },
  OBJECTS_FAILED: { objects: { failed: 2, chosen: 1000 }, failures: 'failed.txt' },
  NOTHING_FOUND: forms(
    { ...ends, deletes: true },
    { ...ends, leftOut: 2 },
    { ...ends, filesFrom: 'names' },
    { location: 's3://bucket/x', pattern: false },
  ),
  LISTING_UNPROVED: { ...ends, deletions: 2, lacks: 'KeyCount' },
  TOO_MANY_DELETIONS: { ...ends, deletions: 200, chosen: 300, limit: 'more than half of them' },
  UPLOAD_LEFT: { ...wrapped, uploadId: 'id', location: 's3://bucket/key' },
  DESTINATION_EXISTS: forms(side, { ...answered, others: true }),
  OBJECTS_DIFFER: forms(
    { ...ends, pairs, names: ['one', 'two'], more: 0 },
    { ...ends, reason: 'the one has 1 byte, the other 2' },
    { ...side, sum: 'CRC-32', expected: 'AAAAAA==', found: 'BBBBBA==' },
  ),
  WRONG_COPY: { ...side, reason: 'bytes 0-9 are not what was sent', now: 'it was removed' },
  MANIFEST_INCOMPLETE: { path: 'file', result: 'ACCESS_DENIED' },
  NOT_PROVED: { ...side, reason, instead: 'size|none' },
  TIMED_OUT: forms({ afterMs: 1_800_000 }, { afterMs: 30_000, check: true }),
  INTERRUPTED: {},
  SOURCE_KEPT: { ...ends, reason: 'somebody has written it anew' },
  NOT_CONFIRMED: { location: 's3://b/x/', objects: 3 },
  REDIS_REFUSED: { side: 'destination', endpoint: 'redis://host:6379', storeCode: 'OOM', reason },
  REDIS_BUSY: { side: 'source', storeCode: 'LOADING' },
  DISK_FULL: { side: 'destination', path: '/data/x', storeCode: 'ENOSPC', free: 10, bytes: 20_000 },
}

test('every row has its facts in this table, and no other', () => {
  expect(Object.keys(FACTS).sort()).toEqual(Object.keys(TABLE).sort())
})

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

test('every code that is thrown is a row, and every row is used', () => {
  const lib = join(__dirname, '..', '..', '..', 'lib')
  const files = readdirSync(lib, { recursive: true }).filter(name => name.endsWith('.js') && name !== 'errors.js')
  const text = files.map(name => readFileSync(join(lib, name), 'utf8')).join('\n')
  const thrown = [...text.matchAll(/new XferError\(\s*'(\w+)'/g)].map(match => match[1])
  expect(thrown.filter(code => !TABLE[code])).toEqual([])
  expect(Object.keys(TABLE).filter(code => !text.includes(`'${code}'`))).toEqual([])
})

test('an error keeps its cause, and the exit status of what it wraps', () => {
  const cause = new XferError('ACCESS_DENIED', answered)
  const error = new XferError('PART_FAILED', { ...FACTS.PART_FAILED, exit: cause.exitCode }, { cause })
  expect(error).toMatchObject({ exitCode: EXIT.ACCESS, cause })
})

test('an error of another kind is wrapped as INTERNAL, and one of ours is not', () => {
  const ours = new XferError('INTERRUPTED')
  expect(asXferError(ours)).toBe(ours)
  const cause = new TypeError('oops')
  expect(asXferError(cause)).toMatchObject({ code: 'INTERNAL', cause, facts: { reason: 'oops' } })
  expect(asXferError('text')).toMatchObject({ code: 'INTERNAL', facts: { reason: 'text' } })
})

test('an error of an abort is its reason where that is one of ours, else the interruption', () => {
  const ours = new XferError('SOURCE_CHANGED')
  expect(abortReason(AbortSignal.abort(ours))).toBe(ours)
  expect(() => throwIfAborted(AbortSignal.abort('why'))).toThrow(
    expect.objectContaining({ code: 'INTERRUPTED', exitCode: 130, cause: 'why' }),
  )
  expect(() => throwIfAborted(new AbortController().signal)).not.toThrow()
  expect(() => throwIfAborted(undefined)).not.toThrow()
})

test('as JSON an error is what a log needs, with the message', () => {
  const cause = Object.assign(new Error('cut'), { code: 'ECONNRESET' })
  const error = new XferError('STORE_UNREACHABLE', { ...side, reason: 'ECONNRESET', retryAfterMs: 5 }, { cause })
  const { message, hint } = error
  const { facts, ...others } = JSON.parse(JSON.stringify(error))
  expect(others).toEqual({ name: 'XferError', code: 'STORE_UNREACHABLE', exitCode: 1, message, hint })
  expect(facts).toMatchObject({ side: 'source', endpoint: 'http://store:9000', reason: 'ECONNRESET' })
  expect(facts).not.toHaveProperty('terms')
})

const circular = new Error('round')
circular.cause = new Error('and round', { cause: circular })
const secret = 'k'.repeat(20) + 'A1'.repeat(10)
test.each([
  ['a value without a prototype', Object.create(null), 'it has no text'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
  ['an error of another realm', runInNewContext('new TypeError("it broke")'), 'it broke'],
  ['an error that is its own cause', circular, 'round'],
  ['a text with a secret', `the key ${secret}`, 'the key …'],
])('whatever somebody else throws has a text: %s', (_, thrown, text) => {
  expect(messageOf(thrown)).toBe(text)
  const error = asXferError(thrown)
  expect(error).toMatchObject({ code: 'INTERNAL', facts: { reason: text } })
  expect(abortReason(AbortSignal.abort(thrown))).toMatchObject({ code: 'INTERRUPTED' })
  expect(inspect(error, { depth: null })).not.toContain(secret)
  expect(error.cause.message ?? error.cause).toBe(text)
})
