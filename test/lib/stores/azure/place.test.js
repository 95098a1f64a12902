'use strict'

const { identify, parsePlace, placeText, register } = require('../../../../lib/stores')
const { STORES } = require('../../../../lib/stores/registry')
const azure = require('../../../../lib/stores/azure')
const { encodeKey } = require('../../../../lib/stores/azure/place')

if (!STORES.includes(azure)) register(azure)

const refusal = (reason, side = 'source') =>
  expect.objectContaining({
    code: 'BAD_LOCATION',
    exitCode: 2,
    facts: expect.objectContaining({
      side,
      reason: expect.stringMatching(reason),
      forms: 'az://account/container/key',
    }),
  })

describe('a location of Azure', () => {
  test.each([
    ['az://account/container/key', 'account', 'container', 'key'],
    ['AZ://acc123/con-tainer-1/a/b/c', 'acc123', 'con-tainer-1', 'a/b/c'],
    ['az://account/container/100%25 sure', 'account', 'container', '100%25 sure'],
    ['az://account/container/what?snapshot=1', 'account', 'container', 'what?snapshot=1'],
    ['az://account/container/a#b', 'account', 'container', 'a#b'],
    ['az://account/container//lead', 'account', 'container', '/lead'],
    ['az://account/container/.a/b..c', 'account', 'container', '.a/b..c'],
    ['az://account/container/ü/日本/😀\n', 'account', 'container', 'ü/日本/😀\n'],
    ['az://account/$root/key', 'account', '$root', 'key'],
    ['az://account/$web/index.html', 'account', '$web', 'index.html'],
    [`az://account/container/${'é'.repeat(1024)}`, 'account', 'container', 'é'.repeat(1024)],
    [
      `az://account/container/${Array(254).fill('a').join('/')}`,
      'account',
      'container',
      Array(254).fill('a').join('/'),
    ],
  ])('%s is read literally', (text, account, container, key) => {
    const place = parsePlace(text, 'source')
    expect(place).toEqual({ scheme: 'az', account, container, key })
    expect(placeText(place)).toBe(text.replace(/^AZ/, 'az'))
  })

  test.each([
    ['./a', /dot at the end of a segment/],
    ['a/../b', /dot at the end of a segment/],
    ['a.', /dot at the end of a segment/],
    ['a./b', /dot at the end of a segment/],
    ['a\\b', /backslash/],
  ])('with the key %s is refused: Azure would take it for another', (key, reason) => {
    expect(() => parsePlace(`az://account/container/${key}`, 'destination')).toThrow(refusal(reason, 'destination'))
  })

  test.each([
    ['az://account/container', ''],
    ['az://account/container/', ''],
  ])('%s has no key, which only a destination may lack', text => {
    expect(parsePlace(text, 'destination')).toEqual({
      scheme: 'az',
      account: 'account',
      container: 'container',
      key: '',
    })
    expect(() => parsePlace(text, 'source')).toThrow(refusal(/names no key/))
  })

  test.each([
    ['az://', /no account/],
    ['az:///container/key', /no account/],
    ['az://account', /no container/],
    ['az://account//key', /no container/],
    ['az://Account/container/key', /storage account, which has no capitals/],
    ['az://my-account/container/key', /"my-account" cannot be the name of a storage account$/],
    ['az://ab/container/key', /"ab" cannot be/],
    ['az://account/Container/key', /container, which has no capitals/],
    ['az://container/file.bin', /"file.bin" cannot be the name of a container/],
    ['az://account/a--b/key', /"a--b" cannot/],
    ['az://account/-ab/key', /"-ab" cannot/],
    ['az://account/ab-/key', /"ab-" cannot/],
    ['az://account/ab/key', /"ab" cannot/],
    [`az://account/${'a'.repeat(64)}/key`, /cannot be the name of a container/],
    ['az://account/$other/key', /"\$other" cannot/],
    [`az://account/container/${'k'.repeat(1025)}`, /longer than 1,024 characters/],
    [`az://account/container/${Array(255).fill('a').join('/')}`, /more than 254 segments/],
    ['az://account/container/\ud800', /no valid Unicode/],
  ])('%s is refused', (text, reason) => {
    expect(() => parsePlace(text, 'source')).toThrow(refusal(reason))
  })

  test.each([
    'az://account/container/key?sv=2024-01-01&sig=SECRETSECRET',
    'az://account/container?sp=r&sig=SECRETSECRET',
    'az://account?sig=SECRETSECRET',
    'az://key:SECRETSECRET@account/container/key',
    'az://account:SECRETSECRET/container/key',
    'az://account/x:SECRETSECRET@container/key',
  ])('%s is refused without its secret', text => {
    let error
    try {
      parsePlace(text, 'source')
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: 'BAD_LOCATION' })
    if (/sig=/.test(text)) expect(error.message).toMatch(/AZURE_STORAGE_SAS_TOKEN/)
    expect(JSON.stringify(error)).not.toContain('SECRETSECRET')
  })
})

describe('two texts of one object', () => {
  const at = (account, endpoint, more = {}) =>
    identify(
      { scheme: 'az', account, container: 'c-1', key: 'k' },
      { side: 'source', account, endpoint, keep: {}, ...more },
    )

  test.each([
    ['https://acc.blob.core.windows.net', 'https://acc.z12.blob.storage.azure.net'],
    ['https://acc.blob.core.windows.net', 'https://acc.privatelink.blob.core.windows.net'],
    ['http://127.0.0.1:10000/acc', 'http://localhost:10000/acc'],
  ])('%s and %s are equal', (one, other) => {
    expect(at('acc', one).id).toBe(at('acc', other).id)
  })

  test.each([
    ['other accounts', at('acc', 'https://acc.blob.core.windows.net'), at('bcc', 'https://bcc.blob.core.windows.net')],
    [
      'other clouds',
      at('acc', 'https://acc.blob.core.windows.net'),
      at('acc', 'https://acc.blob.core.chinacloudapi.cn'),
    ],
    ['other ports', at('acc', 'http://127.0.0.1:1/acc'), at('acc', 'http://127.0.0.1:2/acc')],
    ['other accounts of one server', at('acc', 'http://h.example/acc'), at('bcc', 'http://h.example/bcc')],
  ])('%s are not equal', (_, one, other) => {
    expect(one.id).not.toBe(other.id)
  })
})

test('a key is encoded for a URL, but its slashes', () => {
  expect(encodeKey("a b/ü+?#%/(x)'!*~-_.")).toBe('a%20b/%C3%BC%2B%3F%23%25/%28x%29%27%21%2A~-_.')
})
