'use strict'

/** What is sent to a server besides the address: headers of the user, and passwords of ~/.netrc. */

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { openStore, parsePlace, resolveSettings } = require('../../../../lib/stores')
const { findEntry } = require('../../../../lib/stores/https/settings/netrc')

let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-netrc-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (name, text) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const basic = text => `Basic ${Buffer.from(text).toString('base64')}`

/** What a read sends, and what the settings say. */
async function sent(address, options = {}, env = {}) {
  const place = parsePlace(address, 'source')
  const settings = await resolveSettings(place, 'source', options, { HOME: '/nowhere', ...env })
  const store = openStore(place, settings)
  const { request } = await store.read({ key: place.key, etag: '"e"' })
  store.close()
  return { settings, store, headers: request.headers, url: request.url }
}

describe('headers', () => {
  test.each([
    ['an object', { 'X-Token': 'SECRET', accept: 'text/csv' }],
    ['lines', ['X-Token: SECRET', 'Accept:text/csv ']],
  ])('given as %s are sent, and functions may not have them', async (_, header) => {
    const { headers, store, settings } = await sent('https://host/path', { header })
    expect(headers).toMatchObject({ 'x-token': 'SECRET', accept: 'text/csv', 'if-match': '"e"' })
    expect(store.can.secret).toMatchObject({ name: expect.stringContaining('--source-header') })
    expect(settings.keep).toEqual({ headerNames: 'x-token, accept', queryDigest: undefined })
    expect(inspect([settings, store], { depth: null, showHidden: true })).not.toContain('SECRET')
  })

  test('functions may have them if the user says so', async () => {
    const { store } = await sent('https://host/path', { header: ['X: SECRET'], headerToFunctions: true })
    expect(store.can.secret).toBeUndefined()
  })

  test('a file has one a line', async () => {
    const file = fileOf('headers', '# mine\n\nX-One: 1\r\nX-Two: é\n')
    const { headers } = await sent('https://host/path', { header: [`@${file}`] })
    expect(headers).toMatchObject({ 'x-one': '1', 'x-two': 'Ã©' })
  })

  test.each([
    ['Host', ['Host: x']],
    ['Range', { range: 'bytes=0-1' }],
    ['If-Match', ['if-match: x']],
    ['Transfer-Encoding', ['Transfer-Encoding: chunked']],
    ['a bad name', { 'x y': 'SECRET' }],
    ['a line end', { x: 'SECRET\r\ny: z' }],
    ['one that is there twice', ['X: SECRET', 'x: SECRET']],
    ['no colon', ['SECRET']],
    ['nothing before the colon', [':SECRET']],
    ['a file that is not there', ['@/nowhere/headers']],
  ])('%s is refused, and no value is printed', async (_, header) => {
    const error = await sent('https://host/path', { header }).catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'USAGE' })
    expect(inspect(error, { depth: null })).not.toContain('SECRET')
  })
})

describe('~/.netrc', () => {
  const TEXT = `# a comment
machine other.example login them password "not this"
machine host.example
  login me
  password "hun\\"ter 2"
macdef init
  machine host.example password macro

machine host.example login second password second
default login any password one
`

  test.each([
    ['https://host.example/path', basic('me:hun"ter 2')],
    ['https://host.example:8443/path', basic('me:hun"ter 2')],
    ['https://third.example/path', basic('any:one')],
    ['http://third.example/path', undefined],
    ['http://127.0.0.1:1/path', basic('any:one')],
  ])('of %s is sent as %s', async (address, authorization) => {
    const { headers, store } = await sent(address, {}, { NETRC: fileOf('netrc', TEXT) })
    expect(headers.authorization).toBe(authorization)
    expect(store.can.secret === undefined).toBe(authorization === undefined)
  })

  test('is in the home, and its password goes over TLS alone', async () => {
    fileOf('.netrc', TEXT)
    expect((await sent('https://host.example/path', {}, { HOME: folder })).headers.authorization).toBeDefined()
    await expect(sent('http://host.example/path', {}, { HOME: folder })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/not sent by http/),
    })
  })

  test('a header of the user, and --source-no-sign-request, come before it', async () => {
    const env = { NETRC: fileOf('netrc', TEXT) }
    const address = 'https://host.example/path'
    expect((await sent(address, { header: { Authorization: 'Bearer x' } }, env)).headers.authorization).toBe('Bearer x')
    expect((await sent(address, { noSignRequest: true }, env)).headers.authorization).toBeUndefined()
  })

  test.each([
    ['?X-Amz-Algorithm=x&X-Amz-Signature=y', false],
    ['?sv=2026-02-06&sig=x', false],
    ['?Expires=1&Signature=x&Key-Pair-Id=y', false],
    ['?id=5', true],
  ])('beside %s: %s', async (query, isSent) => {
    const { headers } = await sent(`https://host.example/path${query}`, {}, { NETRC: fileOf('netrc', TEXT) })
    expect(headers.authorization !== undefined).toBe(isSent)
  })

  test.each([
    ['', undefined],
    ['machine', undefined],
    ['machine host', undefined],
    ['machine host login me', undefined],
    ['machine host password p', undefined],
    ['login me password p', undefined],
    ['machine host login me account x password p', { login: 'me', password: 'p', byName: true }],
    ['machine HOST password p login me', { login: 'me', password: 'p', byName: true }],
    ['machine host login me password #1', { login: 'me', password: '#1', byName: true }],
    ['machine host\n # login no\nlogin me password p', { login: 'me', password: 'p', byName: true }],
  ])('%j', (text, entry) => {
    expect(findEntry(text, 'host')).toEqual(entry)
  })
})

test('a SAS of a whole container is for no function; one of a blob is', async () => {
  expect((await sent('https://acc.blob.core.windows.net/c/b?sr=c&sig=x')).store.can.secret).toMatchObject({
    name: 'SAS of more than one blob',
  })
  expect((await sent('https://acc.blob.core.windows.net/c/b?sr=b&sig=x')).store.can.secret).toBeUndefined()
})

test('the query goes to the server as it was given', async () => {
  const address = 'https://host/a/../b%2fc?x=1&X-Amz-Signature=a%2Bb'
  expect((await sent(address)).url).toBe(address)
})
