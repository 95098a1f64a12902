'use strict'

/** What deploying does to a platform that is there, and that misbehaves. */

const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { unzipSync } = require('fflate')
const { startPlatform } = require('../../../../../sandbox/platform')
const { deploy, undeploy } = require('../../../../../lib')
const { keep, newFolder } = require('../../../../support/opened')
const { bareEnv } = require('../../../../support/run-xfer')

/** What functions may connect to, unless the deployment says otherwise. */
const ANY = { hosts: ['*'], metadata: false }

let platform
let env
beforeEach(async () => {
  platform = await keep(startPlatform({ limits: { perMinute: 100_000 }, containers: 2 }))
  env = { ...bareEnv, APIHOST: platform.apihost, AUTH: platform.auth }
})

/** A request as any other tool makes it. */
async function ask(method, path, body, { apihost, auth } = platform) {
  const response = await fetch(`${apihost}/api/v1/namespaces/_/${path}`, {
    method,
    headers: { authorization: `Basic ${Buffer.from(auth).toString('base64')}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
/** What the first deployment makes of an action. */
const CREATED = { outcome: 'created', version: '0.0.1' }
const action = async (name = 'xfer/copy-range') => (await ask('GET', `actions/${name}`)).body
/** What a deployment did with the only action. @param {object} [options] */
async function deployed(options) {
  const { actions } = await deploy({ env, ...options })
  expect(actions).toHaveLength(1)
  return actions[0]
}

test('an action is created, and then left alone', async () => {
  expect(await deployed()).toEqual({ name: 'xfer/copy-range', ...CREATED })
  const before = await action()
  expect(await deployed()).toEqual({ name: 'xfer/copy-range', outcome: 'unchanged', version: '0.0.1' })
  expect(await action()).toEqual(before)
  const annotations = Object.entries({ 'xfer-interface': 2, 'provide-api-key': false, final: true })
  expect(before).toMatchObject({
    exec: { kind: 'nodejs:20', binary: true },
    limits: { timeout: 300_000, memory: 256, logs: 1 },
    annotations: expect.arrayContaining(annotations.map(([key, value]) => ({ key, value }))),
    parameters: [{ key: 'access', value: ANY }],
  })
  expect((await ask('GET', 'packages/xfer')).body.version).toBe('0.0.1')
})

test('an action has every file of the folder as it is, and nothing else', async () => {
  const folder = join(__dirname, '..', '..', '..', '..', '..', 'actions', 'copy-range')
  await deploy({ env })
  const found = unzipSync(Buffer.from((await action()).exec.code, 'base64'))
  const names = readdirSync(folder, { recursive: true }).filter(name => /\.(js|json)$/.test(String(name)))
  expect(Object.keys(found).sort()).toEqual(names.sort())
  expect(names).toEqual(expect.arrayContaining(['package.json', 'index.js']))
  for (const name of names) expect(Buffer.from(found[name])).toEqual(readFileSync(join(folder, name)))
})

test('an action is told what it may connect to, and keeps it until it is told otherwise, for no caller can change it', async () => {
  await deploy({ env })
  const told = await deployed({ allowHosts: '*.example.org, 10.0.0.0/8', allowMetadata: true })
  expect(told).toMatchObject({ outcome: 'updated', changes: ['access'] })
  const value = { hosts: ['*.example.org', '10.0.0.0/8'], metadata: true }
  expect((await action()).parameters).toEqual([{ key: 'access', value }])
  expect(await deployed()).toMatchObject({ outcome: 'unchanged', kept: value })
  const changed = { changes: ['access'], kept: { hosts: value.hosts } }
  expect(await deployed({ allowMetadata: false })).toMatchObject(changed)
  const probe = { version: 2, probe: [{ url: platform.apihost }] }
  const invoke = body => ask('POST', 'actions/xfer/copy-range?blocking=true&result=true', body)
  expect((await invoke(probe)).body.probes).toMatchObject([{ reachable: false, error: { code: 'ADDRESS_REFUSED' } }])
  expect((await invoke({ ...probe, access: ANY })).status).toBe(400)
  expect(await deployed({ reset: true })).toMatchObject({ changes: ['access'] })
  expect((await action()).parameters).toEqual([{ key: 'access', value: ANY }])
})

test('a name in a manifest that would be one of another namespace is refused', async () => {
  const manifest = join(newFolder(), 'manifest.yaml')
  writeFileSync(manifest, 'packages: { other: { actions: { xfer/copy-range: { function: . } } } }')
  const message = expect.stringContaining('the name other/xfer/copy-range has more than one slash')
  await expect(deploy({ env, manifest })).rejects.toMatchObject({ code: 'USAGE', message })
})

test.each([
  ['is busy with the same action', { on: 'actions', nth: [2, 4, 6], status: 409 }],
  ['gives no answer', { on: 'actions', nth: 1, lose: true }],
])('a platform that %s for a while is asked again', async (_, fault) => {
  platform.faults.add({ message: 'Concurrent modification to resource detected.', ...fault })
  expect(await deployed()).toMatchObject(CREATED)
  platform.faults.clear()
  expect(await action()).toMatchObject({ version: '0.0.1' })
})

test('a platform that stores an action and loses the answer is not made to store it twice', async () => {
  platform.faults.add({ on: 'actions', nth: 2, lose: true })
  expect(await deployed()).toMatchObject(CREATED)
  platform.faults.add({ on: 'actions', nth: 2, lose: true })
  expect(await deployed({ memory: 512 })).toMatchObject({ outcome: 'updated', version: '0.0.2', changes: ['memory'] })
  expect(await action()).toMatchObject({ version: '0.0.2' })
})

const none = async path => expect((await ask('GET', path)).status).toBe(404)

test('undeploying keeps a package that holds more', async () => {
  await deploy({ env })
  await ask('PUT', 'actions/xfer/other', { exec: { kind: 'nodejs:20', code: 'exports.main = () => ({})' } })
  const done = { actions: [{ outcome: 'removed' }], packages: [{ name: 'xfer', outcome: 'kept' }] }
  expect(await undeploy({ env })).toMatchObject(done)
  await none('actions/xfer/copy-range')
  expect((await action('xfer/other')).name).toBe('other')
})

test('undeploying is repeated where the platform fails, and knows what it has removed', async () => {
  await deploy({ env })
  platform.faults.add({ on: 'actions', nth: 2, lose: true }, { on: 'packages', nth: [1, 3], status: 503 })
  const done = { actions: [{ outcome: 'removed' }], packages: [{ outcome: 'removed' }] }
  expect(await undeploy({ env })).toMatchObject(done)
  platform.faults.clear()
  await none('packages/xfer')
})

const on = async (runtimes, options) => {
  const other = await keep(startPlatform({ runtimes }))
  await deploy({ env: { ...bareEnv, APIHOST: other.apihost, AUTH: other.auth }, ...options })
  return (await ask('GET', 'actions/xfer/copy-range', undefined, other)).body.exec.kind
}

test.each([
  ['that of the manifest where it is offered', ['nodejs:18', 'nodejs:20', 'nodejs:22'], {}, 'nodejs:20'],
  ['else the newest that can run it', ['nodejs:16', 'nodejs:18', 'nodejs:21'], {}, 'nodejs:21'],
  ['the default, if that is asked for', ['nodejs:22', 'nodejs:20'], { runtime: 'nodejs:default' }, 'nodejs:22'],
])('the runtime is %s', async (_, runtimes, options, kind) => expect(await on(runtimes, options)).toBe(kind))

test.each([
  ['that was asked for and is not there', ['nodejs:20', 'nodejs:22'], { runtime: 'nodejs:24' }],
  ['of which none is new enough', ['nodejs:14', 'nodejs:16'], {}],
])('the runtime %s is refused, and what is offered is named', async (_, runtimes, options) => {
  const message = expect.stringContaining(`it offers ${runtimes.join(', ')}.`)
  await expect(on(runtimes, options)).rejects.toMatchObject({ code: 'USAGE', message })
})
