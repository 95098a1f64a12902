'use strict'

/** Profiles that a function gets: whose keys may be given to it, and that it reads what was given. */

const { readFileSync, statSync } = require('node:fs')
const { bindableProfiles, writeProfiles } = require('../../../lib/aws')
const { newFolder } = require('../../support/folder')
const { makeHome } = require('../../support/home')

const keys = id => `aws_access_key_id = ${id}\naws_secret_access_key = s-${id}\n`
const config = `[profile plain]
${keys('A')}[profile full]
${keys('B')}region = eu-west-1
endpoint_url = http://store
s3 =
  addressing_style = path
[profile session]
${keys('C')}aws_session_token = t
[profile keyless]
region = eu-west-1
`
const envOf = home => ({ HOME: home, AWS_CONFIG_FILE: `${home}/config`, AWS_SHARED_CREDENTIALS_FILE: `${home}/none` })
const PLAIN = { accessKeyId: 'A', secretAccessKey: 's-A' }
const WHERE = { region: 'eu-west-1', endpointUrl: 'http://store', addressing: 'path' }
const FULL = { accessKeyId: 'B', secretAccessKey: 's-B', ...WHERE }

test('named profiles alone are given, with their keys and their store, and the function has the same', async () => {
  const env = envOf(makeHome({ config }))
  expect(await bindableProfiles(['plain'], env)).toEqual({ plain: PLAIN })
  const bound = await bindableProfiles(['full', 'plain'], env)
  expect(bound).toEqual({ full: FULL, plain: PLAIN })
  const folder = newFolder()
  const { AWS_CONFIG_FILE } = await writeProfiles(folder, bound)
  expect(statSync(AWS_CONFIG_FILE).mode & 0o777).toBe(0o600)
  const home = makeHome({ config: readFileSync(AWS_CONFIG_FILE, 'utf8') })
  expect(await bindableProfiles(['full', 'plain'], envOf(home))).toEqual(bound)
  expect(await writeProfiles(folder, {})).toEqual({})
})

test.each([
  ['none', /"none" is not there/],
  ['toString', /"toString" is not there/],
  ['session', /"session" end after some time/],
  ['keyless', /"keyless" has no keys/],
])('the profile %s cannot be given', async (name, message) => {
  const env = { ...envOf(makeHome({ config })), AWS_EC2_METADATA_DISABLED: 'true' }
  const refused = expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) })
  await expect(bindableProfiles(['plain', name], env)).rejects.toEqual(refused)
})
