'use strict'

/**
 * The platform as its clients see it. With XFER_TEST_APIHOST and XFER_TEST_AUTH set, the cases run against that platform.
 */

const { client, rawCall, rejection, startTarget, until, zip } = require('./target')

const MINE = '/api/v1/namespaces/_'

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target
/** @type {ReturnType<typeof client>} */
let ow
const result = (name, params = {}) => ow.actions.invoke({ name, blocking: true, result: true, params })

beforeAll(async () => {
  target = await startTarget()
  ow = client(target)
  await ow.packages.update({ name: 't-p', package: { parameters: [{ key: 'from', value: 'package' }] } })
})
afterAll(async () => {
  await ow.actions.delete({ name: 't-p/zipped' }).catch(() => {})
  await ow.packages.delete({ name: 't-p' })
  await target.close()
})
afterEach(() => rawCall(target, 'DELETE', `${MINE}/actions/t-case`))

/** More than a cold start takes: 980 ms were seen on a real platform. */
const LIMIT_MS = 2_000
const BROKEN = 'action developer error'

test.each([
  ['a rejected promise', 'async function main() { throw new TypeError("no") }', 'application error', /^no$/],
  ['an error beside other keys', 'const main = () => ({ error: "x", other: 1 })', 'application error', /^x$/],
  ['a synchronous throw', 'function main() { throw new Error("boom") }', BROKEN, /occurred: Error: boom/],
  ['a string', 'const main = () => "text"', BROKEN, /did not return a dictionary/],
  ['an exit', 'const main = () => process.exit(0)', BROKEN, /exited unexpectedly/],
  ['a time-out', 'const main = () => { for (;;) {} }', BROKEN, /time limits of 2000 milliseconds\./],
  ['an exit while it loads', 'process.exit(1)', BROKEN, /during initialization|exited unexpectedly/],
  ['more than 1 MiB', 'const main = () => ({ x: "x".repeat(2 ** 20) })', 'application error', /the allowed length/],
])('what becomes of %s', async (_, action, status, text) => {
  await ow.actions.update({ name: 't-case', action, limits: { timeout: LIMIT_MS } })
  const { statusCode, error: record } = await rejection(ow.actions.invoke({ name: 't-case', blocking: true }))
  expect(statusCode).toBe(502)
  expect(record).toMatchObject({ activationId: expect.stringMatching(/^[0-9a-f]{32}$/), response: { status } })
  const { error } = record.response.result
  expect(error.message ?? error).toMatch(text)
})

test('a zipped folder is loaded; a parameter of a final action is not overridden; a package gives parameters', async () => {
  const files = {
    'package.json': '{"main":"a.js"}',
    'a.js': 'exports.main = require("./b")',
    'b.js': 'module.exports = p => p',
  }
  const options = { params: { fixed: 1 }, annotations: { final: true } }
  await ow.actions.update({ name: 't-p/zipped', action: zip(files), ...options })
  expect(await result('t-p/zipped', { own: 2 })).toEqual({ from: 'package', fixed: 1, own: 2 })
  expect(await rejection(result('t-p/zipped', { fixed: 2 }))).toMatchObject({ statusCode: 400 })
})

test('an update keeps what it leaves out, merges annotations, and counts versions up', async () => {
  const update = (action, options) => ow.actions.update({ name: 't-case', action, ...options })
  await update('const main = () => ({})', { annotations: { a: 1 }, limits: { memory: 128 } })
  const updated = await update('const main = () => ({ b: 1 })', { annotations: { b: 2 } })
  expect(updated).toMatchObject({ version: '0.0.2', limits: { memory: 128 } })
  for (const [key, value] of Object.entries({ a: 1, b: 2 })) expect(updated.annotations).toContainEqual({ key, value })
  expect(await ow.actions.get({ name: 't-case', code: false })).not.toHaveProperty('exec.code')
})

test('records are found by their id and in a list of the action, whole with docs=true', async () => {
  await ow.actions.update({ name: 't-case', action: 'const main = p => p' })
  const since = Date.now() - 1000
  const { activationId } = await ow.actions.invoke({ name: 't-case', params: { a: 1 } })
  const record = await until(() => ow.activations.get({ name: activationId }).catch(() => undefined))
  expect(record.response).toMatchObject({ result: { a: 1 }, status: 'success', success: true })
  const list = await until(async () => {
    const found = await ow.activations.list({ name: 't-case', docs: true, since })
    return found.length > 0 && found
  })
  expect(list[0]).toMatchObject({ activationId, response: { result: { a: 1 } } })
})

test('a wrong key is 401, another namespace 403, what is not there 404', async () => {
  const status = async (path, options) => (await rawCall(target, 'GET', `/api/v1/namespaces/${path}`, options)).status
  const asked = ['somebody-elses/limits', '_/actions/t-none', '_/limits'].map(path => status(path))
  expect(await Promise.all([status('_/limits', { auth: 'no:body' }), ...asked])).toEqual([401, 403, 404, 200])
})
