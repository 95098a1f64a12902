'use strict'

/**
 * Invocations and activations, as clients see them. With XFER_TEST_APIHOST and XFER_TEST_AUTH set, the cases run against that platform
 * (which must allow some sixty invocations a minute).
 */

const { client, rawCall, rejection, startTarget, until, zip } = require('./target')

const MINE = '/api/v1/namespaces/_'
const MAX_BYTES = 1048576

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target
/** @type {ReturnType<typeof client>} */
let ow
const call = (method, path, options) => rawCall(target, method, path, options)
const post = (name, query = '?blocking=true', json = {}) => call('POST', `${MINE}/actions/${name}${query}`, { json })
const deploy = (name, action, more = {}) => ow.actions.update({ name, action, ...more })
/** Deploys a source, invokes it blocking and gives back the whole record, whatever became of it. */
async function record(source, { params = {}, ...more } = {}) {
  await deploy('t-case', source, more)
  return ow.actions
    .invoke({ name: 't-case', blocking: true, params })
    .catch(error => ({ ...error.error, http: error.statusCode }))
}
const annotation = (activation, key) => activation.annotations.find(item => item.key === key)?.value

beforeAll(async () => {
  target = await startTarget()
  ow = client(target)
  await ow.packages.update({ name: 't-invoke', package: { parameters: [{ key: 'from', value: 'package' }] } })
})
afterAll(async () => {
  for (const { name, namespace } of await ow.actions.list()) {
    const inPackage = namespace.split('/')[1]
    if (name.startsWith('t-')) await ow.actions.delete({ name: inPackage ? `${inPackage}/${name}` : name })
  }
  await ow.packages.delete({ name: 't-invoke' })
  await target.close()
})

// an update keeps the parameters and annotations of the case before
beforeEach(() => call('DELETE', `${MINE}/actions/t-case`))

describe('a blocking invocation', () => {
  test('answers the whole record, its id in the header, and no logs', async () => {
    await deploy('t-invoke/t-echo', 'function main(params) { console.log("line one"); return params }')
    const { status, headers, body } = await post('t-invoke/t-echo', '?blocking=true', { a: 1 })
    expect(status).toBe(200)
    expect(body).toEqual({
      activationId: expect.stringMatching(/^[0-9a-f]{32}$/),
      annotations: expect.any(Array),
      duration: expect.any(Number),
      end: expect.any(Number),
      logs: [],
      name: 't-echo',
      namespace: target.namespace,
      publish: false,
      response: { result: { a: 1, from: 'package' }, size: expect.any(Number), status: 'success', success: true },
      start: expect.any(Number),
      subject: expect.any(String),
      version: expect.stringMatching(/^0\.0\.\d+$/),
    })
    expect(headers['x-openwhisk-activation-id']).toBe(body.activationId)
    expect(annotation(body, 'path')).toBe(`${target.namespace}/t-invoke/t-echo`)
    expect(annotation(body, 'kind')).toBe('nodejs:20')
    expect(annotation(body, 'timeout')).toBe(false)
    expect(annotation(body, 'initTime')).toEqual(expect.any(Number))
    expect(body.duration).toBe(body.end - body.start)

    const stored = await until(() => ow.activations.get({ name: body.activationId }).catch(() => undefined))
    expect(stored).toEqual({ ...body, logs: [expect.stringMatching(/line one$/)] })
    expect((await call('GET', `${MINE}/activations/${body.activationId}/logs`)).body).toEqual({ logs: stored.logs })
    expect((await call('GET', `${MINE}/activations/${body.activationId}/result`)).body).toEqual(
      expect.objectContaining({ result: { a: 1, from: 'package' }, success: true, status: 'success' }),
    )
  })

  test('with result=true answers the result alone', async () => {
    await deploy('t-case', 'function main() { return { alone: true } }')
    expect((await post('t-case', '?blocking=true&result=true')).body).toEqual({ alone: true })
  })

  test('that outlasts its timeout parameter answers 202 and runs on; its record is 404 until then', async () => {
    await deploy('t-case', 'const main = ({ ms }) => new Promise(done => setTimeout(() => done({ late: true }), ms))')
    const { status, headers, body } = await post('t-case', '?blocking=true&timeout=50', { ms: 400 })
    expect(status).toBe(202)
    expect(body).toEqual({ activationId: headers['x-openwhisk-activation-id'] })
    const early = await rejection(ow.activations.get({ name: body.activationId }))
    expect(early.statusCode).toBe(404)
    const done = await until(() => ow.activations.get({ name: body.activationId }).catch(() => undefined))
    expect(done.response.result).toEqual({ late: true })
  })

  test.each(['0', '60001', 'soon'])('timeout=%s is refused', async timeout => {
    const { status, body } = await post('t-case', `?blocking=true&timeout=${timeout}`)
    expect(status).toBe(400)
    expect(body.error).toMatch(/^The query parameter 'timeout' was malformed:\n/)
  })
})

