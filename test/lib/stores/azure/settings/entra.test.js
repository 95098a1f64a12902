'use strict'

const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { resolveSide } = require('../../../../../lib/stores/azure/settings')
const { azureCli } = require('../../../../support/azure-cli')

const PLACE = { scheme: 'az', account: 'acc1', container: 'con', key: 'key' }

let dir
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'xfer-entra-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** The credentials with nothing of this machine. */
async function tokens(env, options = {}) {
  const { credentials } = await resolveSide(PLACE, 'source', options, { PATH: join(dir, 'empty'), ...env })
  return credentials
}

/** An `az` that prints and ends as the test says. @param {string} script */
const az = script => azureCli(`#!/bin/sh\n${script}\n`, dir)
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
const failure = async promise => await promise.then(() => undefined).catch(error => error)

it('gives the token of who is logged in, of the tenant of this side', async () => {
  const seen = join(dir, 'args')
  const PATH = az(`echo "$@" > ${seen}; echo '{"accessToken":"OF-CLI","expires_on":${inAnHour()},"expiresOn":"x"}'`)
  const { get } = await tokens({ PATH, XFER_SOURCE_AZURE_TENANT_ID: 'tenant-1', XFER_DEST_AZURE_TENANT_ID: 'no' })
  const { token, expiresMs } = await get()
  expect(token).toBe('OF-CLI')
  expect(expiresMs).toBeGreaterThan(Date.now() + 3_500_000)
  expect(readFileSync(seen, 'utf8')).toBe(
    'account get-access-token --output json --resource https://storage.azure.com/ --tenant tenant-1\n',
  )
})

it('keeps the token, and gets another one when the store refuses it', async () => {
  const seen = join(dir, 'runs')
  const count = `echo x >> ${seen}; N=$(wc -l < ${seen} | tr -d ' ')`
  const PATH = az(`${count}; echo '{"accessToken":"TOKEN-'$N'","expires_on":${inAnHour()}}'`)
  const { get, renew } = await tokens({ PATH: `${PATH}:/usr/bin:/bin` })
  const [{ token }, again] = [await get(), await get()]
  expect([token, again.token]).toEqual(['TOKEN-1', 'TOKEN-1'])
  expect(await renew(token)).toBe(true)
  expect((await get()).token).toBe('TOKEN-2')
  // That one was refused to another request, which is told of the new one.
  expect(await renew(token)).toBe(true)
  expect((await get()).token).toBe('TOKEN-2')
})

test.each([
  [
    'says that nobody is logged in',
    'echo "ERROR: Please run \'az login\' to setup account." >&2; exit 1',
    /Please run 'az login' to setup account/,
  ],
  ['fails without a word', 'exit 3', /without a word/],
  ['prints something else', 'echo hello', /no token/],
  ['prints an old token', 'echo \'{"accessToken":"x","expires_on":1}\'', /no token/],
  ['prints half of it', 'printf \'{"accessToken":"SECRETSECRET\'', /no token/],
  ['prints one with a line end', `echo '{"accessToken":"SECRETSECRET\\\\nx","expires_on":${inAnHour()}}'`, /no token/],
])('a CLI that %s is an error', async (_, script, message) => {
  const { get } = await tokens({ PATH: az(script) })
  const error = await failure(get())
  expect(error).toMatchObject({ code: 'BAD_CREDENTIALS', message: expect.stringMatching(message) })
  expect(error.hint).toMatch(/az login.*AZURE_STORAGE_KEY/)
  expect(JSON.stringify(error)).not.toContain('SECRETSECRET')
})

it('without the Azure CLI there are no credentials', async () => {
  const { get } = await tokens({})
  const error = await failure(get())
  expect(error).toMatchObject({ code: 'NO_CREDENTIALS', exitCode: 4 })
  expect(error.hint).toMatch(/AZURE_STORAGE_KEY.*az login/)
})

it('a token is not sent where all on the way could read it', async () => {
  const { get } = await tokens({ PATH: az('exit 1') }, { endpointUrl: 'http://store.example' })
  expect(await failure(get())).toMatchObject({ code: 'USAGE', message: expect.stringMatching(/could read it/) })
})
