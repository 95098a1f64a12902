'use strict'

/**
 * The REST API's packages, actions and errors, as tools see them. With XFER_TEST_APIHOST and XFER_TEST_AUTH set, the cases run
 * against that platform.
 */

const { rawCall, startTarget, zip } = require('./target')

const NAMESPACES = '/api/v1/namespaces'
const MINE = `${NAMESPACES}/_`
const SOURCE = 'function main(params) { return params }'

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target
const call = (method, path, options) => rawCall(target, method, path, options)
const putAction = (name, body, query = '?overwrite=true') =>
  call('PUT', `${MINE}/actions/${name}${query}`, { json: body })
const putPackage = (name, body = {}, query = '?overwrite=true') =>
  call('PUT', `${MINE}/packages/${name}${query}`, { json: body })
const exec = { kind: 'nodejs:20', code: SOURCE }
const annotation = (entity, key) => entity.annotations.find(item => item.key === key)?.value

beforeAll(async () => {
  target = await startTarget()
})
afterAll(() => target.close())
afterEach(async () => {
  const { body: packages } = await call('GET', `${MINE}/packages`)
  for (const { name } of packages)
    if (name.startsWith('t-')) await call('DELETE', `${MINE}/packages/${name}?force=true`)
  const { body: actions } = await call('GET', `${MINE}/actions`)
  for (const { name } of actions) if (name.startsWith('t-')) await call('DELETE', `${MINE}/actions/${name}`)
})

describe('what anyone may read', () => {
  test('GET / gives limits and runtimes in JSON, also when asked with a content type as wskdeploy does', async () => {
    const headers = { 'content-type': 'application/json; charset=UTF-8' }
    const { status, headers: given, body } = await call('GET', '/', { auth: null, headers })
    expect(status).toBe(200)
    expect('application/json; charset=UTF-8').toContain(given['content-type'])
    expect(body.api_paths).toEqual(['/api/v1'])
    expect(body.limits).toEqual(
      expect.objectContaining({
        actions_per_minute: expect.any(Number),
        concurrent_actions: expect.any(Number),
        max_action_duration: expect.any(Number),
        max_action_memory: expect.any(Number),
      }),
    )
    expect(body.runtimes.nodejs).toContainEqual(
      expect.objectContaining({ kind: 'nodejs:20', default: true, deprecated: false }),
    )
  })

  test('GET /api/v1', async () => {
    const { status, body } = await call('GET', '/api/v1', { auth: null })
    expect(status).toBe(200)
    expect(body).toEqual(expect.objectContaining({ api_version: '1.0.0', api_version_path: 'v1' }))
  })
})

describe('who is asking', () => {
  test.each([
    ['no key', null, 'The resource requires authentication, which was not supplied with the request'],
    ['a wrong key', '00000000-0000-0000-0000-000000000000:wrong', 'The supplied authentication is invalid'],
  ])('%s is 401', async (_case, auth, text) => {
    const { status, headers, body } = await call('GET', NAMESPACES, { auth })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toMatch(/^Basic realm="OpenWhisk secure realm"/)
    expect(body.error).toBe(text)
  })

  test('a namespace of somebody else is 403', async () => {
    const { status, body } = await call('POST', `${NAMESPACES}/somebody-else/actions/x`, { json: {} })
    expect(status).toBe(403)
    expect(body.error).toBe("The supplied authentication is not authorized to access 'somebody-else/x'.")
  })

  test('the own namespace answers to its name and to _', async () => {
    expect((await call('GET', NAMESPACES)).body).toEqual([target.namespace])
    expect((await call('GET', `${NAMESPACES}/${target.namespace}/packages`)).status).toBe(200)
  })

  test('errors carry the transaction id, and so does every answer', async () => {
    const failed = await call('GET', `${MINE}/actions/t-nothing`)
    expect(failed.status).toBe(404)
    expect(failed.body).toEqual({
      error: 'The requested resource does not exist.',
      code: failed.headers['x-request-id'],
    })
    expect(failed.body.code).toMatch(/^\w{32}$/)
    const given = 'abcdefghijklmnopqrstuvwxyz012345'
    const taken = await call('GET', NAMESPACES, { headers: { 'x-request-id': given } })
    expect(taken.headers['x-request-id']).toBe(given)
  })
})

test('the limits of the namespace', async () => {
  const { status, body } = await call('GET', `${MINE}/limits`)
  expect(status).toBe(200)
  expect(body).toEqual(
    expect.objectContaining({ invocationsPerMinute: expect.any(Number), concurrentInvocations: expect.any(Number) }),
  )
})

