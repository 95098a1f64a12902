'use strict'

/** Where the credentials of a side come from: variables, files of AWS, or the program that uses the library. */

const { rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { fromProvider, givenCredentials, resolveSide } = require('../../../../lib/stores/s3/settings')
const { makeHome } = require('../../../support/home')
const { thrownBy } = require('../../../support/thrown')
const { createVirtualClock } = require('../../../../bench/simulation/clock')

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
const kept = { ...process.env }
afterEach(() => {
  process.env = { ...kept }
})
const XFER = { XFER_SOURCE_ACCESS_KEY_ID: 'xfer-id', XFER_SOURCE_SECRET_ACCESS_KEY: 'xfer-secret' }
const AWS = { AWS_ACCESS_KEY_ID: 'aws-id', AWS_SECRET_ACCESS_KEY: 'aws-secret' }

async function credentialsOf({ side = 'source', options = {}, inPlace = undefined, env = {} }) {
  const { credentials } = await resolveSide(side, options, inPlace, { HOME: home, ...env })
  return credentials && (await credentials())
}

test('names of settings are read in any case, as the AWS CLI reads them, and files that change are read again', async () => {
  const upper = id => `[default]\nAWS_ACCESS_KEY_ID = ${id}\nAws_Secret_Access_Key=Some=Secret\n`
  const config = '[default]\nREGION = eu-west-1\nS3 =\n  addressing_style = path\n'
  const HOME = makeHome({ '.aws/credentials': upper('Upper-ID'), '.aws/config': config })
  const read = async () => {
    const { credentials, region } = await resolveSide('source', {}, undefined, { HOME })
    return { ...(await credentials()), region }
  }
  const secretAccessKey = 'Some=Secret'
  expect(await read()).toMatchObject({ accessKeyId: 'Upper-ID', secretAccessKey, region: 'eu-west-1' })
  writeFileSync(join(HOME, '.aws/credentials'), upper('Other'))
  expect(await read()).toMatchObject({ accessKeyId: 'Other', secretAccessKey })
  writeFileSync(join(HOME, '.aws/credentials'), upper('lower').toLowerCase())
  expect(await read()).toMatchObject({ accessKeyId: 'lower', secretAccessKey: 'some=secret' })
})

const ofSource = { accessKeyId: 'xfer-id', secretAccessKey: 'xfer-secret' }
const ofAws = { accessKeyId: 'aws-id', secretAccessKey: 'aws-secret' }
const named = { accessKeyId: 'named-id', secretAccessKey: 'named-secret', sessionToken: 'named-token' }
const tokens = { XFER_SOURCE_SESSION_TOKEN: 't', AWS_SESSION_TOKEN: 't' }
test.each([
  ['XFER_SOURCE_*, before AWS_*', { env: { ...XFER, ...AWS } }, ofSource],
  ['a named profile, before every variable', { inPlace: 'named', env: { ...XFER, ...AWS } }, named],
  ['AWS_*, before the default profile', { env: { ...AWS, ...tokens } }, { ...ofAws, sessionToken: 't' }],
  ["AWS_PROFILE's profile, as in the SDK", { env: { ...AWS, AWS_PROFILE: 'named' } }, named],
  ['the default profile', {}, { accessKeyId: 'default-id', secretAccessKey: 'default-secret' }],
])('credentials come from %s', async (_, how, expected) => expect(await credentialsOf(how)).toMatchObject(expected))

test('credentials come from the environment that was given, whatever the process has', async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'process-id', AWS_SECRET_ACCESS_KEY: 'process-secret' })
  expect(await credentialsOf({})).toMatchObject({ accessKeyId: 'default-id' })
  expect(await credentialsOf({ env: AWS })).toMatchObject({ accessKeyId: 'aws-id' })
})

test.each(Object.keys(XFER))('%s without its other half is a usage error', async name => {
  await expect(credentialsOf({ env: { [name]: 'value-of-it' } })).rejects.toMatchObject({
    code: 'USAGE',
    message: 'Only one of XFER_SOURCE_ACCESS_KEY_ID and XFER_SOURCE_SECRET_ACCESS_KEY is set.',
  })
})

test('the same object is given for as long as it is good, for signers are kept by it', async () => {
  for (const env of [XFER, AWS, {}]) {
    const { credentials } = await resolveSide('source', {}, undefined, { HOME: home, ...env })
    expect(await credentials()).toBe(await credentials())
  }
})

describe('without an instance that has credentials', () => {
  const cause = { name: 'CredentialsProviderError' }
  beforeEach(() => {
    process.env.AWS_EC2_METADATA_DISABLED = 'true'
  })

  test('none anywhere is NO_CREDENTIALS, with what the SDK said as its cause', async () => {
    const refused = credentialsOf({ env: { HOME: makeHome({}) } })
    const expected = { code: 'NO_CREDENTIALS', exitCode: 4, facts: { side: 'source' }, cause }
    await expect(refused).rejects.toMatchObject(expected)
  })

  test('a renewal that fails is CREDENTIALS_EXPIRED, with what the SDK said as its cause', async () => {
    const answer = JSON.stringify({ Version: 1, AccessKeyId: 'id', SecretAccessKey: 'secret' })
    const where = makeHome({ 'answer.json': answer, '.aws/config': '' })
    const file = join(where, 'answer.json')
    writeFileSync(join(where, '.aws/config'), `[default]\ncredential_process = cat "${file}"\n`)
    const { credentials } = await resolveSide('source', {}, undefined, { HOME: where })
    const first = await credentials()
    rmSync(file)
    await expect(credentials.renew(first)).rejects.toMatchObject({ code: 'CREDENTIALS_EXPIRED', cause })
  })
})

