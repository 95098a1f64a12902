'use strict'

/** Reads S3's answers about multipart uploads and their parts. */

const { XferError } = require('../../errors')
const { brief, checkEcho } = require('./echo')
const { readCount, readFlag } = require('./list')
const { sumsIn } = require('./sums')

const MOST_PARTS = 10_000

/** @typedef {Record<string, any>} Values of a document */

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html
 *
 * @param {Values} values
 * @param {{ bucket: string, key: string }} asked
 * @param {Record<string, any>} facts of the store
 * @returns {string} the upload's id
 * @throws {XferError} BAD_ANSWER, NOT_A_STORE
 */
function readCreated({ Bucket, Key, UploadId }, { bucket, key }, facts) {
  if (!UploadId) throw new XferError('NOT_A_STORE', { ...facts, reason: 'an upload is answered without its id' })
  checkEcho({ what: 'the creation of an upload', bucket, texts: [['key', Key, key]] }, Bucket, facts)
  return UploadId
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 *
 * @param {Values} values
 * @param {{ bucket: string, key: string }} asked
 * @param {Record<string, any>} facts of the store
 * @returns {import('../../types').CompletedObject} without the version id, which is in a header
 * @throws {XferError} BAD_ANSWER
 */
function readCompleted({ Bucket, Key, ...made }, { bucket, key }, facts) {
  checkEcho({ what: 'a completion', bucket, texts: [['key', Key, key]] }, Bucket, facts)
  return readMade(made)
}

/**
 * Reads ETag and checksums of the object or part that a store has made.
 *
 * @param {Values} values
 * @returns {import('../../types').CompletedObject} etag: empty if the answer has none
 */
function readMade({ ETag = '', ...made }) {
  const { sums } = sumsIn(made)
  return { etag: ETag, ...(sums && { sums }) }
}

/**
 * Reads one page of a list of parts. Parts up to the marker are skipped, if a store repeats them. If the answer does not say
 * whether more pages follow, the next page is requested.
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
 *
 * @param {Values} values
 * @param {{ bucket: string, key: string, uploadId: string, marker?: string }} asked
 * @param {Record<string, any>} facts of the store
 * @returns {Awaited<ReturnType<import('../../types').MultipartUpload['parts']>>}
 * @throws {XferError} BAD_ANSWER, NOT_A_STORE
 */
function readParts(values, { bucket, key, uploadId, marker = '0' }, facts) {
  const { Bucket, Key, UploadId, Part, NextPartNumberMarker } = values
  /** @param {string} reason */
  const wrong = reason => new XferError('BAD_ANSWER', { ...facts, reason })
  const truncated = readFlag(values.IsTruncated, facts)
  if ([Bucket, Key, UploadId, truncated].every(value => value === undefined) && Part.length === 0) {
    throw new XferError('NOT_A_STORE', { ...facts, reason: 'a list is answered with something else' })
  }
  checkEcho({ what: 'a list of parts', bucket, texts: [['key', Key, key]] }, Bucket, facts)
  if (UploadId && UploadId !== uploadId) throw wrong('it answers a list of parts with those of another upload')
  const seen = new Set()
  const parts = Part.flatMap((/** @type {Record<string, string | undefined>} */ part) => {
    const partNumber = readCount(part.PartNumber) ?? Number.NaN
    if (!(partNumber >= 1 && partNumber <= MOST_PARTS)) {
      throw wrong(`it lists a part with the number ${brief(part.PartNumber ?? '')}`)
    }
    const bytes = readCount(part.Size) ?? Number.NaN
    if (Number.isNaN(bytes)) throw wrong(`it lists part ${partNumber} without its size`)
    if (seen.has(partNumber)) throw wrong(`it lists part ${partNumber} twice`)
    seen.add(partNumber)
    if (partNumber <= Number(marker)) return []
    const { sums } = sumsIn(part)
    return [{ partNumber, etag: part.ETag ?? '', bytes, ...(sums && { sums }) }]
  })
  const last = Math.max(0, ...parts.map((/** @type {{ partNumber: number }} */ part) => part.partNumber))
  if (truncated === false || (truncated === undefined && last === 0)) return { parts, next: undefined }
  if (truncated === undefined) return { parts, next: String(last) }
  const next = readCount(NextPartNumberMarker)
  if (!(next !== undefined && next > Number(marker))) {
    throw wrong('it says that there are more parts, and not how to ask for them')
  }
  return { parts, next: String(next) }
}

/**
 * Reads one page of a list of uploads. If the answer does not say whether more pages follow, the next page is requested.
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
 *
 * @param {Values} values
 * @param {{ bucket: string, prefix: string, marker?: { key: string, id?: string } }} asked
 * @param {Record<string, any>} facts of the store
 * @returns {Awaited<ReturnType<import('../../types').MultipartUpload['pending']>>}
 * @throws {XferError} BAD_ANSWER, NOT_A_STORE
 */
function readUploads(values, { bucket, prefix, marker }, facts) {
  const { Bucket, Prefix, Upload, NextKeyMarker, NextUploadIdMarker } = values
  /** @param {string} reason */
  const wrong = reason => new XferError('BAD_ANSWER', { ...facts, reason })
  const truncated = readFlag(values.IsTruncated, facts)
  if ([Bucket, truncated].every(value => value === undefined) && Upload.length === 0) {
    throw new XferError('NOT_A_STORE', { ...facts, reason: 'a list is answered with something else' })
  }
  checkEcho({ what: 'a list of uploads', bucket, texts: [['prefix', Prefix, prefix]] }, Bucket, facts)
  const all = Upload.map((/** @type {Record<string, any>} */ { Key, UploadId, Initiated, Initiator }) => {
    if (!Key || !UploadId) throw wrong('it lists an upload without its key or its id')
    const initiatedMs = Initiated === undefined ? Number.NaN : Date.parse(Initiated)
    return {
      key: Key,
      id: UploadId,
      initiatedMs: Number.isNaN(initiatedMs) ? undefined : initiatedMs,
      ...(Initiator?.ID && { initiator: Initiator.ID }),
    }
  })
  // Some stores ignore the prefix.
  const uploads = all.filter((/** @type {{ key: string }} */ upload) => upload.key.startsWith(prefix))
  const last = all.at(-1)
  const same = last === undefined || (last.key === marker?.key && last.id === marker?.id)
  if (truncated === false || (truncated === undefined && same)) return { uploads, next: undefined }
  if (truncated === undefined) return { uploads, next: { key: last.key, id: last.id } }
  if (!NextKeyMarker) throw wrong('it says that there are more uploads, and not how to ask for them')
  return { uploads, next: { key: NextKeyMarker, id: NextUploadIdMarker || undefined } }
}

module.exports = { readCompleted, readCreated, readMade, readParts, readUploads }