describe('packages', () => {
  test('are written, versioned, read, listed and deleted', async () => {
    const created = await putPackage('t-p', { parameters: [{ key: 'a', value: 1 }] }, '')
    expect(created.status).toBe(200)
    expect(created.body).toEqual({
      annotations: [],
      binding: {},
      name: 't-p',
      namespace: target.namespace,
      parameters: [{ key: 'a', value: 1 }],
      publish: false,
      updated: expect.any(Number),
      version: '0.0.1',
    })
    expect((await putPackage('t-p')).body).toEqual(
      expect.objectContaining({ version: '0.0.2', parameters: [{ key: 'a', value: 1 }] }),
    )
    await putAction('t-p/a', { exec })
    const { body } = await call('GET', `${MINE}/packages/t-p`)
    expect(body.actions).toEqual([{ name: 'a', version: '0.0.1', annotations: expect.any(Array) }])
    expect(body.feeds).toEqual([])
    const { body: list } = await call('GET', `${MINE}/packages`)
    expect(list.find(({ name }) => name === 't-p')).toEqual(
      expect.objectContaining({ binding: false, version: '0.0.2' }),
    )

    const refused = await call('DELETE', `${MINE}/packages/t-p`)
    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatch(
      /^Package not empty \(contains 1 entit(y|ies)\)\. Set force param or delete package contents\.$/,
    )
    expect((await call('DELETE', `${MINE}/actions/t-p/a`)).status).toBe(200)
    expect((await call('DELETE', `${MINE}/packages/t-p`)).body.name).toBe('t-p')
    expect((await call('GET', `${MINE}/packages/t-p`)).status).toBe(404)
  })

  test.each([
    ['one that exists, not overwritten', () => putPackage('t-p', {}, ''), 409, /^resource already exists$/],
    ['the reserved name', () => putPackage('default'), 400, /^Package name 'default' is reserved\.$/],
    ['a name with bad characters', () => putPackage('t-%2Ax'), 400, /illegal characters/],
    ['the name of an action', () => putPackage('t-a'), 409, /exists but is not in this collection\.$/],
    ['an action by a package name', () => putAction('t-p', { exec }), 409, /exists but is not in this collection\.$/],
  ])('%s is refused', async (_case, put, status, text) => {
    await putPackage('t-p')
    await putAction('t-a', { exec })
    const { status: found, body } = await put()
    expect({ status: found, error: body.error }).toEqual({ status, error: expect.stringMatching(text) })
  })
})

