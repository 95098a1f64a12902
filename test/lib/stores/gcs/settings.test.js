'use strict'

const { parsePlace, resolveSettings } = require('../../../../lib/stores')
const { makeHome } = require('../../../support/home')

const PROFILES = `
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
const home = makeHome({ '.aws/credentials': PROFILES })
const botoHome = makeHome({ '.boto': BOTO })
const AWS = {
  AWS_ACCESS_KEY_ID: 'AKIAENV',
  AWS_SECRET_ACCESS_KEY: 'env-secret',
  AWS_ENDPOINT_URL: 'https://aws.example',
}
const OWN = { XFER_SOURCE_GS_ACCESS_KEY_ID: 'GOOG1EOWN', XFER_SOURCE_GS_SECRET_ACCESS_KEY: 'own-secret' }
const BOTH = { GS_ACCESS_KEY_ID: 'GOOG1EBOTH', GS_SECRET_ACCESS_KEY: 'both-secret' }

async function settingsOf({ place = 'gs://bucket/key', side = 'source', options = {}, env = {} }) {
  return await resolveSettings(parsePlace(place, side), side, options, { HOME: home, ...AWS, ...env })
}

describe('an HMAC key comes from', () => {
  test.each([
    [
      'a profile, before every variable',
      { place: 'gs://google@bucket/key', env: { ...OWN, ...BOTH } },
      'GOOG1EPROFILE',
    ],
    ['XFER_SOURCE_GS_*, before GS_*', { env: { ...OWN, ...BOTH } }, 'GOOG1EOWN'],
    ['GS_*, of both sides', { side: 'destination', env: { ...OWN, ...BOTH } }, 'GOOG1EBOTH'],
    ['the file of boto', { env: { HOME: botoHome } }, 'GOOG1EBOTO'],
  ])('%s', async (_, how, accessKeyId) => {
    expect(await (await settingsOf(how)).credentials()).toMatchObject({ accessKeyId })
  })

  test('nowhere: never a key of Amazon', async () => {
    const { credentials } = await settingsOf({})
    await expect(credentials()).rejects.toMatchObject({
      code: 'NO_CREDENTIALS',
      hint: expect.stringContaining('XFER_SOURCE_GS_ACCESS_KEY_ID'),
    })
  })

  test('half of a pair is refused', async () => {
    const half = settingsOf({ env: { GS_ACCESS_KEY_ID: 'GOOG1E' } })
    await expect(half).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('GS_SECRET_ACCESS_KEY'),
    })
  })
})

test.each([
  ['Google', {}, 'https://storage.googleapis.com'],
  ['an option', { options: { endpointUrl: 'http://127.0.0.1:9000' } }, 'http://127.0.0.1:9000'],
  ['a variable of the side', { env: { XFER_SOURCE_GS_ENDPOINT_URL: 'http://127.0.0.1:9' } }, 'http://127.0.0.1:9'],
  ['a named profile', { options: { profile: 'google' } }, 'https://storage.example'],
])('the endpoint is that of %s, and never one of AWS', async (_, how, endpoint) => {
  expect(await settingsOf(how)).toMatchObject({ endpoint })
})

test('the project that pays is a variable', async () => {
  expect(await settingsOf({ env: { XFER_SOURCE_GS_USER_PROJECT: 'its' } })).toMatchObject({ userProject: 'its' })
})

test.each([
  ['gs://bucket/a\nb', 'line break'],
  ['gs://bucket/..', 'refuses'],
  ['gs://Bucket/key', 'cannot be the name of a bucket'],
])('%j is refused', (text, why) => {
  expect(() => parsePlace(text, 'source')).toThrow(
    expect.objectContaining({ code: 'BAD_LOCATION', message: expect.stringContaining(why) }),
  )
})
