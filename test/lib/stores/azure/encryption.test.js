'use strict'

const { checkAttributes } = require('../../../../lib/stores')
const { readEncryption } = require('../../../../lib/stores/azure/encryption')

test('an encryption scope is read', () => {
  expect(readEncryption({ encryptionScope: 'my-scope' })).toEqual({ encryption: { kind: 'scope', keyId: 'my-scope' } })
  expect(readEncryption({})).toEqual({})
})

test.each([
  [{ encryptionScope: 'my scope' }, /cannot be the name of a scope/],
  [{ encryptionScope: 'my-scope', sse: 'AES256' }, /both say/],
])('%j is refused', (options, message) => {
  expect(() => readEncryption(options)).toThrow(message)
})

test.each([
  ['az', 'aws:kms', /az:\/\/, which has no encryption "aws:kms"/],
  ['s3', 'scope', /s3:\/\/, which has no encryption "scope"/],
])('an encryption that %s:// does not know is refused: %s', (scheme, kind, message) => {
  const place = { scheme, container: 'photos', key: 'key' }
  expect(() => checkAttributes(place, /** @type {any} */ ({}), { encryption: { kind } })).toThrow(message)
})
