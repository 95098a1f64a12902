'use strict'

/** The encryption that the user sets for a copy (`--sse`, `--sse-kms-key-id`). */

const { XferError } = require('../../errors')

/** A KMS key: an id, an alias, or the ARN of either. */
const KEY_ID = /^[\w:/.-]{1,2048}$/

/**
 * @param {import('../../types').AttributeOptions} options
 * @param {(name: 'sse') => string | undefined} read the value of an option, checked as its row says
 * @returns {Pick<import('../../types').AttributeWish, 'encryption'>}
 * @throws {XferError} USAGE
 */
function readEncryption({ sse, sseKmsKeyId }, read) {
  if (sseKmsKeyId !== undefined && (sse === undefined || sse === 'AES256')) {
    const text = `--sse-kms-key-id names a key, and ${sse ? `--sse ${sse} takes none` : 'no --sse says what it is for'}.`
    throw usage(text, 'Give it with --sse aws:kms or --sse aws:kms:dsse.')
  }
  const kind = read('sse')
  if (kind === undefined) return {}
  if (sseKmsKeyId !== undefined && !KEY_ID.test(sseKmsKeyId)) {
    throw usage(
      `--sse-kms-key-id "${sseKmsKeyId}" cannot be a key.`,
      "Give a key's id, its alias or the ARN of either.",
    )
  }
  const keyId = kind === 'AES256' ? undefined : sseKmsKeyId
  return { encryption: { kind, ...(keyId !== undefined && { keyId }) } }
}

/**
 * @param {import('../../types').SideSettings} settings of the destination
 * @param {{ encryption?: unknown }} attributes
 * @throws {XferError} USAGE
 */
function checkEncryption({ customerKey }, { encryption }) {
  if (!customerKey || !encryption) return
  throw usage(
    "--sse has the destination encrypt with a key of its own, and a customer's own key (SSE-C) was given for it.",
    'Give one of them only.',
  )
}

/** @param {string} text @param {string} advice */
function usage(text, advice) {
  return new XferError('USAGE', { text, advice })
}

module.exports = { checkEncryption, readEncryption }
