'use strict'

/**
 * Blobs as a whole: written, described, read, deleted; and their tags.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('../common/types').Answer} Answer
 */

const { cut, intervalOf } = require('../common/content')
const { checkTags, describe, readDescription, tierOf } = require('./description')
const { blobOf, checkReplaced, dropBlob, entryOf, putBlob, writtenHeaders } = require('./entries')
const { AzureError, badHeader } = require('./errors')
const { declaredBytes, receiveDocument, storeBody, sumHeaders } = require('./payload')
const { readTags, readXml, writeAzureXml } = require('../common/xml')

const MAX_PUT_BYTES = 5000 * 1024 * 1024

/** https://learn.microsoft.com/rest/api/storageservices/put-blob @param {Context} ctx @returns {Promise<Answer>} */
async function putWholeBlob(ctx) {
  const type = ctx.header('x-ms-blob-type')
  if (type === undefined) throw new AzureError('MissingRequiredHeader', { HeaderName: 'x-ms-blob-type' })
  if (type !== 'BlockBlob') throw badHeader('x-ms-blob-type', type)
  const description = readDescription(ctx)
  if (declaredBytes(ctx) > MAX_PUT_BYTES) throw new AzureError('RequestBodyTooLarge', { MaxLimit: MAX_PUT_BYTES })
  checkPlace(ctx)
  const body = await storeBody(ctx, { md5: true })
  // Checked again: another client may have written the blob while the body was received.
  checkPlace(ctx)
  if (body.md5 !== undefined) description.content['Content-MD5'] ??= body.md5
  const blob = putBlob(ctx, { ...description, size: body.bytes, segments: body.segments, blocks: [] })
  return { status: 201, headers: { ...writtenHeaders(blob), ...sumHeaders(ctx, body) } }
}

/** Whether a blob may be written under this name. @param {Context} ctx */
function checkPlace(ctx) {
  const current = entryOf(ctx)?.current
  checkWrite(ctx, current)
  checkReplaced(ctx, current)
}

/** https://learn.microsoft.com/rest/api/storageservices/get-blob-properties @param {Context} ctx @returns {Answer} */
function getProperties(ctx) {
  const { blob } = blobOf(ctx)
  checkRead(ctx, blob)
  const { tier, inferred } = tierOf(blob)
  return {
    status: 200,
    headers: {
      ...describe(ctx, blob),
      'Content-Length': String(blob.size),
      'x-ms-access-tier': tier,
      ...(inferred && { 'x-ms-access-tier-inferred': 'true' }),
    },
  }
}

/** https://learn.microsoft.com/rest/api/storageservices/get-blob @param {Context} ctx @returns {Answer} */
function getBlob(ctx) {
  const { blob } = blobOf(ctx)
  checkRead(ctx, blob)
  if (blob.tier === 'Archive') throw new AzureError('BlobArchived')
  const wanted = ctx.effects.ignoreRange
    ? undefined
    : intervalOf(ctx.header('x-ms-range') ?? ctx.header('range'), blob.size)
  const { start, length } = wanted ?? { start: 0, length: blob.size }
  if (wanted && length <= 0) {
    throw new AzureError('InvalidRange', { headers: { 'Content-Range': `bytes */${blob.size}` } })
  }
  /** @type {Record<string, string>} */
  const headers = { ...describe(ctx, blob), 'Content-Length': String(length) }
  if (wanted) {
    const said = ctx.effects.wrongContentRange ? start + 1 : start
    headers['Content-Range'] = `bytes ${said}-${said + length - 1}/${blob.size}`
    if (headers['Content-MD5'] !== undefined) headers['x-ms-blob-content-md5'] = headers['Content-MD5']
    delete headers['Content-MD5']
  }
  return { status: wanted ? 206 : 200, headers, content: cut(blob.segments, start, length) }
}

/** https://learn.microsoft.com/rest/api/storageservices/delete-blob @param {Context} ctx @returns {Answer} */
function deleteBlob(ctx) {
  const { blob, entry } = blobOf(ctx)
  checkWrite(ctx, blob)
  const isOld = ctx.query.has('versionid')
  if (isOld && blob === entry.current) throw new AzureError('OperationNotAllowedOnRootBlob', { status: 403 })
  if (isOld) entry.versions = entry.versions.filter(one => one !== blob)
  else dropBlob(ctx, entry)
  return { status: 202 }
}

/** https://learn.microsoft.com/rest/api/storageservices/get-blob-tags @param {Context} ctx @returns {Answer} */
function getTags(ctx) {
  const { tags } = blobOf(ctx).blob
  checkTags(ctx, tags)
  return { status: 200, body: writeAzureXml('Tags', { TagSet: { Tag: tags.map(([Key, Value]) => ({ Key, Value })) } }) }
}

/** https://learn.microsoft.com/rest/api/storageservices/set-blob-tags @param {Context} ctx @returns {Promise<Answer>} */
async function setTags(ctx) {
  const tags = checkTags(ctx, readTags(readXml((await receiveDocument(ctx)).text)))
  const { entry, blob } = blobOf(ctx)
  // Tags are not part of the blob's state: its ETag stays.
  entry.current = { ...blob, tags }
  return { status: 204 }
}

/**
 * Conditional requests.
 * https://learn.microsoft.com/rest/api/storageservices/specifying-conditional-headers-for-blob-service-operations
 *
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

module.exports = { deleteBlob, getBlob, getProperties, getTags, putWholeBlob, setTags, checkWrite, refuseConditions }
