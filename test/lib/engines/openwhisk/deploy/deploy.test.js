'use strict'

/** What deploying does to a platform that is there, and that misbehaves. */

const { once } = require('node:events')
const { readdirSync, readFileSync } = require('node:fs')
const net = require('node:net')
const { join, relative } = require('node:path')
const { zipSync } = require('fflate')
const { startPlatform } = require('../../../../../sandbox/platform')
const { deploy, undeploy } = require('../../../../../lib')
const { eventOf } = require('../../../../support/events')
const { bareEnv } = require('../../../../support/run-xfer')

/** What functions may connect to, unless the deployment says otherwise. */
const ANY = { hosts: ['*'], metadata: false }

const ACTION = join(__dirname, '..', '..', '..', '..', '..', 'actions', 'copy-range')

let platform
let env
beforeEach(async () => {
  platform = await startPlatform({ limits: { perMinute: 100_000 }, containers: 2 })
  env = { ...bareEnv, APIHOST: platform.apihost, AUTH: platform.auth }
})
afterEach(() => platform.close())

/** A request as any other tool makes it. */
async function ask(method, path, body, { apihost, auth } = platform) {
  const authorization = `Basic ${Buffer.from(auth).toString('base64')}`
  const response = await fetch(`${apihost}/api/v1/namespaces/_/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
const action = async (name = 'xfer/copy-range') => (await ask('GET', `actions/${name}`)).body
const only = ({ actions }) => {
  expect(actions).toHaveLength(1)
  return actions[0]
}

describe('an action', () => {
  test('is created, and then left alone', async () => {
    expect(only(await deploy({ env }))).toEqual({ name: 'xfer/copy-range', outcome: 'created', version: '0.0.1' })
    const before = await action()
    expect(only(await deploy({ env }))).toEqual({ name: 'xfer/copy-range', outcome: 'unchanged', version: '0.0.1' })
    expect(await action()).toEqual(before)
    expect(before).toMatchObject({
      exec: { kind: 'nodejs:20', binary: true },
      limits: { timeout: 300_000, memory: 256, logs: 1 },
      annotations: expect.arrayContaining([
        { key: 'xfer-interface', value: 2 },
        { key: 'provide-api-key', value: false },
        { key: 'final', value: true },
      ]),
      parameters: [{ key: 'access', value: ANY }],
    })
    expect((await ask('GET', 'packages/xfer')).body.version).toBe('0.0.1')
  })

  test('that somebody else zipped from the same files is left alone', async () => {
    await deploy({ env })
    const entries = readdirSync(ACTION, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    const paths = entries.map(entry => relative(ACTION, join(entry.parentPath, entry.name))).toReversed()
    const files = Object.fromEntries(paths.map(path => [path, readFileSync(join(ACTION, path))]))
    const code = Buffer.from(zipSync(files, { level: 0 })).toString('base64')
    const { exec } = await action()
    expect(code).not.toBe(exec.code)
    await ask('PUT', 'actions/xfer/copy-range?overwrite=true', { exec: { kind: 'nodejs:20', code } })
    expect(only(await deploy({ env }))).toMatchObject({ outcome: 'unchanged', version: '0.0.2' })
  })

  test.each([
    ['memory', { memory: 512 }, { limits: { memory: 512, timeout: 300_000 } }],
    ['memory', { memory: '0.5G' }, { limits: { memory: 512, timeout: 300_000 } }],
    ['timeout', { timeout: '1m30s' }, { limits: { memory: 256, timeout: 90_000 } }],
    ['timeout', { timeout: '60' }, { limits: { timeout: 60_000, memory: 256 } }],
    ['runtime', { runtime: 'nodejs:18' }, { exec: { kind: 'nodejs:18' } }],
  ])('gets another %s, and keeps it until it is told otherwise', async (what, options, stored) => {
    await deploy({ env })
    expect(only(await deploy({ env, ...options }))).toMatchObject({
      outcome: 'updated',
      version: '0.0.2',
      changes: [what],
    })
    expect(await action()).toMatchObject(stored)
    expect(only(await deploy({ env, ...options }))).toMatchObject({ outcome: 'unchanged', version: '0.0.2' })
    const kept = {
      [what]: { memory: 512, timeout: options.timeout === '1m30s' ? 90 : 60, runtime: options.runtime }[what],
    }
    expect(only(await deploy({ env }))).toEqual({
      name: 'xfer/copy-range',
      outcome: 'unchanged',
      version: '0.0.2',
      kept,
    })
    expect(await action()).toMatchObject(stored)
    expect(only(await deploy({ env, reset: true }))).toEqual({
      name: 'xfer/copy-range',
      outcome: 'updated',
      version: '0.0.3',
      changes: [what],
    })
  })

  test('shares its container with no other activation, wherever the platform would let it', async () => {
    const shared = await startPlatform({
      limits: { perMinute: 100_000, perContainer: { max: 500, default: 200 } },
      containers: 2,
    })
    try {
      const there = { APIHOST: shared.apihost, AUTH: shared.auth }
      const put = limits => ask('PUT', 'actions/xfer/copy-range?overwrite=true', { limits }, shared)
      const concurrency = async () =>
        (await ask('GET', 'actions/xfer/copy-range', undefined, shared)).body.limits.concurrency
      expect(only(await deploy({ env: { ...env, ...there } }))).toMatchObject({ outcome: 'created' })
      expect(await concurrency()).toBe(1)
      await put({ concurrency: 200 })
      expect(only(await deploy({ env: { ...env, ...there } }))).toMatchObject({ changes: ['concurrency'] })
      expect(await concurrency()).toBe(1)
      expect(only(await deploy({ env: { ...env, ...there } }))).toMatchObject({ outcome: 'unchanged' })
    } finally {
      await shared.close()
    }
  })

  test('is told what it may connect to, and keeps it until it is told otherwise, for no caller can change it', async () => {
    await deploy({ env })
    const told = only(await deploy({ env, allowHosts: '*.example.org, 10.0.0.0/8', allowMetadata: true }))
    expect(told).toMatchObject({ outcome: 'updated', changes: ['access'] })
    const value = { hosts: ['*.example.org', '10.0.0.0/8'], metadata: true }
    expect((await action()).parameters).toEqual([{ key: 'access', value }])
    expect(only(await deploy({ env }))).toMatchObject({ outcome: 'unchanged', kept: value })
    expect(only(await deploy({ env, allowMetadata: false }))).toMatchObject({
      changes: ['access'],
      kept: { hosts: value.hosts },
    })
    const probe = { version: 2, probe: [{ url: platform.apihost }] }
    const asked = await ask('POST', 'actions/xfer/copy-range?blocking=true&result=true', probe)
    expect(asked.body.probes).toMatchObject([{ reachable: false, error: { code: 'ADDRESS_REFUSED' } }])
    const overridden = { ...probe, access: ANY }
    expect(await ask('POST', 'actions/xfer/copy-range?blocking=true&result=true', overridden)).toMatchObject({
      status: 400,
    })
    expect(only(await deploy({ env, reset: true }))).toMatchObject({ changes: ['access'] })
    expect((await action()).parameters).toEqual([{ key: 'access', value: ANY }])
  })

  test('that callers could override is bound again', async () => {
    await deploy({ env, allowHosts: ['a.test'] })
    await ask('PUT', 'actions/xfer/copy-range?overwrite=true', { annotations: [{ key: 'final', value: false }] })
    expect(only(await deploy({ env }))).toMatchObject({ changes: ['final'], kept: { hosts: ['a.test'] } })
    expect((await action()).parameters).toEqual([{ key: 'access', value: { hosts: ['a.test'], metadata: false } }])
  })

  test.each([
    ['', 'names no host'],
    [' , ', 'names no host'],
    ['a.test,', '""'],
    ['https://a.test', '"https://a.test"'],
    ['10.0.0.0/40', '"10.0.0.0/40"'],
    [['a.test', '*.*'], '"*.*"'],
  ])('is told nothing odd (%j)', async (allowHosts, says) => {
    const refused = await deploy({ env, allowHosts }).catch(error => error)
    expect(refused).toMatchObject({ code: 'USAGE', message: expect.stringContaining(says) })
    expect((await ask('GET', 'actions/xfer/copy-range')).status).toBe(404)
  })

  test('keeps what it was given when its code is brought up to date, but for what is asked', async () => {
    await deploy({ env, memory: 512, timeout: 60, runtime: 'nodejs:18' })
    const exec = { kind: 'nodejs:18', code: 'exports.main = () => ({})' }
    await ask('PUT', 'actions/xfer/copy-range?overwrite=true', { exec })
    expect(only(await deploy({ env, timeout: 120 }))).toMatchObject({
      changes: ['code', 'timeout'],
      kept: { memory: 512, runtime: 'nodejs:18' },
    })
    expect(await action()).toMatchObject({ limits: { memory: 512, timeout: 120_000 }, exec: { kind: 'nodejs:18' } })
    expect(only(await deploy({ env, reset: true, memory: 512 }))).toMatchObject({ changes: ['runtime', 'timeout'] })
    expect(await action()).toMatchObject({ limits: { memory: 512, timeout: 300_000 }, exec: { kind: 'nodejs:20' } })
  })

  test('of the default runtime is left alone where that is what it has', async () => {
    await deploy({ env, runtime: 'nodejs:default' })
    expect(only(await deploy({ env, runtime: 'nodejs' }))).toMatchObject({ outcome: 'unchanged' })
    expect(only(await deploy({ env, runtime: 'nodejs:20' }))).toMatchObject({ outcome: 'unchanged' })
    await deploy({ env, runtime: 'nodejs:18' })
    expect(only(await deploy({ env, runtime: 'nodejs:default' }))).toMatchObject({ changes: ['runtime'] })
  })

  test('with other code is brought up to date, and its parameters stay', async () => {
    await deploy({ env })
    const exec = { kind: 'nodejs:20', code: 'exports.main = () => ({})' }
    await ask('PUT', 'actions/xfer/copy-range?overwrite=true', { exec, parameters: [{ key: 'a', value: 1 }] })
    expect(only(await deploy({ env }))).toMatchObject({ outcome: 'updated', changes: ['code', 'access'] })
    expect((await action()).parameters).toEqual([
      { key: 'a', value: 1 },
      { key: 'access', value: ANY },
    ])
  })

  test('whose limits are out of range is refused in the words of the platform', async () => {
    const refused = await deploy({ env, memory: 4096 }).catch(error => error)
    expect(refused).toMatchObject({ code: 'PLATFORM_REFUSED', exitCode: 5, facts: { status: 400 } })
    expect(refused.message).toContain('memory size 4096 MB exceeds allowed threshold of 512 MB')
    expect(refused.hint).toBe('Choose --memory as the platform allows it.')
    const several = await deploy({ env, memory: 4096, timeout: 60 }).catch(error => error)
    expect(several.hint).toBe('Choose --memory and --timeout as the platform allows them.')
  })

  test('whose limits are those of the manifest, and refused, names all that may be chosen', async () => {
    const strict = await startPlatform({ limits: { perMinute: 100_000, memoryMB: { max: 128, default: 128 } } })
    try {
      const refused = await deploy({ env: { ...env, APIHOST: strict.apihost, AUTH: strict.auth } }).catch(
        error => error,
      )
      expect(refused.hint).toBe('Choose --memory, --timeout and --runtime as the platform allows them.')
    } finally {
      await strict.close()
    }
  })

  test('of a runtime that there is not is refused in one sentence', async () => {
    const refused = await deploy({ env, runtime: 'nodejs:99' }).catch(error => error)
    expect(refused.message).toMatch(/^[^\n]*'nodejs:99' is not supported by this platform; valid values are: [^\n]*\.$/)
  })
})

describe('options', () => {
  test.each([
    [{ memory: 'much' }, 'memory'],
    [{ memory: 0 }, 'memory'],
    [{ timeout: '0.5' }, 'timeout'],
    [{ memory: '512MB' }, 'memory'],
  ])('%p are refused', async (options, name) => {
    const refused = await deploy({ env, ...options }).catch(error => error)
    expect(refused).toMatchObject({ code: 'USAGE', message: expect.stringContaining(name) })
  })
})

describe('a platform that', () => {
  const written = () => action().then(({ version }) => version)

  test.each([
    ['is busy with the same action', { on: 'actions', nth: [2, 4, 6], status: 409 }],
    ['has too much to do', { on: 'actions', nth: [1, 3], status: 429 }],
    ['is overloaded', { on: 'packages', first: 2, status: 503 }],
    ['fails', { on: 'actions', nth: [1, 3], status: 500 }],
    ['gives no answer', { on: 'actions', nth: 1, lose: true }],
  ])('%s for a while is asked again', async (_, fault) => {
    platform.faults.add({ message: 'Concurrent modification to resource detected.', ...fault })
    expect(only(await deploy({ env }))).toMatchObject({ outcome: 'created', version: '0.0.1' })
    platform.faults.clear()
    expect(await written()).toBe('0.0.1')
  })

  test('stores an action and loses the answer is not made to store it twice', async () => {
    platform.faults.add({ on: 'actions', nth: 2, lose: true })
    expect(only(await deploy({ env }))).toMatchObject({ outcome: 'created', version: '0.0.1' })
    platform.faults.add({ on: 'actions', nth: 2, lose: true })
    expect(only(await deploy({ env, memory: 512 }))).toMatchObject({
      outcome: 'updated',
      version: '0.0.2',
      changes: ['memory'],
    })
    expect(await written()).toBe('0.0.2')
  })

  test('is busy with the same action for good is given up after three repetitions', async () => {
    const message = 'Concurrent modification to resource detected.'
    platform.faults.add({ on: 'actions', nth: [2, 4, 6, 8], status: 409, message })
    const refused = await deploy({ env }).catch(error => error)
    expect(refused).toMatchObject({ code: 'PLATFORM_CONFLICT', exitCode: 5 })
    expect(refused.message).toContain('Concurrent modification to resource detected')
    platform.faults.clear()
    expect((await ask('GET', 'actions/xfer/copy-range')).status).toBe(404)
  })

  test('has something else by the name of the package says so', async () => {
    await ask('PUT', 'actions/xfer', { exec: { kind: 'nodejs:20', code: 'exports.main = () => ({})' } })
    await expect(deploy({ env })).rejects.toMatchObject({ code: 'PLATFORM_CONFLICT', facts: { status: 409 } })
  })

  test('has a binding by the name of the package says so', async () => {
    await ask('PUT', 'packages/other', {})
    await ask('PUT', 'packages/xfer', { binding: { namespace: '_', name: 'other' } })
    const refused = await deploy({ env }).catch(error => error)
    expect(refused).toMatchObject({ code: 'PLATFORM_REFUSED', facts: { status: 400 } })
    expect(refused.message).toContain('Operation not permitted on package binding')
  })

  test('keeps silent can be left', async () => {
    const silent = net.createServer(socket => socket.on('error', () => {}).resume())
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const controller = new AbortController()
    const APIHOST = `http://127.0.0.1:${silent.address().port}`
    const refused = deploy({ env: { ...env, APIHOST }, signal: controller.signal }).catch(error => error)
    const [socket] = await once(silent, 'connection')
    await once(socket, 'data')
    const closed = once(socket, 'close')
    controller.abort()
    expect(await refused).toMatchObject({ code: 'INTERRUPTED' })
    await closed
    silent.close()
  })
})

