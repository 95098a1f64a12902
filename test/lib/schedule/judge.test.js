'use strict'

const { Failure } = require('../../../actions/copy-range/failure')
const { explainWith, mayHaveWritten } = require('../../../lib/schedule')
const { explainAnswer } = require('../../../lib/stores/s3/explain')

const storeOf = facts => ({ facts, explain: answer => explainAnswer(answer, facts) })
const source = storeOf({ side: 'source', bucket: 'from', endpoint: 'http://from', location: 's3://from/k' })
const destination = storeOf({ side: 'destination', bucket: 'to', endpoint: 'http://to', location: 's3://to/k' })

/** What the library makes of a failure as the action tells it. */
const explain = (code, facts = {}, trailer = true) =>
  explainWith({ source, destination, trailer: () => trailer })(new Failure(code, facts).toJSON())

describe('an answer to', () => {
  test.each([
    ['read', 403, 'RequestTimeTooSkewed', 'SIGNATURE_TOO_OLD'],
    ['read', 404, 'NoSuchKey', 'SOURCE_CHANGED'],
    ['read', 412, 'PreconditionFailed', 'SOURCE_CHANGED'],
    ['read', 416, 'InvalidRange', 'SOURCE_CHANGED'],
    ['write', 404, 'NoSuchUpload', 'UPLOAD_GONE'],
    ['write', 409, 'ConditionalRequestConflict', 'UPLOAD_CONFLICT'],
    ['write', 501, 'NotImplemented', 'STORE_REFUSED'],
    ['write', 412, 'PreconditionFailed', 'DESTINATION_EXISTS'],
    ['write', 400, 'BadDigest', 'PART_CORRUPTED'],
    ['read', 403, 'InvalidObjectState', 'ARCHIVED'],
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
  ])('a write without a trailer of %i %s means %s', (status, storeCode, code) => {
    expect(explain('HTTP_STATUS', { side: 'write', status, storeCode }, false)).toMatchObject({ code })
  })
})

test('the words of the store are told whole, and without them nothing is told twice', () => {
  const refused = { side: 'write', status: 400, storeCode: 'InvalidArgument' }
  const message = f => explain('HTTP_STATUS', { ...refused, ...f }).message
  expect(message({ storeMessage: 'One thing. Another; and key=0123456789abcdefABCDEF0123456789abcdef.' })).toBe(
    'The destination refused the request (HTTP 400, InvalidArgument: One thing. Another; and …).',
  )
  // As an older action answers.
  expect(message({})).toBe('The destination refused the request (HTTP 400, InvalidArgument).')
  expect(message({ storeMessage: 'Invalid Argument' })).toBe(message({}))
})

test.each([
  ['UNREACHABLE', 'CONNECTION_FAILED', true],
  ['STALLED', 'STALLED', true],
  ['WRONG_RANGE', 'BAD_ANSWER', true],
  ['SUM_MISMATCH', 'READ_CORRUPTED', true],
  ['SOURCE_CHANGED', 'SOURCE_CHANGED', false],
  ['NOT_STARTED', 'NOT_STARTED', true],
  ['HEADERS_DIFFER', 'HEADERS_DIFFER', false],
  ['BAD_TASK', 'INTERNAL', false],
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

test.each([
  [{ code: 'HTTP_STATUS', side: 'write', status: 500 }, true],
  [{ code: 'HTTP_STATUS', side: 'write', status: 501 }, false],
  [{ code: 'HTTP_STATUS', side: 'write', status: 412 }, false],
  [{ code: 'HTTP_STATUS', side: 'read', status: 500 }, false],
  [{ code: 'CONNECTION_CUT', side: 'write' }, true],
  [{ code: 'STALLED', side: 'write' }, true],
  [{ code: 'STALLED' }, true],
  [{ code: 'UNREACHABLE', side: 'write' }, false],
  [{ code: 'NOT_STARTED' }, false],
])('after %j the write may have been carried out: %s', (failure, may) => {
  expect(mayHaveWritten(failure)).toBe(may)
})
