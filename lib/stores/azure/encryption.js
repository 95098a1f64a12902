'use strict'

/** The encryption scope that the user sets for a copy. https://learn.microsoft.com/en-us/azure/storage/blobs/encryption-scope-overview */

const { XferError } = require('../../errors')

const KIND = 'scope'
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{1,61}[A-Za-z0-9])$/

/**
 * @param {import('../../types').AttributeOptions & { encryptionScope?: string }} options
 * @returns {Pick<import('../../types').AttributeWish, 'encryption'>}
 * @throws {XferError} USAGE
 */
function readEncryption({ encryptionScope: name, sse }) {
  if (name === undefined) return {}
  if (sse !== undefined)
    throw usage('--sse and --encryption-scope both say how the copy is encrypted.', 'Give one of them.')
  if (!NAME.test(name)) {
    throw usage(`--encryption-scope "${name}" cannot be the name of a scope.`, 'Give it as the account lists it.')
  }
  return { encryption: { kind: KIND, keyId: name } }
}

/** @param {string} text @param {string} advice */
function usage(text, advice) {
  return new XferError('USAGE', { text, advice })
}

module.exports = { readEncryption }
