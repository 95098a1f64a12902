'use strict'

/** Deployments to the sandbox's Lambda. What IAM has to do with, and what AWS checks, test/e2e/lambda-deploy.test.js tries with moto. */

const { createHash } = require('node:crypto')
const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { startLambda } = require('../../../../../sandbox/lambda')
const { AUTHORITY } = require('../../../../support/tls')
const { functionFiles, zipFiles } = require('../../../../../lib/engines/common')
const { deploy, undeploy } = require('../../../../../lib/engines/lambda/deploy')
const { openClient, resolveLambda } = require('../../../../../lib/engines/lambda/service')

const ROLE = 'arn:aws:iam::123456789012:role/any'
const MiB = 1024 ** 2
const name = 'xfer-copy-range'

let lambda
let env
let client
beforeEach(async () => {
  lambda = await startLambda({ handler: async () => ({}), pendingMs: 50 })
  env = {
    HOME: tmpdir(),
    AWS_ACCESS_KEY_ID: lambda.accessKeyId,
    AWS_SECRET_ACCESS_KEY: lambda.secretAccessKey,
    AWS_REGION: lambda.region,
    AWS_ENDPOINT_URL_LAMBDA: lambda.endpoint,
  }
  client = openClient(await resolveLambda({}, env))
})
afterEach(async () => {
  client.close()
  await lambda.close()
})

/** @param {object} [options] */
const deployed = async options => (await deploy({ env, ...options })).actions[0]
const configuration = () => client.ask('GetFunctionConfiguration', { FunctionName: name })
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

