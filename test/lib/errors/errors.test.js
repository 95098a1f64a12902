'use strict'

const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
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
const wrapped = { reason: 'The source failed (HTTP 500).', advice: 'Repeat the command later.', exit: 1 }

// Engines and stores bring rows of their own, but for a store that has none.
for (const { errors } of [...ENGINES, ...STORES]) expect(Object.keys(errors ?? { NONE: 0 }).length).toBeGreaterThan(0)

/** The facts that each row can count on, wherever it is thrown: nothing optional among them. */
const FACTS = {
  USAGE: { text: '--chunk "abc" is not a size.' },
  BAD_LOCATION: {
    side: 'source',
    location: 's3://',
    reason: 'it names no bucket',
    forms: 's3://bucket/key or s3://profile@bucket/key',
  },
  SAME_OBJECT: [{ location: 's3://bucket/key' }, { source: 's3://bucket/a/', destination: 's3://bucket/a/b/' }],
  NO_NAME: { key: 'photos/' },
  TOO_LARGE: [
    { bytes: 10 ** 15, most: 10 ** 14 },
    { most: 10 ** 12, maxParts: 10_000 },
  ],
  INPUT_FAILED: { reason: 'the disk is gone' },
  INPUT_DIFFERS: { what: 'size', expected: 4, found: 3 },
  STREAM_PASSED: { partNumber: 7 },
  BAD_JOURNAL: { path: 'journal', reason: 'it is empty' },
  JOB_RUNNING: { job: '20260101-abcdef', pid: 7, host: 'here' },
  NO_SUCH_KEY: answered,
  NO_SUCH_BUCKET: answered,
  NO_SUCH_JOB: { job: 'x' },
  NO_CREDENTIALS: { side: 'source' },
  CREDENTIALS_REFUSED: answered,
  NO_RANGES: { location: 'https://host/path', reason: 'sends no ranges of it' },
  ENCODED_SOURCE: { location: 'https://host/path', encoding: 'gzip' },
  CREDENTIALS_EXPIRED: answered,
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
  LAMBDA_FOREIGN: platform,
  ACTION_VERSION: { ...platform, reason: 'its outcomes do not answer the tasks' },
  ACTION_BROKEN: { ...platform, reason: 'Initialization has failed due to: SyntaxError' },
  PLATFORM_THROTTLED: { ...platform, status: 429, reason: 'Too many concurrent requests' },
  PLATFORM_ERROR: { ...platform, status: 500, reason: 'no reason given' },
  PLATFORM_REFUSED: { ...platform, status: 413, reason: 'no reason given' },
  PLATFORM_CONFLICT: { ...platform, status: 409, reason: 'Concurrent modification to resource detected' },
  ACTIVATION_FAILED: { ...platform, reason: 'its record cannot be read' },
  ACTIVATION_LOST: { ...platform, afterMs: 180_000 },
  ACTIVATION_OUT_OF_MEMORY: platform,
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
  STORE_THROTTLED: answered,
  STORE_ERROR: answered,
  STORE_REFUSED: answered,
  COPY_REFUSED: answered,
  NO_ETAG: answered,
  ARCHIVED: answered,
  NO_SUCH_STORAGE_CLASS: answered,
  SIGNATURE_TOO_OLD: answered,
  KEY_INVALID: { key: 'a.', reason: 'has a dot at its end' },
  LISTING_DISORDERED: { ...side, reason: 'it lists "a" behind "b"' },
  NAMES_FOLDED: { ...side, key: 'A' },
  KEY_UNREADABLE: { ...side, key: 'a\ufffd' },
  UPLOAD_GONE: answered,
  UPLOAD_CONFLICT: answered,
  OUTCOME_UNKNOWN: { ...side, reason: 'it cannot be looked at' },
  CONNECTION_FAILED: { ...side, reason: 'the connection to the source was cut' },
  STALLED: { ...side, reason: 'nothing moved' },
  BAD_ANSWER: { ...side, reason: 'it told no size' },
  PART_FAILED: { ...wrapped, partNumber: 3, attempts: 4 },
  OUTAGE: { ...wrapped, peer: 'destination', where: 'http://store', forMs: 600_000 },
  TOO_MANY_FILES: { reason: 'EMFILE' },
  OBJECTS_FAILED: { objects: { failed: 2, chosen: 1000 }, failures: 'failed.txt' },
  NOTHING_FOUND: [
    { source: 's3://a/x/', destination: 's3://b/x/', deletes: true },
    { location: 's3://bucket/x', pattern: false },
  ],
  LISTING_UNPROVED: { source: 's3://a/x/', destination: 's3://b/x/', deletions: 2, lacks: 'KeyCount' },
  TOO_MANY_DELETIONS: {
    source: 's3://a/x/',
    destination: 's3://b/x/',
    deletions: 200,
    chosen: 300,
    limit: 'more than half of them',
  },
  UPLOAD_LEFT: { ...wrapped, uploadId: 'id', location: 's3://bucket/key' },
  NOT_STARTED: side,
  SOURCE_CHANGED: side,
  HEADERS_DIFFER: side,
  OBJECT_CHANGED: side,
  DESTINATION_EXISTS: [side, { ...answered, others: true }],
  DESTINATION_CHANGED: answered,
  READ_CORRUPTED: { ...side, reason: 'its CRC-32 is another one' },
  MD5_DIFFERS: { ...side, reason: 'its MD5 is another one' },
  PART_CORRUPTED: answered,
  OBJECTS_DIFFER: [
    {
      source: 's3://a/x/',
      destination: 's3://b/x/',
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
  FILE_FAILED: { side: 'source', path: '/data/x', of: 'read', storeCode: 'EIO' },
  NOT_A_FILE: { side: 'destination', path: '/data/x', what: 'is a folder' },
  FILE_SYNC_FAILED: { side: 'destination', path: '/data/x', of: 'write', storeCode: 'EIO' },
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

  test('ends the command with a status of the list', () => {
    const { exit } = TABLE[code]
    expect(Object.values(EXIT)).toContain(exit)
    expect(exit).not.toBe(EXIT.OK)
  })

  test('is retryable wherever it is throttled', () => {
    const { retryable, throttled } = new XferError(code, given)
    expect([false, true]).toContain(retryable)
    if (throttled) expect(retryable).toBe(true)
  })
})

describe('the words of a store', () => {
  const terms = side => STORES[0].terms(side)

  test.each([
    ['STORE_UNREACHABLE', null, 'Check --dest-endpoint-url (not set: the store is AWS), the region and the network.'],
    [
      'NO_SUCH_BUCKET',
      '--dest-endpoint-url',
      "Check the bucket's name and the endpoint (set by --dest-endpoint-url), or create the bucket.",
    ],
  ])('%s says that the endpoint is set by %s', (code, from, hint) => {
    const { termsOf } = require('../../../lib/stores/s3/words')
    expect(new XferError(code, { ...FACTS[code], terms: termsOf('destination', from) }).hint).toBe(hint)
  })

  test.each([
    ['NO_SUCH_BUCKET', 'source', "Check the bucket's name and --source-endpoint-url, or create the bucket."],
    ['NOT_A_STORE', 'source', 'Check --source-endpoint-url: it must be the S3 API, not a web console.'],
    ['NO_SUCH_STORAGE_CLASS', 'destination', 'Name one that it has with --storage-class, or STANDARD.'],
    [
      'NO_CREDENTIALS',
      'destination',
      'Name a profile with --dest-profile or as s3://PROFILE@BUCKET/KEY, or set XFER_DEST_ACCESS_KEY_ID and XFER_DEST_SECRET_ACCESS_KEY.',
    ],
  ])('are in what to do about %s of the %s', (code, side, hint) => {
    expect(new XferError(code, { ...FACTS[code], side, terms: terms(side) }).hint).toBe(hint)
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

  test('every code that is looked for is a row', () => {
    const asked = [...text.matchAll(/\bcode\s*[!=]==\s*'([A-Z][A-Z_]+)'/g)].map(match => match[1])
    const ofTheAction = ['BAD_TASK', 'HTTP_STATUS', 'REDIRECTED', 'SUM_MISMATCH']
    const ofNode = /^E[A-Z]+$/
    expect(asked.filter(code => !TABLE[code] && !ofTheAction.includes(code) && !ofNode.test(code))).toEqual([])
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

  test('of a file that has no room says so', () => {
    expect.assertions(1)
    try {
      writeFileSync('/dev/full', 'x')
    } catch (cause) {
      expect(asXferError(cause)).toMatchObject({
        code: 'FILE_UNWRITABLE',
        message: expect.stringContaining('cannot be written (ENOSPC: the disk is full).'),
      })
    }
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

  test('in the console: none of what only xfer itself asks for', () => {
    const printed = inspect(error)
    expect(printed).toMatch(/code: 'STORE_UNREACHABLE'/)
    expect(printed).toMatch(/ECONNRESET/)
    expect(printed).not.toMatch(/^\s*'?(freeRetry|blameless|smaller|uncertain|shared|final|throttled)'?:/m)
    expect(error.shared).toBe(true)
    expect(error.cause.message).toBe('cut')
  })
})

test('an error of another realm is told by its message alone', () => {
  const foreign = runInNewContext('new TypeError("it broke")')
  expect(foreign instanceof Error).toBe(false)
  expect(asXferError(foreign)).toMatchObject({ code: 'INTERNAL', facts: { reason: 'it broke' } })
})

describe('whatever somebody else throws has a text:', () => {
  const circular = new Error('round')
  circular.cause = new Error('and round', { cause: circular })
  const secret = 'k'.repeat(20) + 'A1'.repeat(10)
  test.each([
    ['a value without a prototype', Object.create(null), 'it has no text'],
    ['one whose text cannot be made', { toString: () => thrower() }, 'it has no text'],
    [
      'an error whose message cannot be read',
      Object.defineProperty(new Error(), 'message', { get: thrower }),
      'it has no text',
    ],
    ['an error whose message is none', Object.assign(new Error('x'), { message: 5, name: 6, stack: null }), '5'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
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

  function thrower() {
    throw new TypeError('nobody looks at me')
  }
})

test('what was read wrongly from the destination is not taken for the source, nor can less be compared then', () => {
  for (const code of ['READ_CORRUPTED', 'MD5_DIFFERS']) {
    const error = new XferError(code, { ...FACTS[code], side: 'destination' })
    expect(error.message).toContain('from the destination')
    expect(error.message + error.hint).not.toMatch(/source|--verify size/)
  }
  expect(new XferError('MD5_DIFFERS', FACTS.MD5_DIFFERS).hint).toContain('--verify size')
})

test('a store that is alone is no destination', () => {
  const { message, hint } = new XferError('STORE_REFUSED', { ...answered, side: 'destination', alone: true })
  expect(message).toMatch(/^The store refused the request \(/)
  expect(hint).toMatch(/^Check what the store at /)
})

test('a container that was not ready may be meant to run several activations at once', () => {
  const { hint } = new XferError('CONTAINER_NOT_READY', FACTS.CONTAINER_NOT_READY)
  expect(hint).toMatch(/limits\.concurrency/)
  expect(hint).toMatch(/xfer deploy/)
})

test('a proxy of the side is named, not the variables', () => {
  const hint = facts => new XferError('STORE_UNREACHABLE', { ...side, reason: 'ECONNREFUSED', ...facts }).hint
  expect(hint({ proxied: true })).toMatch(/HTTPS_PROXY/)
  expect(hint({ proxied: true, ownProxy: true })).toMatch(/and the option source\.proxy\.$/)
})

test('a job of this process is said to be its own', () => {
  const { message, hint } = new XferError('JOB_RUNNING', { job: 'a', pid: 1, own: true })
  expect(message).toBe('This process is at work on the job a.')
  expect(hint).toBe('Wait until that copy is done, or stop it first.')
})

test.each([
  [90_000, '1 min 30 s'],
  [86_400_500, '1 d 500 ms'],
])('a copy that was stopped after %i ms says so with units', (afterMs, said) => {
  expect(new XferError('TIMED_OUT', { afterMs }).message).toBe(`The copy was stopped after ${said}, as --timeout says.`)
})
