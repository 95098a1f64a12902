'use strict'

/** Signatures: AWS's own client signs, and the service checks. */

const { GetAccountSettingsCommand, GetFunctionConfigurationCommand } = require('@aws-sdk/client-lambda')
const { startLambda } = require('../../../sandbox/lambda')
const { clientOf } = require('./target')

const SECRETS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' }

let service
beforeAll(async () => {
  service = await startLambda({ ...SECRETS, limits: { controlPerSecond: 1000 } })
})
afterAll(() => service.close())

/** @param {object} changed of what the client knows @param {object} [options] of the client */
const ask = (changed, options) => clientOf({ ...service, ...changed }, options).send(new GetAccountSettingsCommand({}))

test('what the client signs is accepted, also with signs in the path that it encodes', async () => {
  expect(await ask({})).toHaveProperty('AccountLimit')
  const byArn = new GetFunctionConfigurationCommand({
    FunctionName: 'arn:aws:lambda:us-east-1:123456789012:function:f:$LATEST',
  })
  await expect(clientOf(service).send(byArn)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})

test.each([
  [
    'another secret',
    { secretAccessKey: 'x' },
    'InvalidSignatureException',
    /does not match the signature you provided/,
  ],
  ['another key', { accessKeyId: 'AKIAOTHER' }, 'UnrecognizedClientException', /security token.*is invalid/],
  ['another region', { region: 'eu-west-1' }, 'InvalidSignatureException', /scoped to a valid region/],
])('%s', async (_, changed, name, message) => {
  await expect(ask(changed)).rejects.toMatchObject({
    name,
    message: expect.stringMatching(message),
    $metadata: { httpStatusCode: 403 },
  })
})

test('a clock that is six minutes off', async () => {
  await expect(ask({}, { systemClockOffset: -6 * 60_000 })).rejects.toMatchObject({
    name: 'InvalidSignatureException',
    message: expect.stringMatching(/^Signature expired: \d{8}T\d{6}Z is now earlier than \S+ \(\S+ - 5 min\.\)$/),
  })
  await expect(ask({}, { systemClockOffset: 6 * 60_000 })).rejects.toMatchObject({
    message: expect.stringMatching(/^Signature not yet current: /),
  })
})

test.each([
  ['no signature', undefined, 403, 'MissingAuthenticationTokenException'],
  ['another kind', 'Bearer x', 400, 'IncompleteSignatureException'],
  ['half of one', 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e', 400, 'IncompleteSignatureException'],
])('%s', async (_, authorization, status, type) => {
  const headers = authorization ? { authorization } : {}
  const response = await fetch(`${service.endpoint}/2016-08-19/account-settings`, { headers })
  expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([status, type])
})

test('a path that is no operation', async () => {
  const response = await fetch(`${service.endpoint}/2015-03-31/nothing`)
  expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([404, 'UnknownOperationException'])
  expect(await response.json()).toEqual({ Type: 'User', message: 'The operation is not known.' })
})