describe('a new function', () => {
  it('is made with the defaults, and is ready when the deployment ends', async () => {
    const done = await deploy({ env, role: ROLE })
    expect(done).toEqual({ apihost: lambda.endpoint, actions: [{ name, outcome: 'created' }] })
    expect(await configuration()).toMatchObject({
      State: 'Active',
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Architectures: ['arm64'],
      MemorySize: 256,
      Timeout: 300,
      Role: ROLE,
    })
    expect(await variables()).toEqual({ XFER_ACCESS: '{"hosts":["*"],"metadata":false}', XFER_INTERFACE: '2' })
  })

  it('has what options say', async () => {
    await deployed({
      role: ROLE,
      functionName: name,
      memory: 512 * MiB,
      timeout: 60_000,
      runtime: 'nodejs24.x',
      architecture: 'x86_64',
      allowHosts: ['*.example.org'],
      allowMetadata: true,
    })
    expect(await configuration()).toMatchObject({
      MemorySize: 512,
      Timeout: 60,
      Runtime: 'nodejs24.x',
      Architectures: ['x86_64'],
    })
    expect((await variables()).XFER_ACCESS).toBe('{"hosts":["*.example.org"],"metadata":true}')
  })

  it('needs a role', async () => {
    await expect(deployed()).rejects.toMatchObject({ code: 'LAMBDA_NO_ROLE', exitCode: 2 })
  })

  it('is not made under a wrong name or with a wrong role', async () => {
    await expect(deployed({ role: 'admin' })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(deployed({ role: ROLE, functionName: `${name}:live` })).rejects.toMatchObject({
      code: 'USAGE',
      message: `--function ${name}:live names a version or an alias, and only the function itself can be deployed.`,
    })
  })

  it('is made once, if the answer to the request that makes it is lost', async () => {
    lambda.faults.add({ on: 'CreateFunction', lose: true, first: 1 })
    expect(await deployed({ role: ROLE })).toEqual({ name, outcome: 'created' })
    expect(lambda.faults.hits()).toBe(1)
  })
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
    const changes = ['architecture', 'timeout', 'memory', 'access']
    expect(await deployed(chosen)).toEqual({ name, outcome: 'updated', changes })
    const kept = { memory: 512, timeout: 60, architecture: 'x86_64', hosts: ['*.example.org'] }
    expect(await deployed()).toEqual({ name, outcome: 'unchanged', kept })
    expect(await deployed({ runtime: 'nodejs24.x' })).toEqual({ name, outcome: 'updated', changes: ['runtime'], kept })
    expect(await deployed({ reset: true })).toEqual({
      name,
      outcome: 'updated',
      changes: ['architecture', 'runtime', 'timeout', 'memory', 'access'],
    })
  })

  it('keeps what else the user has set', async () => {
    const { Environment } = await configuration()
    await client.ask('UpdateFunctionConfiguration', {
      FunctionName: name,
      Environment: { Variables: { ...Environment.Variables, HTTPS_PROXY: 'http://proxy:3128' } },
    })
    await deployed({ memory: 1024 * MiB, allowMetadata: true })
    expect(await variables()).toMatchObject({
      HTTPS_PROXY: 'http://proxy:3128',
      XFER_ACCESS: '{"hosts":["*"],"metadata":true}',
    })
  })

  it('gets access rules again that somebody has removed', async () => {
    const { XFER_ACCESS: _, ...others } = await variables()
    await client.ask('UpdateFunctionConfiguration', { FunctionName: name, Environment: { Variables: others } })
    expect(await deployed()).toEqual({ name, outcome: 'updated', changes: ['access'] })
    expect((await variables()).XFER_ACCESS).toBe('{"hosts":["*"],"metadata":false}')
  })

  it('gets other access rules in place of broken ones only if options say so', async () => {
    const broken = { ...(await variables()), XFER_ACCESS: '{"hosts":' }
    const spoil = () =>
      client.ask('UpdateFunctionConfiguration', { FunctionName: name, Environment: { Variables: broken } })
    await spoil()
    const writes = await writesOf(async () => {
      await expect(deployed()).rejects.toMatchObject({ code: 'LAMBDA_ACCESS_UNREAD', exitCode: 5 })
      await expect(deployed({ allowMetadata: true })).rejects.toMatchObject({ code: 'LAMBDA_ACCESS_UNREAD' })
    })
    expect(writes).toEqual([])
    expect(await deployed({ allowHosts: ['a.org'] })).toEqual({ name, outcome: 'updated', changes: ['access'] })
    expect((await variables()).XFER_ACCESS).toBe('{"hosts":["a.org"],"metadata":false}')
    await spoil()
    expect(await deployed({ reset: true })).toEqual({ name, outcome: 'updated', changes: ['access'] })
  })

  it('gets its code again if that is another one', async () => {
    const ZipFile = zipFiles({ 'index.js': Buffer.from('exports.handler = () => {}') })
    await client.ask('UpdateFunctionCode', { FunctionName: name, ZipFile })
    const writes = await writesOf(async () => {
      expect(await deployed()).toEqual({ name, outcome: 'updated', changes: ['code'] })
    })
    expect(writes).toEqual(['UpdateFunctionCode'])
    expect(await deployed()).toEqual({ name, outcome: 'unchanged' })
  })

  it('is read again if somebody else has changed it meanwhile', async () => {
    const code = 'PreconditionFailedException'
    lambda.faults.add({ on: 'UpdateFunctionConfiguration', status: 412, code, first: 1 })
    expect(await deployed({ memory: 512 * MiB })).toEqual({ name, outcome: 'updated', changes: ['memory'] })
    expect(lambda.faults.hits()).toBe(1)
    expect((await configuration()).MemorySize).toBe(512)
  })

  it('is removed, and removing it again says that it is gone', async () => {
    const done = await undeploy({ env })
    expect(done).toEqual({ apihost: lambda.endpoint, actions: [{ name, outcome: 'removed' }], packages: [] })
    expect((await undeploy({ env })).actions).toEqual([{ name, outcome: 'missing' }])
  })
})