test('a non-blocking invocation answers 202 and the id at once', async () => {
  await deploy('t-case', 'function main() { return { done: true } }')
  const { activationId } = await ow.actions.invoke({ name: 't-case' })
  const done = await until(() => ow.activations.get({ name: activationId }).catch(() => undefined))
  expect(done.response).toEqual(expect.objectContaining({ result: { done: true }, success: true }))
  const { body } = await call('GET', `${MINE}/activations?name=t-case&limit=1`)
  expect(body).toEqual([expect.objectContaining({ activationId, statusCode: 0, name: 't-case' })])
})

describe('code', () => {
  test('a zipped folder with modules of its own is loaded from where it is unpacked', async () => {
    const action = zip({
      'package.json': JSON.stringify({ name: 'x', main: 'lib/entry.js' }),
      'lib/entry.js': 'exports.main = () => require("./deep/answer")',
      'lib/deep/answer.js': 'module.exports = { answer: 42, cwd: process.cwd(), dir: __dirname }',
    })
    await deploy('t-case', action)
    const result = await ow.actions.invoke({ name: 't-case', blocking: true, result: true })
    expect(result).toEqual({ answer: 42, cwd: expect.any(String), dir: expect.any(String) })
    expect(result.dir).toBe(`${result.cwd}/lib/deep`)
  })

  test('main may name a file and a function', async () => {
    await ow.actions.update({
      name: 't-case',
      action: {
        exec: {
          kind: 'nodejs:20',
          code: zip({ 'other.js': 'exports.run = () => ({ other: true })' }).toString('base64'),
          main: 'other.run',
        },
      },
    })
    expect(await ow.actions.invoke({ name: 't-case', blocking: true, result: true })).toEqual({ other: true })
  })

  test.each([
    ['a declared function', 'function main() { return { ok: 1 } }'],
    ['an arrow function', 'const main = async () => ({ ok: 1 })'],
    ['exports.main', 'exports.main = () => ({ ok: 1 })'],
    ['module.exports', 'module.exports = { main: () => ({ ok: 1 }) }'],
    ['require of a built-in', 'const { EOL } = require("node:os")\nfunction main() { return { ok: EOL.length } }'],
  ])('a plain source with %s', async (_case, source) => {
    expect((await record(source)).response.result).toEqual({ ok: 1 })
  })

  test.each([
    ['throws while it loads', 'throw new Error("at load")', /^Initialization has failed due to: Error: at load\n/],
    [
      'has no main',
      'exports.x = 1',
      /^Initialization has failed due to: Action entrypoint 'main' is not a function\.$/,
    ],
    ['exports a bare function', 'module.exports = () => ({})', /Action entrypoint 'main' is not a function\.$/],
    ['does not parse', 'functin main() {}', /^Initialization has failed due to: /],
    [
      'is a zip with everything in a folder',
      zip({ 'top/index.js': '' }),
      /Zipped actions must contain either package\.json or index\.js at the root\.$/,
    ],
    [
      'is no archive that is known',
      Buffer.from('not an archive at all!!!'),
      /There was an error uncompressing the action archive\. The file type is unsupported$/,
    ],
  ])('that %s is a developer error', async (_case, source, text) => {
    const failed = await record(source)
    expect(failed.http).toBe(502)
    expect(failed.response).toEqual(expect.objectContaining({ status: 'action developer error', success: false }))
    expect(failed.response.result.error).toMatch(text)
  })
})

