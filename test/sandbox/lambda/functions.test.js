'use strict'

/** The API by which functions are made, changed and read, with AWS's own client. */

const { createHash } = require('node:crypto')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const {
  CreateFunctionCommand,
  GetFunctionConfigurationCommand,
  UpdateFunctionConfigurationCommand,
} = require('@aws-sdk/client-lambda')
const { startLambda } = require('../../../sandbox/lambda')
const { createFunction, clientOf, ROLE, startFunction, zipOf } = require('./target')

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:f'
const LIMITS = { controlPerSecond: 1000 }
const NAME = { FunctionName: 'f' }

/** @type {Awaited<ReturnType<typeof startFunction>>} */
let target
afterEach(() => target.close())

/** A service whose clock stands still until it is moved. @param {object} [options] */
async function startStill(options) {
  const startedAt = Date.now()
  let passed = 0
  const clock = () => startedAt + passed
  target = await startFunction({
    clock,
    pendingMs: 1000,
    limits: LIMITS,
    source: "exports.handler = () => 'old'",
    ...options,
  })
  return { pass: ms => (passed += ms) }
}

const configuration = () => target.client.send(new GetFunctionConfigurationCommand(NAME))

test('a new function is pending, and then active', async () => {
  const zip = zipOf("exports.handler = () => 'old'")
  const { pass } = await startStill({ configuration: { Description: 'd' } })
  expect(await configuration()).toMatchObject({ State: 'Pending', StateReasonCode: 'Creating' })
  await expect(target.invoke({})).rejects.toMatchObject({
    name: 'ResourceConflictException',
    message: expect.stringContaining('following state: Pending'),
    $metadata: { httpStatusCode: 409 },
  })
  await expect(target.client.send(new UpdateFunctionConfigurationCommand(NAME))).rejects.toMatchObject({
    name: 'ResourceConflictException',
  })
  pass(1000)
  expect(await configuration()).toMatchObject({
    FunctionName: 'f',
    FunctionArn: ARN,
    Runtime: 'nodejs22.x',
    Role: ROLE,
    Handler: 'index.handler',
    Description: 'd',
    Timeout: 3,
    MemorySize: 128,
    Architectures: ['x86_64'],
    CodeSize: zip.length,
    CodeSha256: createHash('sha256').update(zip).digest('base64'),
    Version: '$LATEST',
    State: 'Active',
    LastUpdateStatus: 'Successful',
    PackageType: 'Zip',
  })
  expect((await target.invoke({})).payload).toBe('old')
})

test('an update changes what it names', async () => {
  const { pass } = await startStill({ configuration: { Timeout: 9, Environment: { Variables: { A: '1' } } } })
  pass(1000)
  const before = await configuration()
  const changed = { MemorySize: 512, Environment: { Variables: { B: '2' } } }
  await target.client.send(new UpdateFunctionConfigurationCommand({ ...NAME, ...changed }))
  expect(await configuration()).toMatchObject({ Timeout: 9, ...changed, CodeSha256: before.CodeSha256 })
  pass(1000)
})

test.each([
  ['a name that is taken', {}, 'ResourceConflictException', /^Function already exist: f$/],
  ['a wrong name', { FunctionName: 'a b' }, 'ValidationException', /'functionName'/],
  ['no archive', { FunctionName: 'g', Code: {} }, 'InvalidParameterValueException', /source for function code/],
  [
    'no zip',
    { FunctionName: 'g', Code: { ZipFile: Buffer.from('x') } },
    'InvalidParameterValueException',
    /^Could not unzip/,
  ],
  ['a wrong role', { FunctionName: 'g', Role: 'me' }, 'ValidationException', /'role'/],
  ['a wrong runtime', { FunctionName: 'g', Runtime: 'nodejs8.10' }, 'ValidationException', /'runtime'/],
  ['too long', { FunctionName: 'g', Timeout: 901 }, 'ValidationException', /'timeout'.*less than or equal to 900/],
  ['too little memory', { FunctionName: 'g', MemorySize: 127 }, 'ValidationException', /'memorySize'.*equal to 128/],
  ['an architecture', { FunctionName: 'g', Architectures: ['mips'] }, 'ValidationException', /'architectures'/],
  [
    'a variable of the service',
    { FunctionName: 'g', Environment: { Variables: { AWS_REGION: 'x' } } },
    'InvalidParameterValueException',
    /reserved keys.*AWS_REGION$/,
  ],
  [
    'variables of more than 4 KB',
    { FunctionName: 'g', Environment: { Variables: { A: 'x'.repeat(4096) } } },
    'InvalidParameterValueException',
    /exceeded the 4KB limit/,
  ],
])('a function that cannot be created: %s', async (_, options, name, message) => {
  await startStill()
  await expect(createFunction(target.client, '', options)).rejects.toMatchObject({
    name,
    message: expect.stringMatching(message),
  })
})

test('a service that starts later has the functions of the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'xfer-test-lambda-'))
  const options = { file: join(folder, 'functions.json'), pendingMs: 0 }
  await startStill({ ...options, configuration: { Timeout: 7 } })
  const before = await configuration()
  await target.close()
  const service = await startLambda(options)
  target = { ...target, client: clientOf(service), close: service.close }
  const { $metadata: _, ...rest } = await configuration()
  expect(before).toMatchObject(rest)
  await expect(target.client.send(new CreateFunctionCommand({ ...NAME, Role: ROLE }))).rejects.toThrow()
  await rm(folder, { recursive: true })
})
