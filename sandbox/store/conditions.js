'use strict'

const { S3Error } = require('./errors')

/**
 * Conditional requests. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').StoredObject} StoredObject
 */

/**
 * Checks the conditions of GET and HEAD, in the order of RFC 9110, section 13.2.2, or those on the source of a copy.
 *
 * @param {Context} ctx
 * @param {StoredObject} object
 * @param {string} [prefix] of the headers
 * @throws {S3Error} PreconditionFailed; NotModified, which the source of a copy never is
 */
function checkRead(ctx, object, prefix = '') {
  if (ctx.effects.ignoreIfMatch) return
  checkGeneration(ctx, prefix === '' ? 'x-goog-if-generation-match' : `${prefix}if-generation-match`, object)
  const modified = Math.floor(object.modifiedMs / 1000) * 1000
  const [ifMatch, ifNoneMatch] = [ctx.header(`${prefix}if-match`), ctx.header(`${prefix}if-none-match`)]
  const ifUnmodifiedSince = dateIn(ctx, `${prefix}if-unmodified-since`)
  const ifModifiedSince = dateIn(ctx, `${prefix}if-modified-since`)
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, object)) throw failed(`${prefix}If-Match`)
  } else if (ifUnmodifiedSince !== undefined && modified > ifUnmodifiedSince) {
    throw failed(`${prefix}If-Unmodified-Since`)
  }
  const unchanged =
    ifNoneMatch !== undefined
      ? matches(ifNoneMatch, object)
      : ifModifiedSince !== undefined && modified <= ifModifiedSince
  if (!unchanged) return
  if (prefix !== '') throw failed(`${prefix}If-None-Match`)
  throw new S3Error('NotModified', {
    headers: { ETag: `"${object.etag}"`, 'Last-Modified': new Date(object.modifiedMs).toUTCString() },
  })
}

/**
 * Checks the conditions of PutObject, CopyObject and CompleteMultipartUpload.
 *
 * @param {Context} ctx
 * @param {StoredObject | undefined} existing
 * @throws {S3Error} PreconditionFailed, NoSuchKey, NotImplemented
 */
function checkWrite(ctx, existing) {
  if (!ctx.state.options.conditions) return
  checkGeneration(ctx, 'x-goog-if-generation-match', existing)
  const ifNoneMatch = ctx.header('if-none-match')
  const ifMatch = ctx.header('if-match')
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new S3Error('NotImplemented', { Header: 'If-None-Match' })
  }
  if (ifNoneMatch !== undefined && existing) throw failed('If-None-Match')
  if (ifMatch === undefined) return
  if (!existing) throw new S3Error('NoSuchKey', { Key: ctx.key })
  const literal = ctx.state.options.ifMatch === 'quotes' && ctx.operation === 'PutObject'
  if (literal ? ifMatch !== existing.etag : !matches(ifMatch, existing)) throw failed('If-Match')
}

/**
 * Google's condition: 0 stands for no object. Only its mode has the header.
 *
 * @param {Context} ctx
 * @param {string} name
 * @param {StoredObject | undefined} object
 * @throws {S3Error} PreconditionFailed
 */
function checkGeneration(ctx, name, object) {
  const wanted = ctx.header(name)
  if (wanted !== undefined && wanted !== (object?.generation ?? '0')) throw failed(name)
}

/** @param {string} condition */
function failed(condition) {
  return new S3Error('PreconditionFailed', { Condition: condition })
}

/** @param {string} list @param {StoredObject} object */
function matches(list, { etag }) {
  return list.split(',').some(one => {
    const wanted = one.trim().replace(/^W\//, '')
    return wanted === '*' || wanted === etag || wanted === `"${etag}"`
  })
}

/** @param {Context} ctx @param {string} name @returns {number | undefined} undefined for an invalid date, which is ignored */
function dateIn(ctx, name) {
  const ms = Date.parse(ctx.header(name) ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

module.exports = { checkRead, checkWrite }
