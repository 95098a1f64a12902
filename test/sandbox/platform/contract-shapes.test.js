'use strict'

/**
 * Shapes in full, key by key: what anyone may read, summaries in lists, package bindings, sizes. With XFER_TEST_APIHOST and
 * XFER_TEST_AUTH set, the cases run against that platform.
 */

const { rawCall, startTarget } = require('./target')

const MINE = '/api/v1/namespaces/_'
const MIB = 1024 ** 2
const exec = { kind: 'nodejs:20', code: 'const main = params => params' }

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target
const call = (method, path, options) => rawCall(target, method, path, options)
const put = (path, json, query = '?overwrite=true') => call('PUT', `${MINE}/${path}${query}`, { json })
const keysOf = value => Object.keys(value).sort()
const number = expect.any(Number)
const array = expect.any(Array)

async function clear() {
  for (const name of ['t-bound', 't-shapes']) await call('DELETE', `${MINE}/packages/${name}?force=true`)
  await call('DELETE', `${MINE}/actions/t-shape`)
}
beforeAll(async () => {
  target = await startTarget()
})
beforeEach(clear)
afterAll(async () => {
  await clear()
  await target.close()
})

describe('what anyone may read', () => {
  test('GET / has limits in milliseconds and bytes, and for each runtime what tools choose by', async () => {
    const { body } = await call('GET', '/', { auth: null })
    expect(body).toMatchObject({ description: 'OpenWhisk', support: { github: expect.any(String) } })
    const ranges = ['action_duration', 'action_memory', 'action_logs'].flatMap(what => [
      `default_min_${what}`,
      `default_max_${what}`,
      `min_${what}`,
      `max_${what}`,
    ])
    const names = ['actions_per_minute', 'triggers_per_minute', 'concurrent_actions', 'sequence_length', ...ranges]
    expect(body.limits).toMatchObject(Object.fromEntries(names.map(name => [name, number])))
    expect(body.limits.max_action_memory % MIB).toBe(0)
    for (const runtime of body.runtimes.nodejs) {
      expect(runtime).toMatchObject({
        kind: expect.stringMatching(/^nodejs:\d+$/),
        image: expect.any(String),
        default: expect.any(Boolean),
        deprecated: expect.any(Boolean),
        attached: expect.any(Boolean),
        requireMain: expect.any(Boolean),
      })
    }
    expect(body.runtimes.nodejs.filter(runtime => runtime.default)).toHaveLength(1)
  })

  test('GET /api/v1 names the build and where its description is', async () => {
    const { body } = await call('GET', '/api/v1', { auth: null })
    expect(body).toMatchObject({
      description: 'OpenWhisk API',
      build: expect.any(String),
      buildno: expect.any(String),
      swagger_paths: expect.any(Object),
    })
  })

  test('any site may ask, and every answer says when it was given', async () => {
    const { headers } = await call('GET', '/api/v1/namespaces')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-headers']).toMatch(/Authorization/)
    expect(Math.abs(Date.parse(headers.date) - Date.now())).toBeLessThan(600_000)
  })
})

test('the limits of the namespace are in megabytes and milliseconds', async () => {
  const { body } = await call('GET', `${MINE}/limits`)
  const { body: info } = await call('GET', '/', { auth: null })
  expect(body).toMatchObject({
    minActionMemory: number,
    minActionTimeout: number,
    maxActionConcurrency: number,
    maxActionMemory: info.limits.max_action_memory / MIB,
    maxActionTimeout: info.limits.max_action_duration,
  })
})

describe('a summary in a list', () => {
  test('of a package', async () => {
    await put('packages/t-shapes', { parameters: [{ key: 'secret', value: 1 }] })
    const { body } = await call('GET', `${MINE}/packages?limit=200`)
    const found = body.find(({ name }) => name === 't-shapes')
    expect(keysOf(found)).toEqual(['annotations', 'binding', 'name', 'namespace', 'publish', 'updated', 'version'])
    expect(found).toMatchObject({ binding: false, namespace: target.namespace, publish: false, updated: number })
  })

  test('of an action', async () => {
    await put('packages/t-shapes', {})
    await put('actions/t-shapes/t-shape', { exec, parameters: [{ key: 'secret', value: 1 }] })
    const { body } = await call('GET', `${MINE}/actions/t-shapes/`)
    const keys = ['annotations', 'exec', 'limits', 'name', 'namespace', 'publish', 'updated', 'version']
    expect(keysOf(body[0])).toEqual(keys)
    expect(body[0]).toMatchObject({
      exec: { binary: false },
      namespace: `${target.namespace}/t-shapes`,
      annotations: array,
    })
  })

  test('thirty of them are a page, unless another number is asked for; 0 is as many as there may be', async () => {
    await put('packages/t-shapes', {})
    for (let i = 0; i < 32; i++) await put(`actions/t-shapes/t-${i}`, { exec })
    const count = async query => (await call('GET', `${MINE}/actions/t-shapes/${query}`)).body.length
    expect([await count(''), await count('?limit=0'), await count('?skip=30'), await count('?limit=5')]).toEqual([
      30, 32, 2, 5,
    ])
  })

  test.each([
    ['skip=-1', /^The query parameter 'skip' was malformed:\n/],
    ['limit=many', /^The query parameter 'limit' was malformed:\n/],
  ])('%s is refused', async (query, text) => {
    const { status, body } = await call('GET', `${MINE}/packages?${query}`)
    expect([status, body.error]).toEqual([400, expect.stringMatching(text)])
  })
})

