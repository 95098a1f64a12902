'use strict'

/** What a failed reading of the destination says: the function calls whatever it reads the source. */

const { Failure, FAILURES } = require('../../../actions/copy-range/failure')
const { explainRead } = require('../../../lib/verify')

const store = { facts: { side: 'destination', endpoint: 'http://store:9000' } }
const explain = (code, facts) => explainRead(store, 'OBJECT_CHANGED')(new Failure(code, facts).toJSON())
/** A status is the store's to explain; no reading asks for headers. */
const OTHERS = ['HTTP_STATUS', 'REDIRECTED', 'HEADERS_DIFFER']

test.each(Object.keys(FAILURES).filter(code => !OTHERS.includes(code)))('of %s names the destination alone', code => {
  const { message, hint } = explain(code, { side: 'read', detail: 'why', reason: 'why' })
  expect(`${message} ${hint}`).not.toMatch(/source|--verify size/)
})

test.each([
  ['crc32', 'READ_CORRUPTED', 'What was read from the destination is wrong (its CRC-32 is not the expected one).'],
  ['md5', 'MD5_DIFFERS', 'What was read from the destination is wrong (its MD5 is not the expected one).'],
])('a wrong %s is said to be not the expected one: it need not be one that the store keeps', (sum, code, message) => {
  expect(explain('SUM_MISMATCH', { side: 'read', sum })).toMatchObject({ code, message })
})
