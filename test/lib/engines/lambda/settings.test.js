'use strict'

const { join } = require('node:path')
const { makeHome } = require('../../../support/home')
const { addressOf } = require('../../../../lib/engines/lambda/client')
const { configured } = require('../../../../lib/engines/lambda')
const { parseFunctionName, resolveLambda } = require('../../../../lib/engines/lambda/settings')

const CONFIG = `[default]
region = eu-north-1
[profile work]
region = eu-west-3
services = here
[services here]
lambda =
  endpoint_url = http://10.0.0.1:9001/
s3 =
  endpoint_url = http://10.0.0.2:9000
[profile aws]
region = eu-west-2
endpoint_url = http://10.0.0.4
ignore_configured_endpoint_urls = True
`
const CREDENTIALS = '[work]\naws_access_key_id = AKWORK\naws_secret_access_key = secret\n'
const home = makeHome({ config: CONFIG, credentials: CREDENTIALS })

const FILES = { AWS_CONFIG_FILE: join(home, 'config'), AWS_SHARED_CREDENTIALS_FILE: join(home, 'credentials') }
const envOf = (more = {}) => ({ HOME: home, ...FILES, ...more })
const KEYS = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'secret' }

const ARN = 'arn:aws:lambda:eu-west-1:123456789012:function:copy'
test.each([
  ['copy:live', { name: 'copy', qualifier: 'live' }],
  [`${ARN}:live`, { name: ARN, qualifier: 'live', region: 'eu-west-1' }],
  [undefined, { text: 'xfer-copy-range', name: 'xfer-copy-range' }],
])('the function %s is understood', (text, expected) => expect(parseFunctionName(text)).toEqual({ text, ...expected }))

test.each(['a/b', 'copy:', 'arn:aws:lambda:eu-west-1:copy'])('the function "%s" is refused', text => {
  expect(() => parseFunctionName(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test.each([
  ['credentials alone', {}, { ...KEYS, AWS_REGION: 'eu-west-1' }, false, undefined],
  ['the option', { functionName: 'copy' }, KEYS, false, '--function'],
  ['the variable', {}, { ...KEYS, XFER_LAMBDA_FUNCTION: 'copy' }, false, 'the environment'],
  ["the engine's name", {}, KEYS, true, '--engine'],
])('whether it is configured %s', async (_, options, env, asked, from) => {
  expect((await configured(options, envOf(env), asked))?.from).toBe(from)
})

const [L, E] = [{ AWS_ENDPOINT_URL_LAMBDA: 'http://l' }, { AWS_ENDPOINT_URL: 'http://e' }]
const LOCAL = 'http://localhost:1'
test.each([
  ['this machine', { AWS_ENDPOINT_URL: `${LOCAL}/` }, { endpoint: LOCAL, reach: 'local' }],
  ['the services of a profile', { AWS_PROFILE: 'work' }, { endpoint: 'http://10.0.0.1:9001' }],
  ['the variable', { ...L, ...E }, { endpoint: 'http://l' }],
  ['none where the profile ignores it', { AWS_PROFILE: 'aws', ...E }, { where: 'AWS Lambda in eu-west-2' }],
])('the endpoint of %s', async (_, env, expected) => {
  const { endpoint, where, reach } = await resolveLambda({}, envOf(env))
  const usual = { endpoint: undefined, where: expect.any(String), reach: 'network' }
  expect({ endpoint, where, reach }).toEqual({ ...usual, ...expected })
})

test('an endpoint with a password is refused, and not repeated', async () => {
  const refused = resolveLambda({}, envOf({ AWS_ENDPOINT_URL: 'http://user:hunter2@host' }))
  await expect(refused).rejects.toMatchObject({ code: 'USAGE', message: expect.not.stringContaining('hunter2') })
})

test.each([
  ['eu-west-1', 'https://lambda.eu-west-1.amazonaws.com'],
  ['cn-north-1', 'https://lambda.cn-north-1.amazonaws.com.cn'],
])('in %s the address is the one that the SDK uses', async (region, expected) => {
  const { LambdaClient } = require('@aws-sdk/client-lambda')
  const { endpointProvider } = new LambdaClient({ region }).config
  expect(addressOf({ region })).toBe(expected)
  expect(endpointProvider({ Region: region }).url.origin).toBe(expected)
})

test('credentials are those of the profile, if the environment names one', async () => {
  const { credentials, keyFrom } = await resolveLambda({}, envOf({ ...KEYS, AWS_PROFILE: 'work' }))
  expect(keyFrom).toBe('the profile "work"')
  expect(await credentials()).toMatchObject({ accessKeyId: 'AKWORK' })
})
