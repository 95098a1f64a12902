'use strict'

const { Failure } = require('../../../actions/copy-range/failure')
const { explainWith, mayHaveWritten, withRenewal } = require('../../../lib/schedule')
const { openStore, parsePlace } = require('../../../lib/stores')
const { explainAnswer } = require('../../../lib/stores/s3/explain')

const storeOf = facts => ({ facts, explain: answer => explainAnswer(answer, facts) })
const source = storeOf({ side: 'source', bucket: 'from', endpoint: 'http://from', location: 's3://from/k' })
const destination = storeOf({ side: 'destination', bucket: 'to', endpoint: 'http://to', location: 's3://to/k' })

/** What the library makes of a failure as the action tells it. */
const explain = (code, facts = {}, trailer = true) =>
  explainWith({ source: { store: source }, destination: { store: destination }, trailer: () => trailer })(
    new Failure(code, facts).toJSON(),
  )

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
])('an answer to a %s of %i %s means %s', (side, status, storeCode, code) => {
  const facts = { ...(side === 'read' ? source : destination).facts, status, storeCode }
  expect(explain('HTTP_STATUS', { side, status, storeCode })).toMatchObject({ code, facts })
})

test.each([
  ['write', 'destination', '/to/sub/f'],
  ['read', 'source', '/from/sub/f'],
])('below a prefix the %s of a file that is refused is told with its name', (side, name, path) => {
  const store = openStore(parsePlace('/to/', name), { side: name, keep: {} })
  const ends = { source: { store, key: 'from/sub/f' }, destination: { store, key: 'to/sub/f' } }
  const refused = new Failure('HTTP_STATUS', { side, status: 403, storeCode: 'EACCES' }).toJSON()
  const message = expect.stringContaining(`The ${name} denies access to "${path}"`)
  expect(explainWith(ends)(refused)).toMatchObject({ code: 'ACCESS_DENIED', message })
})

test.each([
  [411, 'MissingContentLength', 'STORE_ERROR'],
  [411, undefined, 'STORE_REFUSED'],
  [501, 'NotImplemented', 'STORE_REFUSED'],
])('an answer to a write without a trailer of %i %s means %s', (status, storeCode, code) => {
  expect(explain('HTTP_STATUS', { side: 'write', status, storeCode }, false)).toMatchObject({ code })
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
    const error = explainWith({ source: { store: source }, destination: { store: destination } })({
      code,
      message: 'Something new.',
    })
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
])('after %j the write may have been carried out: %s', (failure, may) => expect(mayHaveWritten(failure)).toBe(may))

const refused = { code: 'HTTP_STATUS', status: 403 }
const EXPIRED = { ...refused, storeCode: 'ExpiredToken' }
const SKEWED = { ...refused, storeCode: 'RequestTimeTooSkewed' }
/** What is asked of the store that signed it, which has new credentials, or not. */
const storeThat = (side, asked, renews) => ({
  ...(side === 'read' ? source : destination),
  ping: async () => void asked.push(`${side} ping`),
  async renew(request) {
    asked.push(`${side} renew ${request.url}`)
    if (renews === 'fails') throw new TypeError('no new ones')
    return renews
  },
  signsAnew(request, dateMs) {
    asked.push(`${side} time ${request.url} ${dateMs}`)
    return renews
  },
})

test.each([
  [{ ...EXPIRED, side: 'read' }, ['read renew from'], true],
  [{ ...EXPIRED, side: 'write' }, ['write renew to'], true],
  [{ ...EXPIRED, side: 'write' }, ['write renew to'], false],
  [{ ...EXPIRED, side: 'write' }, ['write renew to'], 'fails'],
  [{ ...SKEWED, side: 'write', dateMs: 5 }, ['write time to 5'], true],
  // An older action tells no time.
  [{ ...SKEWED, side: 'write' }, ['write ping', 'write time to undefined'], true],
  // What a verification reads is the destination's.
  [{ ...SKEWED, side: 'read', dateMs: 5 }, ['read time from 5', 'write time from 5'], false],
  [{ ...refused, storeCode: 'AccessDenied', side: 'write', dateMs: 5 }, ['write time to 5'], true],
  [{ ...refused, storeCode: 'AccessDenied', side: 'write' }, [], true],
  [{ ...refused, status: 404, side: 'write', dateMs: 5 }, [], true],
  [{ ...EXPIRED, code: 'STALLED', side: 'write' }, [], true],
])('a request signed too long ago is told by %j: %j, and that may help: %s', async (error, expected, renews) => {
  const asked = []
  const run = async () => [{ partNumber: 1 }, { partNumber: 2, error: { message: 'It failed.', ...error } }]
  const stores = { source: storeThat('read', asked, renews), destination: storeThat('write', asked, renews) }
  const tasks = [{}, { read: { url: 'from' }, write: { url: 'to' } }]
  const [fine, failed] = await withRenewal(/** @type {any} */ ({ run }), /** @type {any} */ (stores)).run(tasks)
  expect({ fine, asked }).toEqual({ fine: { partNumber: 1 }, asked: expected })
  expect(failed.error.signedAnew).toBe((renews === true && expected.length > 0) || undefined)
  expect(failed.error.known !== undefined).toBe(renews === 'fails')
})
