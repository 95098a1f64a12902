'use strict'

const { contentOf } = require('../common/content')
const { checkRead } = require('./conditions')
const { describe } = require('./description')
const { blobOf } = require('./entries')
const { AzureError } = require('./errors')

/**
 * The bytes of blobs, whole or a range.
 * https://learn.microsoft.com/rest/api/storageservices/get-blob
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

/** @param {Context} ctx @returns {Answer} */
function getBlob(ctx) {
  const { blob, entry } = blobOf(ctx)
  checkRead(ctx, blob)
  if (blob.tier === 'Archive') throw new AzureError('BlobArchived')
  const wanted = intervalOf(ctx, blob.size)
  const { start, length } = wanted ?? { start: 0, length: blob.size }
  /** @type {Record<string, string>} */
  const headers = { ...describe(ctx, blob, entry), 'Content-Length': String(length) }
  if (wanted) {
    const said = ctx.effects.wrongContentRange ? start + 1 : start
    headers['Content-Range'] = `bytes ${said}-${said + length - 1}/${blob.size}`
    if (headers['Content-MD5'] !== undefined) headers['x-ms-blob-content-md5'] = headers['Content-MD5']
    delete headers['Content-MD5']
  }
  const content = contentOf(ctx, blob.segments, start, length)
  if (!content) throw new AzureError('BytesNotKept', { status: 403, message: 'The bytes of this blob were not kept.' })
  return { status: wanted ? 206 : 200, headers, content }
}

/**
 * @param {Context} ctx
 * @param {number} size
 * @returns {{ start: number, length: number } | undefined} undefined: the whole blob
 * @throws {AzureError} InvalidRange
 */
function intervalOf(ctx, size) {
  const range = ctx.header('x-ms-range') ?? ctx.header('range')
  if (range === undefined || ctx.effects.ignoreRange) return undefined
  // As in Azure, a range from the end, and several ones, are not known: the whole blob is the answer.
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range) ?? []
  if (first === undefined) return undefined
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  if (start < size) return { start, length: end - start + 1 }
  throw new AzureError('InvalidRange', { headers: { 'Content-Range': `bytes */${size}` } })
}

/**
 * @param {{ state: Pick<Context['state'], 'blobs'> }} ctx
 * @param {import('./types').Segment} segment
 * @returns {Promise<Buffer>}
 */
async function bytesOf({ state: { blobs } }, segment) {
  if (!('blob' in segment)) throw new TypeError('bytes that were not kept cannot be looked at')
  return await blobs.read(segment)
}

module.exports = { bytesOf, getBlob }
