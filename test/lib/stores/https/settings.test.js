'use strict'

/** What is sent to a server besides the address: headers of the user. */

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { openStore, parsePlace, resolveSettings } = require('../../../../lib/stores')

let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-headers-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (name, text) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** What a read sends, and what the settings say. */
async function sent(address, options = {}) {
  const place = parsePlace(address, 'source')
  const settings = await resolveSettings(place, 'source', options, { HOME: '/nowhere' })
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
