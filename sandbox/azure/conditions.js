'use strict'

const { AzureError } = require('./errors')

/**
 * Conditional requests.
 * https://learn.microsoft.com/rest/api/storageservices/specifying-conditional-headers-for-blob-service-operations
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').StoredBlob} StoredBlob
 */

const NAMES = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']

/** @param {string} list of ETags @param {string} etag */
function lists(list, etag) {
  return list === '*' || list.split(',').some(one => unquoted(one) === unquoted(etag))
}

/** Both forms are taken. @param {string} etag */
function unquoted(etag) {
  return etag.trim().replace(/^"(.*)"$/, '$1')
}

/**
 * @param {Context} ctx
 * @param {StoredBlob} blob
 * @throws {AzureError} ConditionNotMet, NotModified
 */
function checkRead(ctx, blob) {
  if (ctx.effects.ignoreIfMatch) return
  const [match, noneMatch, since, unmodified] = NAMES.map(name => ctx.header(name))
  const headers = { ETag: blob.etag, 'Last-Modified': new Date(blob.modifiedMs).toUTCString() }
  if (match !== undefined && !lists(match, blob.etag)) throw new AzureError('ConditionNotMet')
  if (unmodified !== undefined && seconds(blob.modifiedMs) > Date.parse(unmodified))
    throw new AzureError('ConditionNotMet')
  if (noneMatch !== undefined && lists(noneMatch, blob.etag)) throw new AzureError('NotModified', { headers })
  if (since !== undefined && seconds(blob.modifiedMs) <= Date.parse(since))
    throw new AzureError('NotModified', { headers })
}

/** As times are written in headers. @param {number} ms */
function seconds(ms) {
  return Math.floor(ms / 1000) * 1000
}

/**
 * @param {Context} ctx
 * @param {StoredBlob | undefined} blob the one that is there
 * @throws {AzureError} BlobAlreadyExists, ConditionNotMet
 */
function checkWrite(ctx, blob) {
  const [match, noneMatch, since, unmodified] = NAMES.map(name => ctx.header(name))
  if (noneMatch === '*' && blob) {
    throw new AzureError('BlobAlreadyExists')
  }
  const met =
    (match === undefined || (blob !== undefined && lists(match, blob.etag))) &&
    (noneMatch === undefined || !blob || !lists(noneMatch, blob.etag)) &&
    (since === undefined || !blob || seconds(blob.modifiedMs) > Date.parse(since)) &&
    (unmodified === undefined || !blob || seconds(blob.modifiedMs) <= Date.parse(unmodified))
  if (!met) throw new AzureError('ConditionNotMet')
}

/** Of operations that know no conditions. @param {Context} ctx @throws {AzureError} */
function refuseConditions(ctx) {
  if (NAMES.some(name => ctx.headers.has(name))) throw new AzureError('ConditionHeadersNotSupported')
}

module.exports = { checkRead, checkWrite, lists, refuseConditions }
