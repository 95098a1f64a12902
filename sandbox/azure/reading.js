'use strict'

const { createHash } = require('node:crypto')
const { contentOf, cut } = require('../common/content')
const { syntheticPiece } = require('../common/synthetic')
const { checkRead } = require('./conditions')
const { describe } = require('./description')
const { blobOf } = require('./entries')
const { AzureError, badHeader } = require('./errors')
const { createCrc64 } = require('./payload')

/**
 * The bytes of blobs, whole or a range.
 * https://learn.microsoft.com/rest/api/storageservices/get-blob
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

/** A sum of a range is told of up to this many bytes. */
const MAX_SUMMED_BYTES = 4 * 1024 * 1024
/** Query parameters of a SAS by which its holder overrides the content headers. */
const OVERRIDES = {
  rscc: 'Cache-Control',
  rscd: 'Content-Disposition',
  rsce: 'Content-Encoding',
  rscl: 'Content-Language',
  rsct: 'Content-Type',
}

/** @param {Context} ctx @returns {Promise<Answer>} */
async function getBlob(ctx) {
  const { blob, entry } = blobOf(ctx)
  checkRead(ctx, blob)
  if (blob.rehydrating !== undefined) throw new AzureError('BlobBeingRehydrated')
  if (blob.tier === 'Archive') throw new AzureError('BlobArchived')
  const wanted = intervalOf(ctx, blob.size)
  const { start, length } = wanted ?? { start: 0, length: blob.size }
  /** @type {Record<string, string>} */
  const headers = { ...describe(ctx, blob, entry), 'Content-Length': String(length) }
  for (const [name, header] of Object.entries(OVERRIDES)) {
    const value = ctx.query.get(name)
    if (value !== undefined && ctx.identity?.kind === 'sas') headers[header] = value
  }
  if (wanted) {
    const said = ctx.effects.wrongContentRange ? start + 1 : start
    headers['Content-Range'] = `bytes ${said}-${said + length - 1}/${blob.size}`
    if (headers['Content-MD5'] !== undefined) headers['x-ms-blob-content-md5'] = headers['Content-MD5']
    delete headers['Content-MD5']
    Object.assign(headers, await rangeSums(ctx, cut(blob.segments, start, length), length))
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
 * @param {Context} ctx
 * @param {import('./types').Segment[]} segments of the range
 * @param {number} length
 * @returns {Promise<Record<string, string>>}
 */
async function rangeSums(ctx, segments, length) {
  const [md5, crc64] = ['md5', 'crc64'].map(
    name => ctx.header(`x-ms-range-get-content-${name}`)?.toLowerCase() === 'true',
  )
  if (!md5 && !crc64) return {}
  if (md5 && crc64) throw badHeader('x-ms-range-get-content-crc64')
  if (length > MAX_SUMMED_BYTES) {
    throw new AzureError('OutOfRangeInput', { status: 400, message: 'One of the request inputs is out of range.' })
  }
  const bytes = Buffer.concat(await Promise.all(segments.map(segment => bytesOf(ctx, segment))))
  if (md5) return { 'Content-MD5': createHash('md5').update(bytes).digest('base64') }
  const hasher = createCrc64()
  hasher.update(bytes)
  return { 'x-ms-content-crc64': hasher.digest() }
}

/**
 * @param {{ state: Pick<Context['state'], 'blobs'> }} ctx
 * @param {import('./types').Segment} segment
 * @returns {Promise<Buffer>}
 */
async function bytesOf({ state: { blobs } }, segment) {
  if ('discarded' in segment) throw new TypeError('bytes that were not kept cannot be looked at')
  if ('phase' in segment) {
    const pieces = []
    for (let at = 0; at < segment.size; at += pieces[pieces.length - 1].length) {
      pieces.push(syntheticPiece(segment.phase, at, segment.size - at))
    }
    return Buffer.concat(pieces)
  }
  return await blobs.read(segment)
}

module.exports = { bytesOf, getBlob, intervalOf }