describe('what becomes of a result', () => {
  test.each([
    [
      'a rejected promise',
      'async function main() { const e = new TypeError("no"); e.extra = 7; throw e }',
      'application error',
      { name: 'TypeError', message: 'no', extra: 7, stack: expect.stringContaining('no') },
    ],
    ['a rejection without a reason', 'const main = () => Promise.reject()', 'application error', {}],
    ['an error key, which drops the others', 'const main = () => ({ error: "x", other: 1 })', 'application error', 'x'],
    [
      'a synchronous throw',
      'function main() { throw new Error("sync boom") }',
      'action developer error',
      'An error has occurred: Error: sync boom',
    ],
    ['a string', 'const main = () => "text"', 'action developer error', 'The action did not return a dictionary.'],
    [
      'null',
      'const main = () => null',
      'action developer error',
      'The action did not produce a valid JSON or JSON Array response: null',
    ],
    [
      'an exit',
      'const main = () => process.exit(0)',
      'action developer error',
      'The action did not produce a valid response and exited unexpectedly.',
    ],
    [
      'an uncaught exception',
      'const main = () => new Promise(() => setTimeout(() => { throw new Error("late") }))',
      'action developer error',
      'The action did not produce a valid response and exited unexpectedly.',
    ],
  ])('%s', async (_case, source, status, error) => {
    const failed = await record(source)
    expect(failed.http).toBe(502)
    expect(failed.response).toEqual(expect.objectContaining({ result: { error }, status, success: false }))
    expect(failed.activationId).toMatch(/^[0-9a-f]{32}$/)
  })

  test('an exit while it loads is held until its limit, or told', async () => {
    const failed = await record('process.exit(1)', { limits: { timeout: 500 } })
    expect([failed.http, failed.response.status]).toEqual([502, 'action developer error'])
    // Installations that look after the container say at once that it exited.
    expect(failed.response.result.error).toMatch(
      target.real
        ? /^The action (exceeded its time limits of 500 milliseconds during initialization|did not initialize and exited unexpectedly)\.$/
        : /^The action exceeded its time limits of 500 milliseconds during initialization\.$/,
    )
    if (!target.real) expect(failed.duration).toBeGreaterThanOrEqual(500)
  })

  test('undefined is an empty result', async () => {
    expect((await record('function main() {}')).response.result).toEqual({})
  })

  test('an array is answered bare, even when the record was asked for', async () => {
    await deploy('t-case', 'const main = () => [1, 2]')
    const { status, body } = await post('t-case')
    expect([status, body]).toEqual([200, [1, 2]])
  })

  test.each(['new Promise(() => {})', '{ for (;;) {} }'])('a time-out ends it: %s', async body => {
    const failed = await record(`const main = () => ${body}`, { limits: { timeout: 300 } })
    expect(failed.http).toBe(502)
    expect(failed.response.status).toBe('action developer error')
    expect(failed.response.result.error).toBe('The action exceeded its time limits of 300 milliseconds.')
    expect(annotation(failed, 'timeout')).toBe(true)
  })

  test('a time-out while it loads says so', async () => {
    const failed = await record('for (;;) {}', { limits: { timeout: 300 } })
    expect(failed.response.result.error).toBe(
      'The action exceeded its time limits of 300 milliseconds during initialization.',
    )
  })

  test('a result that just fits is a success and one byte more is cut', async () => {
    await deploy('t-case', 'const main = ({ n }) => ({ x: "x".repeat(n) })')
    const around = JSON.stringify({ x: '' }).length
    const fits = await ow.actions.invoke({ name: 't-case', blocking: true, params: { n: MAX_BYTES - around } })
    expect(fits.response).toEqual(expect.objectContaining({ success: true, size: MAX_BYTES }))
    const error = await rejection(
      ow.actions.invoke({ name: 't-case', blocking: true, params: { n: MAX_BYTES - around + 1 } }),
    )
    const { response } = error.error
    expect([error.statusCode, response.status]).toEqual([502, 'application error'])
    const head = `The action produced a response that exceeded the allowed length: ${MAX_BYTES + 1} > ${MAX_BYTES} bytes. The truncated response was: {"x":"xxx`
    expect(response.result.error.slice(0, head.length)).toBe(head)
    expect(response.result.error.length).toBe(head.length - '{"x":"xxx'.length + MAX_BYTES)
  })
})