it('stops when it is aborted', async () => {
  const server = http.createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const controller = new AbortController()
  server.once('request', () => controller.abort())
  const AWS_ENDPOINT_URL_LAMBDA = `http://127.0.0.1:${server.address().port}`
  const work = deploy({ env: { ...env, AWS_ENDPOINT_URL_LAMBDA }, role: ROLE, signal: controller.signal })
  try {
    await expect(work).rejects.toMatchObject({ code: 'INTERRUPTED' })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

it('certificates go into the archive, and out of it again', async () => {
  await deployed({ role: ROLE })
  const plain = (await configuration()).CodeSha256
  expect(await deployed({ caBundle: AUTHORITY })).toEqual({ name, outcome: 'updated', changes: ['ca-bundle'] })
  expect((await configuration()).CodeSha256).not.toBe(plain)
  expect(await deployed({ reset: true })).toEqual({ name, outcome: 'updated', changes: ['ca-bundle'] })
  expect((await configuration()).CodeSha256).toBe(plain)
  expect(await variables()).not.toHaveProperty('XFER_CA_BUNDLE')
})

it("somebody else's function is neither changed nor removed", async () => {
  const ZipFile = zipFiles({ 'index.js': Buffer.from('exports.handler = () => {}') })
  const theirs = { FunctionName: name, Runtime: 'nodejs22.x', Handler: 'index.handler', Role: ROLE, Code: { ZipFile } }
  await client.ask('CreateFunction', theirs)
  const writes = await writesOf(async () => {
    await expect(deployed({ role: ROLE })).rejects.toMatchObject({ code: 'LAMBDA_FOREIGN', exitCode: 5 })
    await expect(undeploy({ env })).rejects.toMatchObject({ code: 'LAMBDA_FOREIGN' })
    // IAM, which nothing answers for here, is not asked for a role.
    const noIam = { ...env, AWS_ENDPOINT_URL_IAM: 'http://127.0.0.1:1' }
    await expect(deployed({ createRole: true, env: noIam })).rejects.toMatchObject({ code: 'LAMBDA_FOREIGN' })
  })
  expect(writes).toEqual([])
})

describe('a function of a template, which notes no certificates', () => {
  const certificates = readFileSync(AUTHORITY)
  const template = { XFER_ACCESS: '{"hosts":["*"],"metadata":false}', HTTPS_PROXY: 'http://proxy:3128' }

  /** @param {Uint8Array} ZipFile */
  const made = ZipFile =>
    client.ask('CreateFunction', {
      ...{ FunctionName: name, Runtime: 'nodejs22.x', Handler: 'index.handler', Role: ROLE, Architectures: ['arm64'] },
      ...{ MemorySize: 256, Timeout: 300, Environment: { Variables: template }, Code: { ZipFile } },
    })
  const archiveOf = async caBundle => zipFiles(await functionFiles(caBundle))

  it('keeps the certificates of its archive', async () => {
    await made(await archiveOf(certificates))
    const { CodeSha256 } = await configuration()
    const kept = { caBundle: true }
    expect(await deployed()).toEqual({ name, outcome: 'updated', changes: ['xfer-interface'], kept })
    expect((await configuration()).CodeSha256).toBe(CodeSha256)
    expect(await variables()).toMatchObject({ ...template, XFER_CA_BUNDLE: expect.stringMatching(/^[\da-f]{64}$/) })
    expect(await deployed()).toEqual({ name, outcome: 'unchanged', kept })
  })

  it('keeps them when it gets newer code', async () => {
    await made(zipFiles({ ...(await functionFiles(certificates)), 'index.js': Buffer.from('exports.handler = 1') }))
    expect(await deployed()).toEqual({
      ...{ name, outcome: 'updated', changes: ['code', 'xfer-interface'], kept: { caBundle: true } },
    })
    const wanted = createHash('sha256')
      .update(await archiveOf(certificates))
      .digest('base64')
    expect((await configuration()).CodeSha256).toBe(wanted)
  })

  it('loses them only if options say so, and has none if its archive has none', async () => {
    await made(await archiveOf(certificates))
    expect(await deployed({ reset: true })).toMatchObject({ outcome: 'updated', changes: ['code', 'xfer-interface'] })
    expect(await variables()).not.toHaveProperty('XFER_CA_BUNDLE')
    await undeploy({ env })
    await made(zipFiles({ 'index.js': Buffer.from('exports.handler = 1') }))
    expect(await deployed()).toEqual({ name, outcome: 'updated', changes: ['code', 'xfer-interface'] })
  })
})
