'use strict'

const { S3Error } = require('./errors')

/**
 * Conditional requests. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').StoredObject} StoredObject
 */

/**
 * Checks the conditions of GET and HEAD by which an object is pinned, in the order of RFC 9110, section 13.2.2, or those on the
 * source of a copy.
 *
 * @param {Context} ctx
 * @param {StoredObject} object
 * @param {string} [prefix] of the headers
 * @throws {S3Error} PreconditionFailed
 */
function checkRead(ctx, object, prefix = '') {
  if (ctx.effects.ignoreIfMatch) return
  checkGeneration(ctx, prefix === '' ? 'x-goog-if-generation-match' : `${prefix}if-generation-match`, object)
  const ifMatch = ctx.header(`${prefix}if-match`)
  // A date that is none is ignored.
  const since = Date.parse(ctx.header(`${prefix}if-unmodified-since`) ?? '')
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, object)) throw failed(`${prefix}If-Match`)
  } else if (object.modifiedMs > since) {
    // With the fraction of its second, as versitygw 1.8 does.
    throw failed(`${prefix}If-Unmodified-Since`)
  }
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

module.exports = { checkRead, checkWrite }
