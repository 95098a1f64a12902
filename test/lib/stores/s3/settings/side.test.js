'use strict'

const { resolveSide } = require('../../../../../lib/stores/s3/settings')
const { makeHome } = require('../../../../support/home')

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

[profile other-service]
endpoint_url = http://other-general
services = elsewhere

[services elsewhere]
dynamodb =
  endpoint_url = http://elsewhere-dynamodb

[profile bare]
output = json

[profile ignoring]
ignore_configured_endpoint_urls = true
endpoint_url = http://ignored
`

const home = makeHome({ '.aws/config': CONFIG, '.aws/credentials': '[only-keys]\naws_access_key_id = k\n' })
const homeless = makeHome({})

/** @param {object} how */
const resolve = ({ side = 'source', options = {}, inPlace = undefined, env = {}, HOME = home }) =>
  resolveSide(side, options, inPlace, { HOME, ...env })

describe('endpoint and region come from the first that says something', () => {
  test.each([
    ['nothing but the default profile', {}, 'http://default-profile', 'default-region'],
    ['nothing at all', { HOME: homeless }, undefined, 'us-east-1'],
    [
      'AWS_*, before the default profile',
      { env: { AWS_ENDPOINT_URL: 'http://aws-general', AWS_REGION: 'aws-region' } },
      'http://aws-general',
      'aws-region',
    ],
    [
      'AWS_ENDPOINT_URL_S3, before AWS_ENDPOINT_URL',
      { env: { AWS_ENDPOINT_URL: 'http://aws-general', AWS_ENDPOINT_URL_S3: 'http://aws-s3' } },
      'http://aws-s3',
      'default-region',
    ],
    [
      'AWS_REGION, before AWS_DEFAULT_REGION',
      { HOME: homeless, env: { AWS_REGION: 'one', AWS_DEFAULT_REGION: 'two' } },
      undefined,
      'one',
    ],
    ['AWS_DEFAULT_REGION alone', { HOME: homeless, env: { AWS_DEFAULT_REGION: 'two' } }, undefined, 'two'],
    ['AWS_PROFILE, as the default profile', { env: { AWS_PROFILE: 'plain' } }, 'http://plain-profile', 'plain-region'],
    [
      'a named profile, before AWS_*',
      { options: { profile: 'plain' }, env: { AWS_ENDPOINT_URL_S3: 'http://aws-s3', AWS_REGION: 'aws-region' } },
      'http://plain-profile',
      'plain-region',
    ],
    ['a profile named in place', { inPlace: 'plain' }, 'http://plain-profile', 'plain-region'],
    [
      'a profile named by XFER_SOURCE_PROFILE',
      { env: { XFER_SOURCE_PROFILE: 'plain' } },
      'http://plain-profile',
      'plain-region',
    ],
    [
      'a profile by option, before XFER_SOURCE_PROFILE',
      { options: { profile: 'serviced' }, env: { XFER_SOURCE_PROFILE: 'plain' } },
      'http://serviced-s3',
      'serviced-region',
    ],
    [
      "a named profile's services section, before its endpoint_url",
      { options: { profile: 'serviced' } },
      'http://serviced-s3',
      'serviced-region',
    ],
    [
      'a services section that does not speak of S3',
      { options: { profile: 'other-service' } },
      'http://other-general',
      'default-region',
    ],
    [
      'AWS_*, where the named profile says nothing',
      { options: { profile: 'bare' }, env: { AWS_ENDPOINT_URL_S3: 'http://aws-s3', AWS_REGION: 'aws-region' } },
      'http://aws-s3',
      'aws-region',
    ],
    [
      'XFER_SOURCE_*, before a named profile',
      {
        options: { profile: 'plain' },
        env: { XFER_SOURCE_ENDPOINT_URL: 'http://xfer', XFER_SOURCE_REGION: 'xfer-region' },
      },
      'http://xfer',
      'xfer-region',
    ],
    [
      'an option, before XFER_SOURCE_*',
      {
        options: { endpointUrl: 'http://option', region: 'option-region' },
        env: { XFER_SOURCE_ENDPOINT_URL: 'http://xfer', XFER_SOURCE_REGION: 'xfer-region' },
      },
      'http://option',
      'option-region',
    ],
    [
      'XFER_DEST_*, of the destination',
      {
        side: 'destination',
        env: {
          XFER_SOURCE_ENDPOINT_URL: 'http://source',
          XFER_DEST_ENDPOINT_URL: 'http://dest',
          XFER_DEST_REGION: 'dest-region',
        },
      },
      'http://dest',
      'dest-region',
    ],
    [
      'empty variables count as none',
      { env: { XFER_SOURCE_ENDPOINT_URL: '', XFER_SOURCE_REGION: '', AWS_REGION: '', XFER_SOURCE_PROFILE: '' } },
      'http://default-profile',
      'default-region',
    ],
    [
      "a profile's ignore_configured_endpoint_urls leaves out its own endpoint, not the environment's",
      { options: { profile: 'ignoring' }, env: { AWS_ENDPOINT_URL_S3: 'http://aws-s3' } },
      'http://aws-s3',
      'default-region',
    ],
    [
      'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS leaves out profiles and AWS_ENDPOINT_URL_S3',
      {
        options: { profile: 'plain' },
        env: { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true', AWS_ENDPOINT_URL_S3: 'http://aws-s3' },
      },
      undefined,
      'plain-region',
    ],
    [
      'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS leaves XFER_SOURCE_ENDPOINT_URL alone',
      { env: { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true', XFER_SOURCE_ENDPOINT_URL: 'http://xfer' } },
      'http://xfer',
      'default-region',
    ],
  ])('%s', async (_, how, endpoint, region) => {
    expect(await resolve(how)).toMatchObject({ endpoint, region })
  })

  test('in files that AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name', async () => {
    const elsewhere = makeHome({
      'c.ini': '[profile moved]\nregion = moved-region\n',
      'k.ini': '[keyed]\naws_access_key_id = k\n',
    })
    const env = { AWS_CONFIG_FILE: `${elsewhere}/c.ini`, AWS_SHARED_CREDENTIALS_FILE: `${elsewhere}/k.ini` }
    expect(await resolve({ env, options: { profile: 'moved' } })).toMatchObject({ region: 'moved-region' })
    expect(await resolve({ env, options: { profile: 'keyed' } })).toMatchObject({ region: 'us-east-1' })
  })
})

describe('a profile', () => {
  test('named in place and the same by option is one', async () => {
    expect(await resolve({ options: { profile: 'plain' }, inPlace: 'plain' })).toMatchObject({ region: 'plain-region' })
  })

  test('named twice differently is a usage error', async () => {
    await expect(resolve({ options: { profile: 'plain' }, inPlace: 'bare' })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'The source names two profiles, "bare" in its location and "plain" by option.',
    })
  })

  test.each([
    ['by option', { options: { profile: 'nobody' } }],
    ['in place', { inPlace: 'nobody' }],
    ['by XFER_SOURCE_PROFILE', { env: { XFER_SOURCE_PROFILE: 'nobody' } }],
    ['with no file at all', { HOME: homeless, inPlace: 'nobody' }],
  ])('that does not exist, named %s, is an error of access', async (_, how) => {
    await expect(resolve(how)).rejects.toMatchObject({
      code: 'BAD_CREDENTIALS',
      exitCode: 4,
      facts: { side: 'source', profile: 'nobody' },
    })
  })

  test.each(['constructor', '__proto__', 'toString', 'services.local'])(
    '%s is not one unless it is there',
    async name => {
      await expect(resolve({ inPlace: name })).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
    },
  )

  test('that only the credentials file has is one', async () => {
    expect(await resolve({ inPlace: 'only-keys' })).toMatchObject({ region: 'default-region' })
  })
})

describe('an endpoint', () => {
  test.each([
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000'],
    ['https://host/s3/', 'https://host/s3'],
    ['HTTPS://Host.Example:443', 'https://host.example'],
    ['http://[::1]:9000', 'http://[::1]:9000'],
  ])('%s is kept as %s', async (endpointUrl, endpoint) => {
    expect(await resolve({ options: { endpointUrl } })).toMatchObject({ endpoint })
  })

  test.each([
    ['', '', 'is not an http or https URL'],
    ['localhost', 'localhost', 'is not an http or https URL'],
    ['localhost:9000', 'localhost:9000', 'is not an http or https URL'],
    ['ftp://host', 'ftp://host', 'is not an http or https URL'],
    ['http://', 'http://', 'is not an http or https URL'],
    ['http://user:hunter2@host', 'http://host', 'carries a user name or password'],
    ['user:hunter2@host:9000', 'host:9000', 'is not an http or https URL'],
    ['ftp://user:hunter2@host', 'ftp://host', 'is not an http or https URL'],
    ['http://host?X-Amz-Signature=hunter2', 'http://host', 'carries a query or fragment'],
    ['http://host#hunter2', 'http://host', 'carries a query or fragment'],
  ])('%j is refused without its secrets', async (endpointUrl, shown, why) => {
    const refused = resolve({ options: { endpointUrl } })
    await expect(refused).rejects.toMatchObject({
      code: 'USAGE',
      message: `The source's endpoint "${shown}" ${why}.`,
    })
  })
})

