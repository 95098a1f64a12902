'use strict'

const { checkEncryption, readEncryption } = require('../../../../lib/stores/azure/encryption')
const s3 = require('../../../../lib/stores/s3/encryption')

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

test('an encryption that the destination does not know is refused', () => {
  expect(() => checkEncryption({ encryption: { kind: 'aws:kms' } })).toThrow(/--sse aws:kms is not known/)
  expect(() => s3.checkEncryption({}, { encryption: { kind: 'scope', keyId: 'x' } })).toThrow(/kind "scope"/)
  checkEncryption({ encryption: { kind: 'scope', keyId: 'x' } })
  checkEncryption({})
  s3.checkEncryption({}, { encryption: { kind: 'aws:kms' } })
})
