'use strict'

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { addressOf } = require('../../../../lib/engines/lambda/client')
const { parseFunctionName, resolveEngine, resolveLambda } = require('../../../../lib/engines/lambda/settings')
const { AUTHORITY } = require('../../../support/tls')

let home
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'xfer-test-lambda-'))
  writeFileSync(
    join(home, 'config'),
    `[default]
region = eu-north-1
[profile work]
region = eu-west-3
services = here
[services here]
lambda =
  endpoint_url = http://10.0.0.1:9001/
s3 =
  endpoint_url = http://10.0.0.2:9000
[profile old]
region = eu-west-2
endpoint_url = http://10.0.0.3
[profile aws]
region = eu-west-2
endpoint_url = http://10.0.0.4
ignore_configured_endpoint_urls = True
[profile own]
region = eu-west-2
ca_bundle = ${AUTHORITY}
`,
  )
  writeFileSync(join(home, 'credentials'), '[work]\naws_access_key_id = AKWORK\naws_secret_access_key = secret\n')
})
afterAll(() => rmSync(home, { recursive: true }))

const envOf = (more = {}) => ({
  HOME: home,
  AWS_CONFIG_FILE: join(home, 'config'),
  AWS_SHARED_CREDENTIALS_FILE: join(home, 'credentials'),
  ...more,
})
const KEYS = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'secret' }

describe('the function', () => {
  test.each([
    ['copy', { name: 'copy' }],
    ['copy:live', { name: 'copy', qualifier: 'live' }],
    ['123456789012:function:copy:7', { name: '123456789012:function:copy', qualifier: '7' }],
    [
      'arn:aws:lambda:eu-west-1:123456789012:function:copy:live',
      {
        ...{ name: 'arn:aws:lambda:eu-west-1:123456789012:function:copy', qualifier: 'live' },
        region: 'eu-west-1',
      },
    ],
    [undefined, { text: 'xfer-copy-range', name: 'xfer-copy-range' }],
  ])('%s is understood', (text, expected) => {
    expect(parseFunctionName(text)).toEqual({ text, ...expected })
  })

  test.each(['', 'a/b', 'copy:', 'a'.repeat(65), 'arn:aws:lambda:eu-west-1:copy', 'arn:aws:s3:::bucket'])(
    '"%s" is refused',
    text => {
      expect(() => parseFunctionName(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    },
  )
})

describe('whether it is configured', () => {
  test.each([
    ['credentials alone', {}, { ...KEYS, AWS_REGION: 'eu-west-1' }, false, undefined],
    ['the option', { functionName: 'copy' }, KEYS, false, '--function'],
    ['the variable', {}, { ...KEYS, XFER_LAMBDA_FUNCTION: 'copy' }, false, 'the environment'],
    ["the engine's name", {}, KEYS, true, '--engine'],
  ])('%s', async (_, options, env, asked, from) => {
    expect((await resolveEngine(options, envOf(env), asked))?.from).toBe(from)
  })
})

describe('region and endpoint', () => {
  test.each([
    ['the environment', {}, { AWS_REGION: 'ap-east-1', AWS_DEFAULT_REGION: 'ap-east-2' }, 'ap-east-1'],
    ['the profile of the environment', {}, { AWS_PROFILE: 'old' }, 'eu-west-2'],
    [
      'an ARN',
      { functionName: 'arn:aws:lambda:sa-east-1:123456789012:function:f' },
      { AWS_REGION: 'x-1' },
      'sa-east-1',
    ],
  ])('%s: region', async (_, options, env, region) => {
    expect((await resolveLambda(options, envOf(env))).region).toBe(region)
  })

  test.each([
    ['none', {}, {}, { where: 'AWS Lambda in eu-north-1', reach: 'network' }],
    [
      'this machine',
      {},
      { AWS_ENDPOINT_URL: 'http://localhost:1/' },
      { endpoint: 'http://localhost:1', reach: 'local' },
    ],
    ['the services of a profile', {}, { AWS_PROFILE: 'work' }, { endpoint: 'http://10.0.0.1:9001' }],
    [
      'the variable',
      {},
      { AWS_ENDPOINT_URL_LAMBDA: 'http://l', AWS_ENDPOINT_URL: 'http://e' },
      { endpoint: 'http://l' },
    ],
    [
      'none where the profile of the environment ignores them',
      {},
      { AWS_PROFILE: 'aws', AWS_ENDPOINT_URL: 'http://e' },
      { where: 'AWS Lambda in eu-west-2' },
    ],
  ])('%s: endpoint', async (_, options, env, expected) => {
    const { endpoint, where, reach } = await resolveLambda(options, envOf(env))
    expect({ endpoint, where, reach }).toEqual({
      endpoint: undefined,
      where: expect.any(String),
      reach: 'network',
      ...expected,
    })
  })

  test.each([
    ['no region', {}, { AWS_PROFILE: 'none' }, 'The region of the Lambda function is not known.'],
    [
      'an endpoint with a password, which is not repeated',
      {},
      { AWS_ENDPOINT_URL: 'http://user:hunter2@host' },
      expect.not.stringContaining('hunter2'),
    ],
  ])('%s is refused', async (_, options, env, message) => {
    await expect(resolveLambda(options, envOf(env))).rejects.toMatchObject({ code: 'USAGE', message })
  })
})

describe('certificates', () => {
  test.each([
    ['those of the profile of the environment', {}, { AWS_PROFILE: 'own' }],
    ['those of AWS_CA_BUNDLE', {}, { AWS_CA_BUNDLE: AUTHORITY }],
    ['those of the option', { caBundle: AUTHORITY }, { AWS_CA_BUNDLE: '/nowhere' }],
  ])('%s are trusted', async (_, options, env) => {
    expect((await resolveLambda(options, envOf(env))).ca).toContain('BEGIN CERTIFICATE')
  })

  test('that cannot be read name the setting', async () => {
    await expect(resolveLambda({}, envOf({ AWS_CA_BUNDLE: '/nowhere' }))).rejects.toThrow(
      'The CA bundle "/nowhere", named by AWS_CA_BUNDLE, cannot be read',
    )
    expect((await resolveLambda({}, envOf())).ca).toBeUndefined()
  })
})

test.each([
  ['eu-west-1', 'https://lambda.eu-west-1.amazonaws.com'],
  ['cn-north-1', 'https://lambda.cn-north-1.amazonaws.com.cn'],
  ['eusc-de-east-1', 'https://lambda.eusc-de-east-1.amazonaws.eu'],
  ['us-iso-east-1', 'https://lambda.us-iso-east-1.c2s.ic.gov'],
])('in %s the address is the one that the SDK uses', async (region, expected) => {
  const { LambdaClient } = require('@aws-sdk/client-lambda')
  const { endpointProvider } = new LambdaClient({ region }).config
  expect(addressOf({ region })).toBe(expected)
  expect(endpointProvider({ Region: region }).url.origin).toBe(expected)
})

describe('credentials', () => {
  test('are those of the profile, if the environment names one', async () => {
    const { credentials, keyFrom } = await resolveLambda({}, envOf({ ...KEYS, AWS_PROFILE: 'work' }))
    expect(keyFrom).toBe('the profile "work"')
    expect(await credentials()).toMatchObject({ accessKeyId: 'AKWORK' })
  })
})
