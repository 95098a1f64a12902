'use strict'

/** Deployments to the sandbox's Lambda. */

require('../../../support/waits')
const { startLambda } = require('../../../../sandbox/lambda')
const { keep } = require('../../../support/opened')
const { lambdaEnv } = require('../../../support/lambda')
const { AUTHORITY } = require('../../../support/tls')
jest.mock('../../../../lib/engines/archive', () => ({
  ...jest.requireActual('../../../../lib/engines/archive'),
  // Of the runner there are hundreds.
  runnerFiles: async () => ({ 'index.js': Buffer.from('') }),
}))
const { zipFiles } = require('../../../../lib/engines/archive')
const { deploy, undeploy } = require('../../../../lib/engines/lambda/deploy')
const { openClient } = require('../../../../lib/engines/lambda/client')
const { deployRunner, openRunner, undeployRunner } = require('../../../../lib/engines/lambda/runner')
const { resolveLambda } = require('../../../../lib/engines/lambda/settings')

const ROLE = 'arn:aws:iam::123456789012:role/any'
const MiB = 1024 ** 2
const name = 'xfer-copy-range'

let lambda
let env
let client
beforeEach(async () => {
  lambda = await keep(startLambda({ pendingMs: 10 }))
  env = lambdaEnv(lambda)
  client = keep(openClient(await resolveLambda({}, env)))
})

/** @param {object} [options] */
const deployed = async options => (await deploy({ env, ...options })).actions[0]
const configuration = async () => (await client.call('GetFunctionConfiguration', { function: name })).output
const configure = Variables =>
  client.call('UpdateFunctionConfiguration', { function: name, body: { Environment: { Variables } } })
/** @param {string} code @returns {string} as a request has it */
const archiveOf = code => Buffer.from(zipFiles({ 'index.js': Buffer.from(code) })).toString('base64')
const variables = async () => (await configuration()).Environment.Variables

/** The requests that change something, by the service's own names, while `work` runs. @param {() => Promise<unknown>} work */
async function writesOf(work) {
  const writes = []
  const note = ({ operation, status }) => {
    if (/^(?:Create|Update|Delete)/.test(operation) && status < 300) writes.push(operation)
  }
  lambda.events.on('request', note)
  await work()
  lambda.events.off('request', note)
  return writes
}

it('a new function is made with the defaults, and is ready when the deployment ends', async () => {
  const done = await deploy({ env, role: ROLE })
  expect(done).toEqual({ apihost: lambda.endpoint, actions: [{ name, outcome: 'created' }] })
  const made = { Runtime: 'nodejs22.x', Handler: 'index.handler', Architectures: ['arm64'], Role: ROLE }
  expect(await configuration()).toMatchObject({ State: 'Active', MemorySize: 256, Timeout: 300, ...made })
  expect(await variables()).toEqual({ XFER_ACCESS: '{"hosts":["*"],"metadata":false}', XFER_INTERFACE: '2' })
})

it('a new function is made once, if the answer to the request that makes it is lost', async () => {
  lambda.faults.add({ on: 'CreateFunction', lose: true, first: 1 })
  expect(await deployed({ role: ROLE })).toEqual({ name, outcome: 'created' })
  expect(lambda.faults.hits()).toBe(1)
})

describe('a function that is there', () => {
  beforeEach(() => deployed({ role: ROLE }))

  it('is not written if it is equal', async () => {
    const writes = await writesOf(async () => {
      expect(await deployed()).toEqual({ name, outcome: 'unchanged' })
      expect(await deployed({ role: ROLE, memory: 256 * MiB })).toEqual({ name, outcome: 'unchanged' })
    })
    expect(writes).toEqual([])
  })

  it('gets what options say, and keeps it until another deployment resets it', async () => {
    const chosen = { memory: 512 * MiB, timeout: 60_000, allowHosts: ['*.example.org'], architecture: 'x86_64' }
    const changes = ['memory', 'timeout', 'variables', 'architecture']
    expect(await deployed(chosen)).toEqual({ name, outcome: 'updated', changes })
    expect(await deployed()).toEqual({ name, outcome: 'unchanged' })
    expect(await deployed({ runtime: 'nodejs24.x' })).toEqual({ name, outcome: 'updated', changes: ['runtime'] })
    expect(await configuration()).toMatchObject({ MemorySize: 512, Timeout: 60, Architectures: ['x86_64'] })
    expect((await variables()).XFER_ACCESS).toBe('{"hosts":["*.example.org"],"metadata":false}')
    const all = ['memory', 'timeout', 'runtime', 'variables', 'architecture']
    expect(await deployed({ reset: true })).toEqual({ name, outcome: 'updated', changes: all })
  })

  it('keeps what else the user has set', async () => {
    await configure({ ...(await variables()), HTTPS_PROXY: 'http://proxy:3128' })
    await deployed({ memory: 1024 * MiB, allowMetadata: true })
    const XFER_ACCESS = '{"hosts":["*"],"metadata":true}'
    expect(await variables()).toMatchObject({ HTTPS_PROXY: 'http://proxy:3128', XFER_ACCESS })
  })

  it('gets access rules again that somebody has removed, and never wider ones in place of broken ones', async () => {
    const { XFER_ACCESS: _, ...others } = await variables()
    await configure(others)
    expect(await deployed()).toEqual({ name, outcome: 'updated', changes: ['variables'] })
    expect((await variables()).XFER_ACCESS).toBe('{"hosts":["*"],"metadata":false}')
    await configure({ ...others, XFER_ACCESS: '{"hosts":' })
    expect(await deployed()).toEqual({ name, outcome: 'unchanged' })
    await deployed({ allowMetadata: true })
    expect((await variables()).XFER_ACCESS).toBe('{"hosts":[],"metadata":true}')
  })

  it('is removed, and removing it again says that it is gone', async () => {
    const done = await undeploy({ env })
    expect(done).toEqual({ apihost: lambda.endpoint, actions: [{ name, outcome: 'removed' }], packages: [] })
    expect((await undeploy({ env })).actions).toEqual([{ name, outcome: 'missing' }])
  })
})

