'use strict'

const { explainAnswer } = require('../../../../lib/stores/https/explain')

const FACTS = { side: 'source', bucket: 'host', endpoint: 'https://host', location: 'https://host/path', key: 'path' }
const NOW = Date.parse('2026-11-23T12:00:00Z')
const PLAIN = 'https://host/path'
const SIGNED = time => `${PLAIN}?X-Amz-Date=${time}&X-Amz-Expires=60&X-Amz-Signature=SECRET`
const explain = (answer, { url = PLAIN, redirected = false } = {}) =>
  explainAnswer({ of: 'read', ...answer }, FACTS, { url, redirected, nowMs: NOW })
const document = code => `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>SECRET</Message></Error>`

test.each([
  [{ status: 200 }, 'SOURCE_CHANGED'],
  [{ status: 302 }, 'STORE_REFUSED'],
  [{ status: 400 }, 'STORE_REFUSED'],
  [{ status: 401 }, 'ACCESS_DENIED'],
  [{ status: 403 }, 'ACCESS_DENIED'],
  [{ status: 404 }, 'NO_SUCH_KEY'],
  [{ status: 408 }, 'STORE_ERROR'],
  [{ status: 410 }, 'NO_SUCH_KEY'],
  [{ status: 412 }, 'SOURCE_CHANGED'],
  [{ status: 416 }, 'SOURCE_CHANGED'],
  [{ status: 429 }, 'STORE_THROTTLED'],
  [{ status: 500 }, 'STORE_ERROR'],
  [{ status: 501 }, 'STORE_REFUSED'],
  [{ status: 503 }, 'STORE_ERROR'],
  [{ status: 503, storeCode: 'SlowDown' }, 'STORE_THROTTLED'],
  [{ status: 403, body: document('NoSuchKey') }, 'NO_SUCH_KEY'],
  [{ status: 400, body: document('ExpiredToken') }, 'CREDENTIALS_EXPIRED'],
  [{ status: 403, body: '<html><Code>NoSuchKey</Code></html>' }, 'ACCESS_DENIED'],
  [{ status: undefined }, 'STORE_REFUSED'],
])('%j is %s', (answer, code) => {
  const error = explain(answer)
  expect(error).toMatchObject({ code, facts: { side: 'source', status: answer.status } })
  expect(JSON.stringify(error)).not.toContain('SECRET')
})

test.each([
  ['an address that has ended', 403, { url: SIGNED('20261123T115800Z') }, 'CREDENTIALS_EXPIRED'],
  ['an address that has not', 403, { url: SIGNED('20261123T115930Z') }, 'ACCESS_DENIED'],
  ['an address that a redirect led to', 403, { redirected: true }, 'CREDENTIALS_EXPIRED'],
  ['the same without a password', 401, { redirected: true }, 'CREDENTIALS_EXPIRED'],
  ['an ended address without an object', 404, { url: SIGNED('20261123T115800Z') }, 'NO_SUCH_KEY'],
])('the refusal of %s', (_, status, where, code) => {
  const error = explain({ status }, where)
  expect(error.code).toBe(code)
  if (code === 'CREDENTIALS_EXPIRED')
    expect(error.hint).toMatch(where.redirected ? /follows the redirect again/ : /new address.*goes on with the job/)
  expect(JSON.stringify(error)).not.toContain('SECRET')
})