describe('addressing', () => {
  test.each([
    ['auto, where nobody says anything', {}, 'auto'],
    ['what the named profile says', { inPlace: 'plain' }, 'virtual'],
    ["an option, before the profile's", { inPlace: 'plain', options: { addressing: 'path' } }, 'path'],
    ["the default profile's", { env: { AWS_PROFILE: 'plain' } }, 'virtual'],
  ])('is %s', async (_, how, addressing) => {
    expect(await resolve(how)).toMatchObject({ addressing })
  })

  test('of an unknown style is a usage error', async () => {
    await expect(resolve({ options: { addressing: 'dns' } })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('the endpoints of AWS with FIPS and with IPv6 are used', () => {
  const both = { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'TRUE' }
  test.each([
    ['by nobody who did not ask', {}, [undefined, undefined]],
    ['as the environment says', { env: both }, [true, true]],
    ['as the named profile says', { inPlace: 'careful' }, [true, true]],
    ["as the named profile says, before the environment's", { inPlace: 'careless', env: both }, [undefined, true]],
    ['as the default profile says', { env: { AWS_PROFILE: 'careful' } }, [true, true]],
    [
      "as the environment says, before the default profile's",
      { env: { AWS_PROFILE: 'careful', AWS_USE_FIPS_ENDPOINT: 'false' } },
      [undefined, true],
    ],
  ])('%s', async (_, how, expected) => {
    const { fips, dualStack } = await resolve(how)
    expect([fips, dualStack]).toEqual(expected)
  })
})

test.each(['', 'us east 1', 'us-east-1/x', '-region', 'r'.repeat(64), 'évora'])(
  'the region %j can be none',
  async region => {
    await expect(resolve({ options: { region } })).rejects.toMatchObject({ code: 'USAGE', exitCode: 2 })
  },
)

test('a configuration file that was named and cannot be read is a usage error', async () => {
  await expect(resolve({ env: { AWS_CONFIG_FILE: home } })).rejects.toMatchObject({
    code: 'USAGE',
    message: `The file ${home} cannot be read (EISDIR).`,
  })
})

test.each([
  [{ options: { endpointUrl: 'http://a' } }, '--source-endpoint-url'],
  [{ options: { endpointUrl: 'http://a' }, side: 'destination' }, '--dest-endpoint-url'],
  [{ options: { endpointUrl: 'http://a', endpointKept: true } }, 'the job; --source-endpoint-url sets another one'],
  [{ env: { XFER_SOURCE_ENDPOINT_URL: 'http://a' } }, 'XFER_SOURCE_ENDPOINT_URL'],
  [{ inPlace: 'plain' }, `the profile "plain" in ${home}/.aws/config`],
  [{ inPlace: 'serviced' }, `the services "local" of the profile "serviced" in ${home}/.aws/config`],
  [{ inPlace: 'other-service' }, `the profile "other-service" in ${home}/.aws/config`],
  [{ env: { AWS_ENDPOINT_URL_S3: 'http://a', AWS_ENDPOINT_URL: 'http://b' } }, 'AWS_ENDPOINT_URL_S3'],
  [{ env: { AWS_ENDPOINT_URL: 'http://b' } }, 'AWS_ENDPOINT_URL'],
  [{}, `the profile "default" in ${home}/.aws/config`],
  [{ HOME: homeless }, null],
])('%j: the endpoint is set by %s', async (how, from) => {
  expect((await resolve(how)).endpointFrom).toBe(from)
})

test('an endpoint may be set in the file of credentials', async () => {
  const HOME = makeHome({ '.aws/credentials': '[keys]\nendpoint_url = http://a\n' })
  expect(await resolve({ inPlace: 'keys', HOME })).toMatchObject({
    endpoint: 'http://a',
    endpointFrom: `the profile "keys" in ${HOME}/.aws/credentials`,
  })
})
