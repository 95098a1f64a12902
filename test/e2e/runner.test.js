'use strict'

/** Jobs that a function runs: `--detach` calls it, it calls itself, and whoever looks calls it again. */

const { randomBytes } = require('node:crypto')
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parse } = require('yaml')
const { attach, deploy, doctor, jobs, undeploy } = require('../../lib')
const { run } = require('../../lib/runner')
const { UpdateFunctionConfigurationCommand } = require('@aws-sdk/client-lambda')
const { openRoute } = require('../support/copies')
const { startFunction } = require('../support/lambda')
const { keep, newFolder, openStore, startDeployed, startStore } = require('../support/opened')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { ROLE, clientOf } = require('../sandbox/lambda/target')
const { createBuckets, get, keysOf, put } = require('../support/s3')

const RUNNER_YAML = join(__dirname, '..', '..', 'examples', 'openwhisk', 'runner.yaml')
const MiB = 1024 ** 2
const BIG = randomBytes(12 * MiB)
const NAMES = Array.from({ length: 40 }, (_, i) => `o${String(i).padStart(2, '0')}`)

let store
let route
let config
beforeAll(async () => {
  store = await startStore()
  route = await openRoute({ source: store })
  await createBuckets(store, 'state')
  await put(route.from, 'big', BIG)
  for (const name of NAMES) await put(route.from, `tree/${name}`, Buffer.from(name))
  config = join(newFolder(), 'config')
  const { endpoint, accessKeyId, secretAccessKey, region } = store
  const keys = `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
  const profileOf = name => `[profile ${name}]\n${keys}region = ${region}\nendpoint_url = ${endpoint}\n`
  writeFileSync(config, ['own', 'other'].map(profileOf).join('\n'))
})
afterEach(() => store.faults.clear())

let count = 0
/** @param {object} env */
function machineOf(env) {
  const all = { ...bareEnv, AWS_CONFIG_FILE: config, XFER_STATE: `s3://own@state/team-${++count}`, ...env }
  return {
    env: all,
    async xfer(...args) {
      const ended = await startXfer([...args, '--json'], { env: all }).ended
      const events = eventsOf(ended)
      return { ...ended, events, last: events.at(-1) }
    },
  }
}
const copyOf = (...more) => ['copy', 's3://own@source/big', 's3://own@target/', '--chunk', '5', '--detach', ...more]

/** What the platform answers. */
async function askPlatform({ apihost, auth }, path, method = 'GET') {
  const headers = { authorization: `Basic ${Buffer.from(auth).toString('base64')}` }
  return await (await fetch(`${apihost}/api/v1/namespaces/_/${path}`, { method, headers })).json()
}

describe('on OpenWhisk', () => {
  let platform
  let machine
  beforeAll(async () => {
    platform = await startDeployed({ containers: 6 })
  })
  beforeEach(async () => {
    platform.faults.clear()
    machine = machineOf({ APIHOST: platform.apihost, AUTH: platform.auth })
  })
  const deployRunner = more => deploy({ runner: true, runnerProfile: ['own'], env: machine.env, ...more })

  test('a chain of runs copies what none of them could, and no secret is seen', async () => {
    const deployed = await deployRunner({ timeout: '6s' })
    expect(deployed).toMatchObject({ actions: [{ name: 'xfer/run', outcome: 'created' }], profiles: ['own'] })
    const { status, last } = await machine.xfer(...copyOf('--bandwidth', '2M', '--concurrency', '1'))
    expect([status, last]).toMatchObject([0, { type: 'detached', runner: { engine: 'openwhisk', action: 'xfer/run' } }])
    const attached = await machine.xfer('attach', last.job, '--cost')
    expect(attached.status).toBe(0)
    // A platform of one's own has no list prices.
    const unknown = ['GB-seconds', 'invocations'].map(what => `${what} of ${new URL(platform.apihost).host}`)
    const { cost, runs, gbSeconds, calls, functionGbSeconds } = attached.last.runner
    expect(cost).toMatchObject({ total: 0, unknown })
    // Two runs have copied three parts, each by a function of 256 MB.
    expect([runs > 1, gbSeconds > 1, calls >= 3, functionGbSeconds > 1]).toEqual(Array(4).fill(true))
    expect(BIG.equals(await get(route.to, 'big'))).toBe(true)
    const kept = openStore(store, 'state')
    const state = await Promise.all((await keysOf(kept)).map(async key => String(await get(kept, key))))
    expect(state.join('')).toContain('"type":"runner"')
    const records = JSON.stringify(await askPlatform(platform, 'activations?docs=true&limit=200'))
    const written = [attached.stdout, records, ...state].join('')
    for (const secret of [store.secretAccessKey, platform.auth.split(':')[1]]) expect(written).not.toContain(secret)
  })

  test('an equal runner is not deployed again, and wskdeploy has the same', async () => {
    await deployRunner({ timeout: '5m', memory: '512' })
    const again = await deploy({ runner: true, env: machine.env })
    expect(await deploy({ runner: true, every: '15m', env: machine.env })).toMatchObject({ alarm: { set: false } })
    expect(again).toMatchObject({ actions: [{ name: 'xfer/run', outcome: 'unchanged' }], profiles: ['own'] })
    const { annotations, limits } = await askPlatform(platform, 'actions/xfer/run?code=false')
    const { run: wanted } = parse(readFileSync(RUNNER_YAML, 'utf8')).packages.xfer.actions
    const { timeout, memorySize, logSize, concurrentActivations } = wanted.limits
    expect(limits).toMatchObject({ timeout, memory: memorySize, logs: logSize, concurrency: concurrentActivations })
    const told = Object.fromEntries(annotations.map(({ key, value }) => [key, value]))
    expect(told).toMatchObject(wanted.annotations)
  })

  test('each range of a job that is split has a run of its own, and the last one joins them', async () => {
    await deployRunner({ timeout: '1m' })
    const sync = ['sync', 's3://own@source/tree/', 's3://own@target/tree/', '--split', '3', '--detach']
    const { last } = await machine.xfer(...sync)
    expect(last).toMatchObject({ ranges: 3, runner: { action: 'xfer/run' } })
    const done = await attach(last.job, { env: machine.env })
    expect(done).toMatchObject({ state: 'done', copied: { objects: NAMES.length } })
    expect(await keysOf(route.to, 'tree/')).toHaveLength(NAMES.length)
  })

  test('a job that waits between two runs is stopped for good', async () => {
    await deployRunner({ timeout: '1m' })
    platform.faults.add({ on: 'invoke', lost: true })
    const { job } = (await machine.xfer(...copyOf())).last
    expect((await machine.xfer('stop', job)).last).toMatchObject({ state: 'stopped' })
    expect((await machine.xfer('attach', job)).status).toBe(130)
    platform.faults.clear()
    const { last } = await machine.xfer('resume', job, '--detach')
    expect(last).toMatchObject({ type: 'detached', job, runner: { action: 'xfer/run' } })
    expect(await attach(job, { env: machine.env })).toMatchObject({ state: 'done' })
  })

  test('a job for which it has no keys is not left to it, and the command says so', async () => {
    await deployRunner({ timeout: '1m' })
    const { status, last } = await machine.xfer('copy', 's3://other@source/big', 's3://own@target/', '--detach')
    expect([status, last]).toMatchObject([0, { type: 'detached', runner: {} }])
    expect(last.runner).toEqual({ error: expect.stringContaining('has no keys for s3://other@source/big') })
    expect((await jobs({ env: machine.env }))[0]).not.toHaveProperty('runner')
  })

  test('a runner that was called without a job leaves what others are to run', async () => {
    await undeploy({ runner: true, env: machine.env })
    const { job } = (await machine.xfer(...copyOf())).last
    await deployRunner({ timeout: '1m' })
    const env = { ...machine.env, __OW_API_HOST: platform.apihost, __OW_API_KEY: platform.auth }
    const here = { engine: 'openwhisk', deadlineMs: Date.now() + 60_000, memoryBytes: 512 * MiB, env }
    expect(await run({ state: machine.env.XFER_STATE }, here)).toEqual({ done: 0, left: 0, failed: 0, unfinished: 0 })
    store.faults.add({ operation: 'PutObject', status: 403, code: 'AccessDenied' })
    const call = { state: machine.env.XFER_STATE, job }
    expect(await run(call, here)).toEqual({ done: 0, left: 0, failed: 1, unfinished: 0 })
    store.faults.clear()
    expect(await run(call, here)).toMatchObject({ done: 1 })
  })
})

test('a platform with alarms calls it by the clock, for what was left to it', async () => {
  const platform = await startDeployed({ containers: 6, alarms: true })
  const machine = machineOf({ APIHOST: platform.apihost, AUTH: platform.auth })
  const deployEvery = (every, env = machine.env) =>
    deploy({ runner: true, runnerProfile: ['own'], timeout: '1m', env, every })
  expect(await deployEvery('15m')).toMatchObject({ alarm: { everyMs: 900_000, set: true } })
  // Again: what was set is set anew.
  await deployEvery('30m')
  const payload = { state: machine.env.XFER_STATE }
  expect(platform.alarms()).toEqual([{ name: 'xfer-every', minutes: 30, trigger_payload: payload }])
  platform.faults.add({ on: 'invoke', lost: true })
  const { job } = (await machine.xfer(...copyOf())).last
  platform.faults.clear()
  await askPlatform(platform, 'triggers/xfer-every', 'POST')
  expect(await attach(job, { env: machine.env })).toMatchObject({ state: 'done' })
  await undeploy({ runner: true, env: machine.env })
  expect(platform.alarms()).toEqual([])
  expect(await askPlatform(platform, 'rules/xfer-every')).toHaveProperty('error')
  const { XFER_STATE, ...stateless } = machine.env
  await expect(deployEvery('15m', stateless)).rejects.toMatchObject({ code: 'USAGE' })
})

test('on Lambda the function calls itself with the rights of its role', async () => {
  const { accessKeyId, secretAccessKey, endpoint } = store
  const lambda = await keep(startFunction({ accessKeyId, secretAccessKey, region: store.region }))
  const sides = ['SOURCE', 'DEST', 'STATE'].map(side => [`XFER_${side}_ENDPOINT_URL`, endpoint])
  const env = { ...bareEnv, ...lambda.env, ...Object.fromEntries(sides), XFER_STATE: 's3://state/lambda' }
  const deployed = await deploy({ runner: true, engine: 'lambda', role: ROLE, timeout: '6s', env })
  expect(deployed).toMatchObject({ actions: [{ name: 'xfer-run', outcome: 'created' }] })
  expect(JSON.parse(deployed.policy).Statement[0].Action).toContain('lambda:InvokeFunction')
  // On AWS addresses are those of the region.
  const { AWS_ENDPOINT_URL_LAMBDA } = env
  const client = keep(Object.assign(clientOf(lambda), { close: () => client.destroy() }))
  const own = { XFER_INTERFACE: '2', XFER_LAMBDA_FUNCTION: 'xfer-copy-range' }
  const Variables = { AWS_ENDPOINT_URL_LAMBDA, XFER_STATE_ENDPOINT_URL: endpoint, ...own }
  await client.send(new UpdateFunctionConfigurationCommand({ FunctionName: 'xfer-run', Environment: { Variables } }))
  const copy = 'copy s3://source/big s3://target/lambda --chunk 5 --bandwidth 2M --concurrency 1 --detach'
  const { last } = await machineOf(env).xfer(...copy.split(' '))
  expect(last).toMatchObject({ type: 'detached', runner: { engine: 'lambda', action: 'xfer-run' } })
  const done = await attach(last.job, { env, cost: true })
  expect(done).toMatchObject({ state: 'done', runner: { engine: 'lambda', cost: { unknown: [] } } })
  expect(done.runner.cost.total).toBeGreaterThan(0)
  expect(done.runner.runs).toBeGreaterThan(1)
  expect(BIG.equals(await get(route.to, 'lambda'))).toBe(true)
  const checks = []
  await doctor(undefined, undefined, { engine: 'lambda', env, onCheck: check => checks.push(check) })
  const reached = 'xfer-run reaches the state s3://state/lambda, itself.'
  expect(checks.find(({ name }) => name === 'runner')).toMatchObject({ ok: true, detail: reached })
})
