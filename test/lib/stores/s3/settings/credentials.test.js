'use strict'

const { rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { resolveSide } = require('../../../../../lib/stores/s3/settings')
const { makeHome } = require('../../../../support/home')

const KEYS = `
[default]
aws_access_key_id = default-id
aws_secret_access_key = default-secret

[named]
aws_access_key_id = named-id
aws_secret_access_key = named-secret
aws_session_token = named-token
`
const home = makeHome({ '.aws/credentials': KEYS })
const XFER = { XFER_SOURCE_ACCESS_KEY_ID: 'xfer-id', XFER_SOURCE_SECRET_ACCESS_KEY: 'xfer-secret' }
const AWS = { AWS_ACCESS_KEY_ID: 'aws-id', AWS_SECRET_ACCESS_KEY: 'aws-secret' }

async function credentialsOf({ side = 'source', options = {}, inPlace = undefined, env = {} }) {
  const { credentials } = await resolveSide(side, options, inPlace, { HOME: home, ...env })
  return credentials && (await credentials())
}

describe('credentials come from', () => {
  test.each([
    [
      'XFER_SOURCE_*, before AWS_*',
      { env: { ...XFER, ...AWS } },
      { accessKeyId: 'xfer-id', secretAccessKey: 'xfer-secret' },
    ],
    [
      'XFER_SOURCE_* with a session token',
      { env: { ...XFER, XFER_SOURCE_SESSION_TOKEN: 't' } },
      { accessKeyId: 'xfer-id', secretAccessKey: 'xfer-secret', sessionToken: 't' },
    ],
    [
      'XFER_DEST_*, of the destination',
      {
        side: 'destination',
        env: { ...XFER, XFER_DEST_ACCESS_KEY_ID: 'dest-id', XFER_DEST_SECRET_ACCESS_KEY: 'dest-secret' },
      },
      { accessKeyId: 'dest-id', secretAccessKey: 'dest-secret' },
    ],
    [
      'a named profile, before every variable',
      { inPlace: 'named', env: { ...XFER, ...AWS } },
      { accessKeyId: 'named-id', secretAccessKey: 'named-secret', sessionToken: 'named-token' },
    ],
    [
      'the AWS_* environment, before the default profile',
      { env: { ...AWS, AWS_SESSION_TOKEN: 't' } },
      { accessKeyId: 'aws-id', secretAccessKey: 'aws-secret', sessionToken: 't' },
    ],
    [
      "AWS_PROFILE's profile, as in the SDK",
      { env: { ...AWS, AWS_PROFILE: 'named' } },
      { accessKeyId: 'named-id', secretAccessKey: 'named-secret' },
    ],
    ['the default profile', {}, { accessKeyId: 'default-id', secretAccessKey: 'default-secret' }],
  ])('%s', async (_, how, expected) => {
    expect(await credentialsOf(how)).toMatchObject(expected)
  })

  test('nowhere, with --no-sign-request', async () => {
    expect(await credentialsOf({ options: { noSignRequest: true }, env: { ...XFER, ...AWS } })).toBeNull()
  })

  test('the environment that was given, whatever the process has', async () => {
    const kept = { ...process.env }
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'process-id', AWS_SECRET_ACCESS_KEY: 'process-secret' })
    try {
      expect(await credentialsOf({})).toMatchObject({ accessKeyId: 'default-id' })
      expect(await credentialsOf({ env: AWS })).toMatchObject({ accessKeyId: 'aws-id' })
    } finally {
      process.env = kept
    }
  })
})

test.each(['XFER_SOURCE_ACCESS_KEY_ID', 'XFER_SOURCE_SECRET_ACCESS_KEY'])(
  '%s without its other half is a usage error',
  async name => {
    await expect(credentialsOf({ env: { [name]: 'value-of-it' } })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'Only one of XFER_SOURCE_ACCESS_KEY_ID and XFER_SOURCE_SECRET_ACCESS_KEY is set.',
    })
  },
)

test('the same object is given for as long as it is good, for signers are kept by it', async () => {
  for (const env of [XFER, AWS, {}]) {
    const { credentials } = await resolveSide('source', {}, undefined, { HOME: home, ...env })
    expect(await credentials()).toBe(await credentials())
  }
})

test('the SDK says nothing on the terminal when it finds two kinds of credentials', async () => {
  // It says it once a process: to a copy of it that has not said it yet.
  jest.resetModules()
  const fresh = require('../../../../../lib/stores/s3/settings')
  const kept = { ...process.env }
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
  Object.assign(process.env, AWS)
  try {
    const { credentials } = await fresh.resolveSide('source', {}, 'named', { HOME: home, ...AWS })
    expect(await credentials()).toMatchObject({ accessKeyId: 'named-id' })
    expect(warn).not.toHaveBeenCalled()
  } finally {
    process.env = kept
    warn.mockRestore()
  }
})

describe('without an instance that has credentials', () => {
  const kept = process.env.AWS_EC2_METADATA_DISABLED
  beforeAll(() => {
    process.env.AWS_EC2_METADATA_DISABLED = 'true'
  })
  afterAll(() => {
    if (kept === undefined) delete process.env.AWS_EC2_METADATA_DISABLED
    else process.env.AWS_EC2_METADATA_DISABLED = kept
  })

  test('none anywhere is NO_CREDENTIALS, with what the SDK said as its cause', async () => {
    const refused = credentialsOf({ env: { HOME: makeHome({}) } })
    await expect(refused).rejects.toMatchObject({
      code: 'NO_CREDENTIALS',
      exitCode: 4,
      facts: { side: 'source' },
      cause: { name: 'CredentialsProviderError' },
    })
  })

  test('a renewal that fails is CREDENTIALS_EXPIRED, with what the SDK said as its cause', async () => {
    const answer = JSON.stringify({ Version: 1, AccessKeyId: 'id', SecretAccessKey: 'secret' })
    const where = makeHome({ 'answer.json': answer, '.aws/config': '' })
    const file = join(where, 'answer.json')
    writeFileSync(join(where, '.aws/config'), `[default]\ncredential_process = cat "${file}"\n`)
    const { credentials } = await resolveSide('source', {}, undefined, { HOME: where })
    const first = await credentials()
    rmSync(file)
    await expect(credentials.renew(first)).rejects.toMatchObject({
      code: 'CREDENTIALS_EXPIRED',
      cause: { name: 'CredentialsProviderError' },
    })
  })
})

test.each([
  ['a line end behind the secret', { ...XFER, XFER_SOURCE_SECRET_ACCESS_KEY: 'xfer-secret\n' }, 'secret access key'],
  ['a blank in the id', { ...AWS, AWS_ACCESS_KEY_ID: 'aws id' }, 'access key id'],
  ['a token that is not ASCII', { ...XFER, XFER_SOURCE_SESSION_TOKEN: 'tökén' }, 'session token'],
])('%s is found before anything is signed, and not quoted', async (_, env, what) => {
  const error = await credentialsOf({ env }).catch(error => error)
  expect(error).toMatchObject({ code: 'BAD_CREDENTIALS', exitCode: 4, facts: { side: 'source', what } })
  expect(`${error.message} ${error.hint}`).not.toMatch(/xfer-secret|aws id|tökén/)
})