describe('a binding', () => {
  beforeEach(async () => {
    await put('packages/t-shapes', { parameters: [{ key: 'from', value: 'package' }] })
    await put('actions/t-shapes/t-shape', { exec })
    const binding = { namespace: '_', name: 't-shapes' }
    await put('packages/t-bound', { binding, parameters: [{ key: 'bound', value: true }] })
  })

  test('shows the actions of the package behind it, and invokes them with the parameters of both', async () => {
    const { body } = await call('GET', `${MINE}/packages/t-bound`)
    expect(body.binding).toEqual({ namespace: target.namespace, name: 't-shapes' })
    expect(body.actions.map(({ name }) => name)).toEqual(['t-shape'])
    expect((await call('GET', `${MINE}/actions/t-bound/t-shape`)).body.exec.code).toBe(exec.code)
    const path = `${MINE}/actions/t-bound/t-shape?blocking=true&result=true`
    expect((await call('POST', path, { json: { own: 1 } })).body).toEqual({ from: 'package', bound: true, own: 1 })
  })

  test('takes no action, and is bound to a package that is there and is none itself', async () => {
    const refused = await put('actions/t-bound/other', { exec })
    expect([refused.status, refused.body.error]).toEqual([400, 'Operation not permitted on package binding.'])
    for (const [name, text] of [
      ['t-none', 'Binding references a package that does not exist.'],
      ['t-bound', 'Cannot bind to another package binding.'],
    ]) {
      const { status, body } = await put('packages/t-other', { binding: { namespace: '_', name } })
      expect([status, body.error]).toEqual([400, text])
    }
  })
})

describe('a written action', () => {
  test('that is deleted is shown a last time, and then there is none', async () => {
    await put('actions/t-shape', { exec })
    const { status, body } = await call('DELETE', `${MINE}/actions/t-shape`)
    expect([status, body.name]).toEqual([200, 't-shape'])
    expect((await call('DELETE', `${MINE}/actions/t-shape`)).status).toBe(404)
  })

  test.each([
    ['1.0', '1.0.0'],
    ['2', '2.0.0'],
  ])('version %s is stored as %s', async (version, stored) => {
    expect((await put('actions/t-shape', { exec, version })).body.version).toBe(stored)
  })

  test('counts its versions up, and gets the key annotation on its creation alone', async () => {
    await put('actions/t-shape', { exec, annotations: [{ key: 'provide-api-key', value: true }] })
    const { body } = await put('actions/t-shape', { exec })
    expect(body.version).toBe('0.0.2')
    expect(body.annotations).toEqual(
      expect.arrayContaining([
        { key: 'provide-api-key', value: true },
        { key: 'exec', value: 'nodejs:20' },
      ]),
    )
  })

  test('with more than 1 MiB of parameters is 413', async () => {
    const { status, body } = await put('actions/t-shape', {
      exec,
      parameters: [{ key: 'x', value: 'x'.repeat(MIB + 1) }],
    })
    expect([status, body.error]).toEqual([
      413,
      expect.stringMatching(/^parameters larger than allowed: \d+ > 1048576 by/),
    ])
  })

  test('read by the name of a package is 409, and neither is there by another method', async () => {
    await put('packages/t-shapes', {})
    const { status, body } = await call('GET', `${MINE}/actions/t-shapes`)
    expect([status, body.error]).toEqual([409, 'Resource by this name exists but is not in this collection.'])
    const wrong = await call('PUT', `${MINE}/activations`, { json: {} })
    expect([wrong.status, wrong.body.error]).toEqual([404, 'The requested resource could not be found.'])
  })

  test('sent as something else than JSON is refused', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await call('PUT', `${MINE}/actions/t-shape`, { text: 'x', headers })).status).toBe(415)
  })
})
