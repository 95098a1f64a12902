'use strict'

const { createHash, randomBytes } = require('node:crypto')
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { readCustomerKey } = require('../../../../../lib/stores/s3/settings/customer-key')

const KEY = randomBytes(32)
const BASE64 = KEY.toString('base64')
const HTTPS = 'https://store.example'

let dir
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'xfer-customer-key-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

const file = content => {
  const path = join(dir, `key-${randomBytes(4).toString('hex')}`)
  writeFileSync(path, content)
  return path
}

test.each([
  ['a variable', () => ({ text: BASE64 })],
  ['a file of 32 bytes', () => ({ file: file(KEY) })],
  ['a file of their base64', () => ({ file: file(BASE64) })],
  ['a file of their base64, as openssl writes it', () => ({ file: file(`${BASE64}\n`) })],
  ['a file, before a variable', () => ({ file: file(KEY), text: 'other' })],
])('is read from %s', async (_, given) => {
  const headers = await readCustomerKey('source', given(), HTTPS)
  expect(headers()).toEqual({
    'x-amz-server-side-encryption-customer-algorithm': 'AES256',
    'x-amz-server-side-encryption-customer-key': BASE64,
    'x-amz-server-side-encryption-customer-key-md5': createHash('md5').update(KEY).digest('base64'),
  })
})

test('is none where none is given', async () => {
  expect(await readCustomerKey('source', {}, HTTPS)).toBeUndefined()
})

test('is in nothing that prints or writes its holder', async () => {
  const customerKey = await readCustomerKey('source', { text: BASE64 }, HTTPS)
  const settings = { side: 'source', customerKey }
  expect(inspect(settings, { depth: null, showHidden: true })).not.toContain(BASE64.slice(0, 20))
  expect(JSON.stringify(settings)).not.toContain(BASE64.slice(0, 20))
})

test.each([
  ['source', { text: 'hunter2' }, HTTPS, 'XFER_SOURCE_SSE_C_KEY holds no key of 32 bytes'],
  ['destination', { text: `${BASE64} ` }, HTTPS, 'XFER_DEST_SSE_C_KEY holds no key'],
  ['destination', { text: randomBytes(16).toString('base64') }, HTTPS, 'holds no key of 32 bytes'],
  ['source', { file: '/nonexistent/key' }, HTTPS, 'named by --source-sse-c-key-file, cannot be read (ENOENT)'],
  ['source', { text: BASE64 }, 'http://store.example', 'is not sent to the source http://store.example'],
  ['destination', { needed: true }, HTTPS, "was begun with a customer's own key (SSE-C) for the destination"],
])('of the %s is refused (%#)', async (side, given, endpoint, text) => {
  const refused = await readCustomerKey(side, given, endpoint).catch(error => error)
  expect(refused).toMatchObject({ code: 'USAGE', message: expect.stringContaining(text) })
  for (const secret of ['hunter2', BASE64]) expect(`${refused.message}${refused.hint}`).not.toContain(secret)
})

test.each(['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000', undefined])(
  'goes over plain HTTP to this machine alone: %s',
  async endpoint => {
    expect(await readCustomerKey('source', { text: BASE64 }, endpoint)).toBeInstanceOf(Function)
  },
)
