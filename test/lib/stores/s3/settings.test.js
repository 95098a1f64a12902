'use strict'

/** Where endpoint, region, addressing and keys of a side come from: options, variables and the files of AWS. */

const { createHash, randomBytes } = require('node:crypto')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { parsePlace, resolveSettings } = require('../../../../lib/stores')
const { readCustomerKey, resolveSide } = require('../../../../lib/stores/s3/settings')
const { makeHome } = require('../../../support/home')

const CONFIG = `
[default]
region = default-region
endpoint_url = http://default-profile

[profile plain]
region = plain-region
endpoint_url = http://plain-profile
s3 =
  addressing_style = virtual

[profile careful]
use_fips_endpoint = true
use_dualstack_endpoint = true

[profile careless]
use_fips_endpoint = false

[profile serviced]
region = serviced-region
endpoint_url = http://serviced-general
services = local

[services local]
s3 =
  endpoint_url = http://serviced-s3
dynamodb =
  endpoint_url = http://serviced-dynamodb

[profile bare]
output = json

[profile ignoring]
ignore_configured_endpoint_urls = true
endpoint_url = http://ignored
`
const KEYED = '[only-keys]\naws_access_key_id = k\nendpoint_url = http://keyed\n'
const home = makeHome({ '.aws/config': CONFIG, '.aws/credentials': KEYED })
const homeless = makeHome({})

/** @param {object} how */
const resolve = ({ side = 'source', options = {}, inPlace = undefined, env = {}, HOME = home }) =>
  resolveSide(side, options, inPlace, { HOME, ...env })

const of = name => ({ options: { profile: name } })
const profile = name => `the profile "${name}" in ${home}/.aws/config`
const services = `the services "local" of the profile "serviced" in ${home}/.aws/config`
const general = { AWS_ENDPOINT_URL: 'http://aws-general' }
const ofAws = { ...general, AWS_ENDPOINT_URL_S3: 'http://aws-s3', AWS_REGION: 'aws-region' }
const ofSource = { XFER_SOURCE_ENDPOINT_URL: 'http://xfer', XFER_SOURCE_REGION: 'xfer-region' }
const names = Object.keys({ ...ofAws, ...ofSource, XFER_SOURCE_PROFILE: '', AWS_PROFILE: '' })
const empty = Object.fromEntries(names.map(name => [name, '']))
const served = { ...of('serviced'), env: { XFER_SOURCE_PROFILE: 'plain' } }
const own = { ...of('plain'), env: ofSource }
const given = { options: { endpointUrl: 'http://option', region: 'option-region' }, env: ofSource }

test.each([
  ['nothing but the default profile', {}, 'http://default-profile', 'default-region', profile('default')],
  ['nothing at all', { HOME: homeless }, undefined, 'us-east-1', null],
  ['AWS_*_S3, before the default profile', { env: ofAws }, 'http://aws-s3', 'aws-region', 'AWS_ENDPOINT_URL_S3'],
  ['AWS_PROFILE', { env: { AWS_PROFILE: 'plain' } }, 'http://plain-profile', 'plain-region', profile('plain')],
  ['a profile by option, and its services', served, 'http://serviced-s3', 'serviced-region', services],
  ['XFER_SOURCE_*, before a named profile', own, 'http://xfer', 'xfer-region', 'XFER_SOURCE_ENDPOINT_URL'],
  ['an option, before XFER_SOURCE_*', given, 'http://option', 'option-region', '--source-endpoint-url'],
  ['empty variables count as none', { env: empty }, 'http://default-profile', 'default-region', profile('default')],
])('endpoint and region are of the first that says something: %s', async (_, how, endpoint, region, endpointFrom) => {
  expect(await resolve(how)).toMatchObject({ endpoint, region, endpointFrom })
})