describe('what an invocation may ask', () => {
  test('the payload wins over the action, and the action over the package', async () => {
    await deploy('t-invoke/t-params', 'const main = p => p', { params: { from: 'action', own: 1, sent: 'action' } })
    const result = await ow.actions.invoke({
      name: 't-invoke/t-params',
      blocking: true,
      result: true,
      params: { sent: 'payload' },
    })
    expect(result).toEqual({ from: 'action', own: 1, sent: 'payload' })
  })

  test('parameters of a final action can not be overridden, others can be added', async () => {
    await deploy('t-case', 'const main = p => p', { params: { fixed: 1 }, annotations: { final: true } })
    expect((await post('t-case', '?blocking=true&result=true', { added: 2 })).body).toEqual({ fixed: 1, added: 2 })
    const { status, body } = await post('t-case', '?blocking=true', { fixed: 2 })
    expect([status, body.error]).toEqual([
      400,
      'Request defines parameters that are not allowed (e.g., reserved properties).',
    ])
  })

  test('no body is no parameters; an array and what is no JSON are refused', async () => {
    await deploy('t-case', 'const main = p => p')
    const path = `${MINE}/actions/t-case?blocking=true&result=true`
    expect((await call('POST', path)).body).toEqual({})
    for (const text of ['[1]', '{"a":']) {
      const { status, body } = await call('POST', path, { text })
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^The request content was malformed:/)])
    }
  })

  test('a payload of more than 1 MiB is 413', async () => {
    const text = JSON.stringify({ x: 'x'.repeat(2 * MAX_BYTES) })
    const { status, body, headers } = await call('POST', `${MINE}/actions/t-case?blocking=true`, { text })
    expect(status).toBe(413)
    expect(body).toEqual({
      error: `Request larger than allowed: ${text.length} > 1048576 bytes.`,
      code: headers['x-request-id'],
    })
  })

  test('an action that is not there is 404', async () => {
    for (const name of ['t-none', 't-none/x', 't-invoke/none']) {
      const error = await rejection(ow.actions.invoke({ name, blocking: true }))
      expect([error.statusCode, error.error.error]).toEqual([404, 'The requested resource does not exist.'])
    }
  })
})

test('the environment tells an action what it is and how long it has, and the key only when it is asked for', async () => {
  const source = `const atLoad = process.env.__OW_ACTION_NAME
    const main = () => ({ atLoad, env: Object.fromEntries(Object.entries(process.env).filter(([k]) => k.startsWith('__OW_'))) })`
  const before = Date.now()
  const { activationId, response } = await record(source, { limits: { timeout: 5_000 } })
  const name = `/${target.namespace}/t-case`
  expect(response.result.atLoad).toBe(name)
  const { env } = response.result
  expect(env).toEqual(
    expect.objectContaining({
      __OW_ACTION_NAME: name,
      __OW_ACTION_VERSION: expect.stringMatching(/^0\.0\.\d+$/),
      __OW_ACTIVATION_ID: activationId,
      __OW_NAMESPACE: target.namespace,
      __OW_TRANSACTION_ID: expect.any(String),
      __OW_API_HOST: expect.any(String),
    }),
  )
  expect(Number(env.__OW_DEADLINE)).toBeGreaterThanOrEqual(before + 5_000)
  expect(env).not.toHaveProperty('__OW_API_KEY')
  const asked = await record(source, { annotations: { 'provide-api-key': true } })
  expect(asked.response.result.env.__OW_API_KEY).toBe(target.auth)
})

test('an activation id that is none is 400', async () => {
  expect((await call('GET', `${MINE}/activations/short`)).status).toBe(400)
  expect((await call('GET', `${MINE}/activations/${'z'.repeat(32)}`)).status).toBe(400)
})
