'use strict'

const { AzureError } = require('./errors')

/**
 * Conditional requests.
 * https://learn.microsoft.com/rest/api/storageservices/specifying-conditional-headers-for-blob-service-operations
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').StoredBlob} StoredBlob
 */

const NAMES = ['if-match', 'if-none-match', 'if-unmodified-since']

/** Both forms of ETags are taken, with quotes and without. @param {string} list of ETags @param {string} etag */
function lists(list, etag) {
  const unquoted = (/** @type {string} */ text) => text.trim().replace(/^"(.*)"$/, '$1')
  return list === '*' || list.split(',').some(one => unquoted(one) === unquoted(etag))
}

/** @param {string | undefined} since @param {StoredBlob} blob */
function isChanged(since, { modifiedMs }) {
  return since !== undefined && Math.floor(modifiedMs / 1000) * 1000 > Date.parse(since)
}

/**
 * @param {Context} ctx
 * @param {StoredBlob} blob
 * @throws {AzureError} ConditionNotMet
 */
function checkRead(ctx, blob) {
  if (ctx.effects.ignoreIfMatch) return
  const [match, , unmodified] = NAMES.map(name => ctx.header(name))
  if ((match !== undefined && !lists(match, blob.etag)) || isChanged(unmodified, blob)) {
    throw new AzureError('ConditionNotMet')
  }
}

/**
 * @param {Context} ctx
 * @param {StoredBlob | undefined} blob the one that is there
 * @throws {AzureError} BlobAlreadyExists, ConditionNotMet
 */
function checkWrite(ctx, blob) {
  const [match, noneMatch, unmodified] = NAMES.map(name => ctx.header(name))
  if (noneMatch === '*' && blob) throw new AzureError('BlobAlreadyExists')
  const met = blob
    ? (match === undefined || lists(match, blob.etag)) &&
      (noneMatch === undefined || !lists(noneMatch, blob.etag)) &&
      !isChanged(unmodified, blob)
    : match === undefined
  if (!met) throw new AzureError('ConditionNotMet')
}

/** Of operations that know no conditions. @param {Context} ctx @throws {AzureError} */
function refuseConditions(ctx) {
  if (NAMES.some(name => ctx.headers.has(name))) throw new AzureError('ConditionHeadersNotSupported')
}

module.exports = { checkRead, checkWrite, refuseConditions }