test('endpoint and region come from files that AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name', async () => {
  const elsewhere = makeHome({ 'c.ini': '[profile moved]\nregion = moved-region\n', 'k.ini': KEYED })
  const env = { AWS_CONFIG_FILE: `${elsewhere}/c.ini`, AWS_SHARED_CREDENTIALS_FILE: `${elsewhere}/k.ini` }
  expect(await resolve({ env, ...of('moved') })).toMatchObject({ region: 'moved-region' })
  expect(await resolve({ env, ...of('only-keys') })).toMatchObject({ region: 'us-east-1' })
  const refused = { code: 'USAGE', message: `The file ${home} cannot be read (EISDIR).` }
  await expect(resolve({ env: { AWS_CONFIG_FILE: home } })).rejects.toMatchObject(refused)
})

test('a profile that is named twice is one, or a usage error', async () => {
  const options = { profile: 'plain' }
  expect(await resolve({ options, inPlace: 'plain' })).toMatchObject({ region: 'plain-region' })
  const message = 'The source names two profiles, "bare" in its location and "plain" by option.'
  await expect(resolve({ options, inPlace: 'bare' })).rejects.toMatchObject({ code: 'USAGE', message })
})

test.each([
  ['in place', { inPlace: 'nobody' }],
  ['by XFER_SOURCE_PROFILE', { env: { XFER_SOURCE_PROFILE: 'nobody' } }],
  ['as a services section', { inPlace: 'services.local' }],
])('a profile that does not exist, named %s, is an error of access', async (_, how) => {
  const failure = { code: 'BAD_CREDENTIALS', exitCode: 4, facts: { side: 'source', profile: expect.any(String) } }
  await expect(resolve(how)).rejects.toMatchObject(failure)
})

test('an endpoint is kept in its usual form', async () => {
  const options = { endpointUrl: 'HTTPS://Host.Example:443' }
  expect(await resolve({ options })).toMatchObject({ endpoint: 'https://host.example' })
})

test.each([
  ['http://user:hunter2@host', 'carries a user name or password'],
  ['http://host?X-Amz-Signature=hunter2', 'carries a query or fragment'],
])('the endpoint %j is refused without its secrets', async (endpointUrl, why) => {
  const message = `The source's endpoint "http://host" ${why}.`
  await expect(resolve({ options: { endpointUrl } })).rejects.toMatchObject({ code: 'USAGE', message })
})

const both = { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'TRUE' }
test.each([
  ['the named profile', { inPlace: 'plain' }, ['virtual', undefined, undefined]],
  ['the environment', { env: both }, ['auto', true, true]],
  ["the named profile, before the environment's", { inPlace: 'careless', env: both }, ['auto', undefined, true]],
])('addressing, FIPS and IPv6 are as %s says', async (_, how, expected) => {
  const { addressing, fips, dualStack } = await resolve(how)
  expect([addressing, fips, dualStack]).toEqual(expected)
})

const WRONG = [{ addressing: 'dns' }, ...['', 'us-east-1/x', 'r'.repeat(64)].map(region => ({ region }))]
test.each(WRONG)('for addressing, FIPS and IPv6 %j is a usage error', async options => {
  await expect(resolve({ options })).rejects.toMatchObject({ code: 'USAGE', exitCode: 2 })
})

const KEY = randomBytes(32)
const BASE64 = KEY.toString('base64')
const HTTPS = 'https://store.example'
const file = key => join(makeHome({ key }), 'key')

test.each([
  ['a variable', () => ({ text: BASE64 })],
  ['a file of their base64, as openssl writes it', () => ({ file: file(`${BASE64}\n`) })],
  ['a file, before a variable', () => ({ file: file(KEY), text: 'other' })],
])("a customer's own key is read from %s", async (_, given) => {
  const headers = await readCustomerKey('source', given(), HTTPS)
  expect(headers()).toEqual({
    'x-amz-server-side-encryption-customer-algorithm': 'AES256',
    'x-amz-server-side-encryption-customer-key': BASE64,
    'x-amz-server-side-encryption-customer-key-md5': createHash('md5').update(KEY).digest('base64'),
  })
  // Nothing that prints or writes its holder has it.
  const holder = { side: 'source', customerKey: headers }
  expect(inspect(holder, { depth: null, showHidden: true }) + JSON.stringify(holder)).not.toContain(BASE64.slice(0, 20))
})