test.each([
  ['a line end behind the secret', { ...XFER, XFER_SOURCE_SECRET_ACCESS_KEY: 'xfer-secret\n' }, 'secret access key'],
  ['a token that is not ASCII', { ...XFER, XFER_SOURCE_SESSION_TOKEN: 'tökén' }, 'session token'],
])('%s is found before anything is signed, and not quoted', async (_, env, what) => {
  const error = await credentialsOf({ env }).catch(error => error)
  expect(error).toMatchObject({ code: 'BAD_CREDENTIALS', exitCode: 4, facts: { side: 'source', what } })
  expect(`${error.message} ${error.hint}`).not.toMatch(/xfer-secret|aws id|tökén/)
})

// --- those that a program gives to the library -----------------------------------------------------------------------

const GIVEN = { accessKeyId: 'AKIAGIVEN', secretAccessKey: 'a-secret-of-the-program' }
const OF_STS = { AccessKeyId: 'A', SecretAccessKey: GIVEN.secretAccessKey }
const given = (credentials, more = {}) => givenCredentials('source', { credentials, ...more })

test.each([
  ['null', null, 'are null', 'Give { accessKeyId'],
  ['no secret key', { accessKeyId: 'A' }, 'have no secretAccessKey', 'Give { accessKeyId'],
  ['the names of an answer of STS', OF_STS, 'have no accessKeyId', 'They have AccessKeyId: name it accessKeyId.'],
])('credentials of another shape are refused, and nothing of them is quoted: %s', async (_, wrong, words, hint) => {
  const error = thrownBy(() => given(wrong))
  expect(error).toMatchObject({ code: 'USAGE', message: `The source's credentials ${words}.` })
  expect(error.hint).toMatch(new RegExp(`^${hint}`))
  const returned = await fromProvider('source', () => wrong)().catch(refused => refused)
  const message = expect.stringContaining("The function that was given as the source's credentials returned ")
  expect(returned).toMatchObject({ code: 'BAD_CREDENTIALS', exitCode: 4, message })
  expect(inspect([error, returned], { depth: null })).not.toContain(GIVEN.secretAccessKey)
})

test('credentials of another shape are refused, and nothing of them is quoted: keys with a line end, and those that have expired', () => {
  expect(thrownBy(() => given({ ...GIVEN, secretAccessKey: 'secret\n' }))).toMatchObject({ code: 'BAD_CREDENTIALS' })
  expect(thrownBy(() => given({ ...GIVEN, expiration: new Date(0) }))).toMatchObject({ code: 'CREDENTIALS_EXPIRED' })
})

describe('a function', () => {
  test('is called when credentials are needed first, and once by all who need them then', async () => {
    let calls = 0
    const credentials = given(async () => ({ ...GIVEN, sessionToken: String(++calls) }))
    expect(calls).toBe(0)
    const all = new Set(await Promise.all(Array.from({ length: 100 }, () => credentials())))
    expect([calls, all.size]).toEqual([1, 1])
  })

  test('may change and return one object each time: what was signed with stays as it was', async () => {
    const mine = { ...GIVEN, sessionToken: 'one', expiration: new Date(Date.now() + 3_600_000) }
    const credentials = given(() => mine)
    const first = await credentials()
    mine.sessionToken = 'two'
    expect(await credentials.renew(first)).toBe(true)
    expect([first.sessionToken, (await credentials()).sessionToken]).toEqual(['one', 'two'])
  })

  test.each([
    ['nothing', () => undefined, 'returned nothing'],
    ['what is expired', () => ({ ...GIVEN, expiration: new Date(0) }), 'expired at 1970-01-01T00:00:00.000Z'],
  ])('that returns %s is an error that says so', async (_, provider, words) => {
    const error = await given(provider)().catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'BAD_CREDENTIALS', message: expect.stringContaining(words) })
  })

  test('that throws is an error with that as its cause, and is told to answer anew', async () => {
    const told = []
    const vault = Object.assign(new Error('the vault is sealed'), { name: 'VaultError', code: 'E_SEALED' })
    const error = await given(async how => told.push(how) && Promise.reject(vault))().catch(thrown => thrown)
    expect(told).toEqual([{ forceRefresh: true }])
    expect(error).toMatchObject({
      code: 'BAD_CREDENTIALS',
      message: "The function that was given as the source's credentials failed: the vault is sealed.",
      cause: { name: 'VaultError', message: 'the vault is sealed', code: 'E_SEALED' },
    })
  })

  test('that does not answer is waited for no longer than a minute, and asked again the next time', async () => {
    const clock = createVirtualClock()
    let answer
    const provider = () => new Promise(resolve => (answer = resolve))
    const credentials = fromProvider('source', provider, { clock, limitMs: 60_000 })
    const late = await clock.run(credentials().catch(thrown => thrown))
    expect(clock.elapsedMs()).toBe(60_000)
    expect(late).toMatchObject({ message: expect.stringContaining('did not answer within 60 seconds') })
    const again = credentials()
    answer(GIVEN)
    expect(await again).toEqual(GIVEN)
  })
})

test('a wait that nobody needs any more ends, so that no timer keeps the program from its end', async () => {
  const clock = createVirtualClock()
  const credentials = fromProvider('source', () => new Promise(() => {}), { clock })
  const waiting = credentials().catch(thrown => thrown)
  expect(clock.pending()).toBe(1)
  credentials.close()
  expect(await waiting).toMatchObject({ code: 'BAD_CREDENTIALS' })
  expect(clock.pending()).toBe(0)
})