describe('actions', () => {
  test('are stored with defaults, resolved kind, annotations and version', async () => {
    await putPackage('t-p')
    const { status, body } = await putAction('t-p/a', { exec: { kind: 'nodejs:default', code: SOURCE } })
    expect(status).toBe(200)
    expect(body).toEqual({
      annotations: expect.any(Array),
      exec: { kind: 'nodejs:20', code: SOURCE, binary: false },
      limits: expect.objectContaining({ timeout: 60_000, memory: 256, logs: 10, concurrency: 1 }),
      name: 'a',
      namespace: `${target.namespace}/t-p`,
      parameters: [],
      publish: false,
      updated: expect.any(Number),
      version: '0.0.1',
    })
    expect(annotation(body, 'exec')).toBe('nodejs:20')
    expect(annotation(body, 'provide-api-key')).toBe(false)
  })

  test('an update keeps what it leaves out, merges annotations and replaces parameters', async () => {
    await putAction('t-a', {
      exec,
      parameters: [
        { key: 'one', value: 1 },
        { key: 'two', value: 2 },
      ],
      annotations: [
        { key: 'kept', value: 'k' },
        { key: 'changed', value: 'old' },
      ],
      limits: { timeout: 1_000, memory: 128 },
    })
    const { body } = await putAction('t-a', {
      parameters: [{ key: 'three', value: 3 }],
      annotations: [{ key: 'changed', value: 'new' }],
      limits: { timeout: 2_000 },
    })
    expect(body.version).toBe('0.0.2')
    expect(body.exec.code).toBe(SOURCE)
    expect(body.parameters).toEqual([{ key: 'three', value: 3 }])
    expect([annotation(body, 'kept'), annotation(body, 'changed')]).toEqual(['k', 'new'])
    expect(body.limits.timeout).toBe(2_000)
    const given = await putAction('t-a', { version: '3.1.4' })
    expect(given.body.version).toBe('3.1.4')
  })

  test('GET shows the code unless told not to; lists never do', async () => {
    await putPackage('t-p')
    await putAction('t-p/a', { exec })
    await putAction('t-a', { exec })
    expect((await call('GET', `${MINE}/actions/t-p/a`)).body.exec).toEqual(expect.objectContaining({ code: SOURCE }))
    expect((await call('GET', `${MINE}/actions/t-p/a?code=false`)).body.exec).toEqual({
      kind: 'nodejs:20',
      binary: false,
    })
    const { body: all } = await call('GET', `${MINE}/actions?limit=0`)
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 't-a']))
    expect(all[0].exec).toEqual({ binary: false })
    const { body: inPackage } = await call('GET', `${MINE}/actions/t-p/`)
    expect(inPackage.map(({ name }) => name)).toEqual(['a'])
  })

  test('lists are paged and counted, and refuse limits out of range', async () => {
    for (const name of ['t-1', 't-2', 't-3']) await putAction(name, { exec })
    expect((await call('GET', `${MINE}/actions?limit=2`)).body).toHaveLength(2)
    expect((await call('GET', `${MINE}/actions?count=true`)).body).toEqual({ actions: 3 })
    const { status, body } = await call('GET', `${MINE}/actions?limit=201`)
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^The query parameter 'limit' was malformed:\n/)])
  })

  test.each([
    ['one that exists, not overwritten', 't-a', { exec }, '', 409, /^resource already exists$/],
    ['no exec', 't-new', {}, '', 400, /^exec undefined$/],
    [
      'an unknown kind',
      't-new',
      { exec: { kind: 'cobol:85', code: 'x' } },
      '',
      400,
      /malformed:\nThe specified runtime 'cobol:85' is not supported/,
    ],
    ['a package that is not there', 't-none/a', { exec }, '', 404, /^The requested resource does not exist\.$/],
    [
      'too much memory',
      't-new',
      { exec, limits: { memory: 10_240 } },
      '',
      400,
      /^requirement failed: memory size 10240 MB exceeds allowed threshold of \d+ MB$/,
    ],
    [
      'too little memory',
      't-new',
      { exec, limits: { memory: 16 } },
      '',
      400,
      /^requirement failed: memory size 16 MB below allowed threshold of \d+ MB$/,
    ],
    [
      'too much time',
      't-new',
      { exec, limits: { timeout: 86_400_000 } },
      '',
      400,
      /^requirement failed: duration 86400000 milliseconds exceeds allowed threshold of \d+ milliseconds$/,
    ],
    [
      'concurrency in a container',
      't-new',
      { exec, limits: { concurrency: 5000 } },
      '',
      400,
      /^requirement failed: concurrency 5000 exceeds allowed threshold of \d+$/,
    ],
  ])('%s is refused', async (_case, name, body, query, status, text) => {
    await putAction('t-a', { exec })
    const answer = await putAction(name, body, query)
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error: expect.stringMatching(text) })
  })

  test('a body that is no JSON is malformed', async () => {
    const { status, body } = await call('PUT', `${MINE}/actions/t-a`, { text: '{"exec":' })
    expect(status).toBe(400)
    expect(body.error).toMatch(/^The request content was malformed:/)
  })

  test('code is taken for an archive exactly when it is base64', async () => {
    const archive = zip({ 'index.js': 'exports.main = () => ({})' }).toString('base64')
    // what the request says of it is ignored
    expect((await putAction('t-a', { exec: { ...exec, binary: true } })).body.exec.binary).toBe(false)
    expect((await putAction('t-a', { exec: { ...exec, code: archive, binary: false } })).body.exec.binary).toBe(true)
  })

  test('a zip of more than 20 MB is taken, and larger code than allowed is 413', async () => {
    // not by the client library: it gives up when connecting takes 10 s, and here one thread makes, sends and reads all this
    const noise = require('node:crypto').randomBytes(22 * 1024 * 1024)
    const files = { 'index.js': 'exports.main = () => ({ ok: true })', 'noise.bin': noise }
    const code = zip(files, 0).toString('base64')
    expect((await putAction('t-large', { exec: { ...exec, binary: true, code } })).status).toBe(200)
    const { body } = await call('GET', `${MINE}/actions/t-large`)
    // not toBe: a difference of 30 MB is nothing to print
    expect(body.exec.code === code).toBe(true)

    const tooLarge = '/'.repeat(48 * 1024 * 1024 + 4)
    const refused = await putAction('t-larger', { exec: { ...exec, code: tooLarge } })
    expect([refused.status, refused.body.error]).toEqual([413, 'exec larger than allowed: 50331652 > 50331648 bytes.'])
  })
})

test('a path that is not there is 405, and what cannot be written is not there', async () => {
  const { status, raw } = await call('GET', '/api/v2')
  expect([status, raw]).toEqual([405, expect.stringContaining('supported methods: OPTIONS')])
  const written = await call('PUT', `${MINE}/limits`, { json: {} })
  expect([written.status, written.body.error]).toEqual([404, 'The requested resource could not be found.'])
})