describe('undeploying', () => {
  const none = async path => expect((await ask('GET', path)).status).toBe(404)

  test('removes the action and its package, and finds nothing the second time', async () => {
    await deploy({ env })
    expect(await undeploy({ env })).toEqual({
      apihost: platform.apihost,
      actions: [{ name: 'xfer/copy-range', outcome: 'removed', version: '0.0.1' }],
      packages: [{ name: 'xfer', outcome: 'removed' }],
    })
    await none('actions/xfer/copy-range')
    await none('packages/xfer')
    expect(await undeploy({ env })).toMatchObject({
      actions: [{ name: 'xfer/copy-range', outcome: 'missing' }],
      packages: [{ name: 'xfer', outcome: 'missing' }],
    })
  })

  test('keeps a package that holds more', async () => {
    await deploy({ env })
    await ask('PUT', 'actions/xfer/other', { exec: { kind: 'nodejs:20', code: 'exports.main = () => ({})' } })
    expect(await undeploy({ env })).toMatchObject({
      actions: [{ outcome: 'removed' }],
      packages: [{ name: 'xfer', outcome: 'kept' }],
    })
    await none('actions/xfer/copy-range')
    expect((await action('xfer/other')).name).toBe('other')
  })

  test('is repeated where the platform fails, and knows what it has removed', async () => {
    await deploy({ env })
    platform.faults.add({ on: 'actions', nth: 2, lose: true }, { on: 'packages', nth: [1, 3], status: 503 })
    expect(await undeploy({ env })).toMatchObject({
      actions: [{ outcome: 'removed' }],
      packages: [{ outcome: 'removed' }],
    })
    platform.faults.clear()
    await none('packages/xfer')
  })
})

test('what was deployed runs', async () => {
  await deploy({ env })
  const done = eventOf(platform.activations, 'activation')
  const { body } = await ask('POST', 'actions/xfer/copy-range?blocking=true&result=true', { version: 2, tasks: [] })
  expect(body).toMatchObject({ version: 2, outcomes: [] })
  await done
})
