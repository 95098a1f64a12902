'use strict'

const { Failure } = require('../../../actions/copy-range/failure')
const { explainWith, mayHaveWritten, taskMaker } = require('../../../lib/transfer')
const { explainAnswer } = require('../../../lib/stores/s3/explain')

const storeOf = facts => ({ facts, explain: answer => explainAnswer(answer, facts) })
const source = storeOf({ side: 'source', bucket: 'from', endpoint: 'http://from', location: 's3://from/k' })
const destination = storeOf({ side: 'destination', bucket: 'to', endpoint: 'http://to', location: 's3://to/k' })

/** What the library makes of a failure as the action tells it. */
const explain = (code, facts = {}, trailer = true) =>
  explainWith({ source, destination, trailer: () => trailer })(new Failure(code, facts).toJSON())

describe('an answer to', () => {
  test.each([
    ['read', 403, 'AccessDenied', 'ACCESS_DENIED'],
    ['read', 403, 'RequestTimeTooSkewed', 'SIGNATURE_TOO_OLD'],
    ['read', 404, 'NoSuchKey', 'SOURCE_CHANGED'],
    ['read', 404, 'NoSuchBucket', 'NO_SUCH_BUCKET'],
    ['read', 412, 'PreconditionFailed', 'SOURCE_CHANGED'],
    ['read', 416, 'InvalidRange', 'SOURCE_CHANGED'],
    ['read', 500, 'InternalError', 'STORE_ERROR'],
    ['read', 503, 'SlowDown', 'STORE_THROTTLED'],
    ['write', 403, 'AccessDenied', 'ACCESS_DENIED'],
    ['write', 404, 'NoSuchUpload', 'UPLOAD_GONE'],
    ['write', 404, 'NoSuchBucket', 'NO_SUCH_BUCKET'],
    ['write', 409, 'ConditionalRequestConflict', 'UPLOAD_CONFLICT'],
    ['write', 409, 'OperationAborted', 'STORE_ERROR'],
    ['write', 411, 'MissingContentLength', 'STORE_ERROR'],
    ['write', 501, 'NotImplemented', 'STORE_REFUSED'],
    ['write', 412, 'PreconditionFailed', 'DESTINATION_EXISTS'],
    ['write', 400, 'BadDigest', 'PART_CORRUPTED'],
    ['write', 400, 'IncompleteBody', 'STORE_ERROR'],
    ['write', 400, 'RequestTimeout', 'STORE_ERROR'],
    ['write', 403, 'SignatureDoesNotMatch', 'CREDENTIALS_REFUSED'],
    ['read', 403, 'InvalidObjectState', 'ARCHIVED'],
    ['write', 400, 'InvalidStorageClass', 'NO_SUCH_STORAGE_CLASS'],
    ['write', 503, 'SlowDown', 'STORE_THROTTLED'],
  ])('a %s of %i %s means %s', (side, status, storeCode, code) => {
    const store = side === 'read' ? source : destination
    expect(explain('HTTP_STATUS', { side, status, storeCode })).toMatchObject({
      code,
      facts: { ...store.facts, status, storeCode },
    })
  })

  test.each([
    [411, 'MissingContentLength', 'STORE_ERROR'],
    [411, undefined, 'STORE_REFUSED'],
    [501, 'NotImplemented', 'STORE_REFUSED'],
    [400, 'InvalidArgument', 'STORE_REFUSED'],
  ])('a write without a trailer of %i %s means %s', (status, storeCode, code) => {
    expect(explain('HTTP_STATUS', { side: 'write', status, storeCode }, false)).toMatchObject({ code })
  })

  test('a request that is a redirect is refused', () => {
    expect(explain('REDIRECTED', { side: 'read', status: 307 })).toMatchObject({ code: 'STORE_REFUSED' })
  })
})

test.each([
  ['UNREACHABLE', 'CONNECTION_FAILED', true],
  ['CONNECTION_CUT', 'CONNECTION_FAILED', true],
  ['STALLED', 'STALLED', true],
  ['WRONG_RANGE', 'BAD_ANSWER', true],
  ['BODY_LENGTH', 'BAD_ANSWER', true],
  ['SUM_MISMATCH', 'READ_CORRUPTED', true],
  ['BAD_ANSWER', 'BAD_ANSWER', true],
  ['SOURCE_CHANGED', 'SOURCE_CHANGED', false],
  ['NOT_STARTED', 'NOT_STARTED', true],
  ['CANCELLED', 'INTERRUPTED', false],
  ['HEADERS_DIFFER', 'HEADERS_DIFFER', false],
  ['BAD_TASK', 'INTERNAL', false],
  ['INTERNAL', 'INTERNAL', false],
])('%s of a function is %s, retryable: %s', (code, expected, retryable) => {
  expect(explain(code, { side: 'read', detail: 'why' })).toMatchObject({ code: expected, retryable })
})

test('a function that had no time left says so, whatever it was at', () => {
  expect(explain('STALLED', {})).toMatchObject({ code: 'NOT_STARTED', retryable: true })
})

test('a code of a newer action is a defect and not a crash', () => {
  for (const code of ['SOMETHING_NEW', 'constructor']) {
    const error = explainWith({ source, destination, trailer: () => true })({ code, message: 'Something new.' })
    expect(error).toMatchObject({ code: 'INTERNAL', facts: { reason: 'something new' } })
  }
})

test('what the peer asked for, and what was expected and found, are facts of the error', () => {
  expect(explain('HTTP_STATUS', { side: 'read', status: 503, retryAfterMs: 5000 })).toMatchObject({
    retryAfterMs: 5000,
  })
  expect(explain('BODY_LENGTH', { side: 'read', expected: 7, found: 6 }).facts).toMatchObject({ expected: 7, found: 6 })
})

test.each([
  [{ code: 'HTTP_STATUS', side: 'write', status: 500 }, true],
  [{ code: 'HTTP_STATUS', side: 'write', status: 503 }, true],
  [{ code: 'HTTP_STATUS', side: 'write', status: 408 }, true],
  [{ code: 'HTTP_STATUS', side: 'write', status: 501 }, false],
  [{ code: 'HTTP_STATUS', side: 'write', status: 412 }, false],
  [{ code: 'HTTP_STATUS', side: 'read', status: 500 }, false],
  [{ code: 'CONNECTION_CUT', side: 'write' }, true],
  [{ code: 'CONNECTION_CUT', side: 'read' }, false],
  [{ code: 'STALLED', side: 'write' }, true],
  [{ code: 'STALLED' }, true],
  [{ code: 'UNREACHABLE', side: 'write' }, false],
  [{ code: 'NOT_STARTED' }, false],
])('after %j the write may have been carried out: %s', (failure, may) => {
  expect(mayHaveWritten(failure)).toBe(may)
})

test("a task's requests bring the rules that their stores gave them", async () => {
  const [read, part] = [{ statuses: [200] }, { statuses: [202] }]
  const requested = accepts => ({ request: { method: 'GET', url: 'http://store/', headers: {}, accepts } })
  const make = taskMaker({
    source: { store: { read: async () => requested(read) }, key: 'key' },
    object: { etag: '"e"', bytes: 1 },
    write: async () => requested(part),
    sums: ['crc32'],
  })
  const task = await make({ partNumber: 1, start: 0, bytes: 1 })
  expect(task.read.accepts).toBe(read)
  expect(task.write.accepts).toBe(part)
})
