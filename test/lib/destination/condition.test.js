'use strict'

const { checkFound, asConditionError, readCondition } = require('../../../lib/destination')
const { XferError } = require('../../../lib/errors')
const { meaningOf } = require('../../../lib/stores/s3/explain')

const FACTS = { side: 'destination', location: 's3://bucket/key' }
const ETAG = '"9b2cf535f27731c974343645a3985328"'
const there = { denied: false, object: { etag: ETAG } }
const nothing = { denied: false }
const denied = { denied: true }

test.each([
  [{}, {}],
  [{ clobber: true }, {}],
  [{ clobber: false }, { ifNoneMatch: true }],
  [{ ifMatch: ETAG }, { ifMatch: ETAG }],
  [{ ifMatch: ETAG.replaceAll('"', '') }, { ifMatch: ETAG }],
  [{ ifMatch: 'abc-12', clobber: true }, { ifMatch: '"abc-12"' }],
])('%j asks for %j', (options, condition) => expect(readCondition(options)).toEqual(condition))

test.each(['', '""', '*', '"*"', 'W/"abc"', '"abc', 'abc"', 'a b', 'é', '"a","b"'])(
  '--if-match %j is refused',
  ifMatch => {
    expect(() => readCondition({ ifMatch })).toThrow(expect.objectContaining({ code: 'USAGE' }))
  },
)

test.each([
  ['nothing asked, something there', {}, there, undefined],
  ['nothing asked, nothing there', {}, nothing, undefined],
  ['nothing wanted, something there', { ifNoneMatch: true }, there, 'DESTINATION_EXISTS'],
  ['nothing wanted, nothing there', { ifNoneMatch: true }, nothing, undefined],
  ['nothing wanted, nobody may look', { ifNoneMatch: true }, denied, undefined],
  ['that one wanted, and there', { ifMatch: ETAG }, there, undefined],
  ['that one wanted, another there', { ifMatch: '"other"' }, there, 'DESTINATION_CHANGED'],
  ['that one wanted, nothing there', { ifMatch: ETAG }, nothing, 'DESTINATION_CHANGED'],
  ['that one wanted, nobody may look', { ifMatch: ETAG }, denied, undefined],
])('%s', (what, condition, found, code) => {
  const check = () => checkFound(found, condition, FACTS)
  if (code === undefined) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ code, exitCode: 7 }))
})

test.each([
  ['DESTINATION_EXISTS', { status: 412, storeCode: 'PreconditionFailed' }, 'DESTINATION_CHANGED'],
  ['NO_SUCH_KEY', { status: 404, storeCode: 'NoSuchKey' }, 'DESTINATION_CHANGED'],
  ['UPLOAD_GONE', { status: 404, storeCode: 'NoSuchKey' }, 'DESTINATION_CHANGED'],
  ['UPLOAD_GONE', { status: 404, storeCode: 'NoSuchUpload' }, 'UPLOAD_GONE'],
  ['STORE_ERROR', { status: 500, storeCode: 'InternalError' }, 'STORE_ERROR'],
])('%s of %j is %s where that object was wanted, and itself otherwise', (code, facts, changed) => {
  const error = new XferError(code, { ...FACTS, bucket: 'bucket', key: 'key', ...facts, ...meaningOf(facts) })
  expect(asConditionError(error, { ifMatch: ETAG }).code).toBe(changed)
  expect(asConditionError(error, { ifNoneMatch: true })).toBe(error)
  expect(asConditionError(error, {})).toBe(error)
})