it('certificates go into the archive, and out of it again only if options say so', async () => {
  await deployed({ role: ROLE })
  const plain = (await configuration()).CodeSha256
  const changes = ['variables', 'code']
  expect(await deployed({ caBundle: AUTHORITY })).toEqual({ name, outcome: 'updated', changes })
  expect((await configuration()).CodeSha256).not.toBe(plain)
  await expect(deployed()).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringContaining('--ca-bundle') })
  expect(await deployed({ caBundle: AUTHORITY })).toEqual({ name, outcome: 'unchanged' })
  expect(await deployed({ reset: true })).toEqual({ name, outcome: 'updated', changes })
  expect((await configuration()).CodeSha256).toBe(plain)
  expect(await variables()).not.toHaveProperty('XFER_CA_BUNDLE')
})

it("somebody else's function is neither changed nor removed", async () => {
  const Code = { ZipFile: archiveOf('exports.handler = () => {}') }
  const body = { FunctionName: name, Runtime: 'nodejs22.x', Handler: 'index.handler', Role: ROLE, Code }
  await client.call('CreateFunction', { body })
  const writes = await writesOf(async () => {
    await expect(deployed({ role: ROLE })).rejects.toMatchObject({ code: 'LAMBDA_FOREIGN', exitCode: 5 })
    await expect(undeploy({ env })).rejects.toMatchObject({ code: 'LAMBDA_FOREIGN' })
  })
  expect(writes).toEqual([])
})

it.each([
  [{}, {}, 'xfer-run', 'xfer-copy-range'],
  [{ XFER_LAMBDA_RUNNER: 'mine', XFER_LAMBDA_FUNCTION: 'copier' }, {}, 'mine', 'copier'],
  [{ XFER_LAMBDA_FUNCTION: 'copier' }, { functionName: 'given' }, 'xfer-run', 'given'],
])('a runner (%j, %j) is the function %s, which may call itself and %s', async (more, options, runner, copier) => {
  const at = { ...env, ...more }
  const { actions, policy, alarm } = await deployRunner({ env: at, role: ROLE, every: 5, ...options })
  expect([actions, alarm]).toEqual([[{ name: runner, outcome: 'created' }], { everyMs: 5, set: false }])
  const functions = [runner, copier].map(one => `arn:aws:lambda:*:*:function:${one}`)
  expect(JSON.parse(policy).Statement[0].Resource).toEqual(functions)
  const { output } = await client.call('GetFunctionConfiguration', { function: runner })
  expect(output).toMatchObject({ MemorySize: 1024, Timeout: 900, Handler: 'lib/runner/function.handler' })
  // Of a deployment that names no function what is set stays.
  await deployRunner({ env: { ...at, XFER_LAMBDA_FUNCTION: undefined } })
  const { Environment } = (await client.call('GetFunctionConfiguration', { function: runner })).output
  const names = { XFER_LAMBDA_RUNNER: runner, XFER_LAMBDA_FUNCTION: copier, XFER_INTERFACE: '2' }
  expect(Environment.Variables).toEqual(names)
  const opened = openRunner(await resolveLambda({}, at), at)
  expect([opened.action, await opened.deployed()]).toEqual([runner, { provider: 'AWS Lambda arm64' }])
  await undeployRunner({ env: at })
  expect(await opened.deployed()).toBeUndefined()
})