test.each([
  ['source', { text: 'hunter2' }, HTTPS, 'XFER_SOURCE_SSE_C_KEY holds no key of 32 bytes'],
  ['source', { text: BASE64 }, 'http://store.example', 'is not sent to the source http://store.example'],
  ['destination', { needed: true }, HTTPS, "was begun with a customer's own key (SSE-C) for the destination"],
])("a customer's own key of the %s is refused (%#)", async (side, given, endpoint, text) => {
  const refused = await readCustomerKey(side, given, endpoint).catch(error => error)
  expect(refused).toMatchObject({ code: 'USAGE', message: expect.stringContaining(text) })
  for (const secret of ['hunter2', BASE64]) expect(`${refused.message}${refused.hint}`).not.toContain(secret)
})

test("a customer's own key goes over plain HTTP to this machine alone, and is none where none is given", async () => {
  for (const endpoint of ['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000', undefined]) {
    expect(await readCustomerKey('source', { text: BASE64 }, endpoint)).toBeInstanceOf(Function)
  }
  expect(await readCustomerKey('source', {}, HTTPS)).toBeUndefined()
})

describe('of Google', () => {
  const FILE = `
[google]
aws_access_key_id = GOOG1EPROFILE
aws_secret_access_key = profile-secret
endpoint_url = https://storage.example

[default]
aws_access_key_id = AKIADEFAULT
aws_secret_access_key = default-secret
endpoint_url = https://s3.example
`
  const BOTO = '[Credentials]\ngs_access_key_id = GOOG1EBOTO\ngs_secret_access_key = boto-secret\n'
  const HOME = makeHome({ '.aws/credentials': FILE })
  const KEYS = { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'env-secret' }
  const AWS = { ...KEYS, AWS_ENDPOINT_URL: 'https://aws.example' }
  const OWN = { XFER_SOURCE_GS_ACCESS_KEY_ID: 'GOOG1EOWN', XFER_SOURCE_GS_SECRET_ACCESS_KEY: 'own-secret' }
  const all = { ...OWN, GS_ACCESS_KEY_ID: 'GOOG1EBOTH', GS_SECRET_ACCESS_KEY: 'both-secret' }

  const settingsOf = async ({ place = 'gs://bucket/key', side = 'source', options = {}, env = {} }) =>
    await resolveSettings(parsePlace(place, side), side, options, { HOME, ...AWS, ...env })

  test.each([
    ['a profile, before every variable', { place: 'gs://google@bucket/key', env: all }, 'GOOG1EPROFILE'],
    ['XFER_SOURCE_GS_*, before GS_*', { env: all }, 'GOOG1EOWN'],
    ['GS_*, of both sides', { side: 'destination', env: all }, 'GOOG1EBOTH'],
    ['the file of boto', { env: { HOME: makeHome({ '.boto': BOTO }) } }, 'GOOG1EBOTO'],
  ])('an HMAC key comes from %s', async (_, how, accessKeyId) => {
    expect(await (await settingsOf(how)).credentials()).toMatchObject({ accessKeyId })
  })

  test('a key of Amazon never counts, and half of a pair is refused', async () => {
    const hint = expect.stringContaining('XFER_SOURCE_GS_ACCESS_KEY_ID')
    await expect((await settingsOf({})).credentials()).rejects.toMatchObject({ code: 'NO_CREDENTIALS', hint })
    const message = expect.stringContaining('GS_SECRET_ACCESS_KEY')
    await expect(settingsOf({ env: { GS_ACCESS_KEY_ID: 'GOOG1E' } })).rejects.toMatchObject({ code: 'USAGE', message })
  })

  test.each([
    ['Google', {}, 'https://storage.googleapis.com'],
    ['a variable of the side', { env: { XFER_SOURCE_GS_ENDPOINT_URL: 'http://127.0.0.1:9' } }, 'http://127.0.0.1:9'],
    ['a named profile', { options: { profile: 'google' } }, 'https://storage.example'],
  ])('the endpoint is that of %s, and never one of AWS', async (_, how, endpoint) => {
    const env = { XFER_SOURCE_GS_USER_PROJECT: 'its', ...how.env }
    expect(await settingsOf({ ...how, env })).toMatchObject({ endpoint, userProject: 'its' })
  })
})
