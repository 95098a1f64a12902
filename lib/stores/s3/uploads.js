'use strict'

/** Control calls about multipart uploads. https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */

const { XferError } = require('../../errors')
const { isEncrypted, writeHeaders } = require('./attributes')
const { sumsIn } = require('./rules')
const { conditionHeaders, quoted, readCount, readTime } = require('../common')
const { checkEcho } = require('./echo')
const { beginList } = require('./list')

/** @typedef {import('../contract').Store} Store */

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {{ name: string, seen: boolean }} of.bucket seen: an answer has shown that the bucket exists
 * @param {ReturnType<typeof import('./dialects').createSession>} of.session
 * @param {() => import('./profiles').Facts} of.profile
 * @param {boolean} of.encoded the store decodes user metadata by RFC 2047
 * @returns {Omit<Store['upload'], 'part'>}
 */
function createUploads({ control, bucket, encoded, session, profile }) {
  const ignoresConditions = () =>
    session.dialect.lacks.has('completionConditions') || profile().conditions === 'ignored'

  return {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
    async create({ key, attributes, checksum }, { signal } = {}) {
      session.check(attributes)
      const input = { Key: key, ...(checksum && { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' }) }
      const headers = writeHeaders(attributes, { encoded })
      const output = await control.call('CreateMultipartUpload', input, signal, headers)
      const echoed =
        output.headers['x-amz-checksum-algorithm'] === 'CRC32' &&
        output.headers['x-amz-checksum-type'] === 'FULL_OBJECT'
      const { UploadId: id } = output.values
      if (!id) throw new XferError('NOT_A_STORE', { ...control.facts, reason: 'an upload is answered without its id' })
      checkEcho('the creation of an upload', { bucket: bucket.name, key }, output.values, control.facts)
      bucket.seen = true
      return { id, checksums: checksum && echoed, ...(isEncrypted(output.headers) && { encrypted: true }) }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
    async parts({ key, uploadId, marker, most }, { signal } = {}) {
      const input = { Key: key, UploadId: uploadId, PartNumberMarker: marker, MaxParts: most }
      const { values } = await control.call('ListParts', input, signal)
      return readParts(values, { bucket: bucket.name, key, uploadId, marker }, control.facts)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html */
    async complete({ key, uploadId, parts, sums, condition }, { signal } = {}) {
      const input = {
        Key: key,
        UploadId: uploadId,
        ...(sums && { ...checksumOf(sums), ChecksumType: 'FULL_OBJECT' }),
        MultipartUpload: {
          Parts: parts.map(part => ({
            ETag: part.etag,
            ...(sums && checksumOf(part.sums)),
            PartNumber: part.partNumber,
          })),
        },
      }
      const headers = ignoresConditions() ? {} : conditionHeaders(condition)
      const output = await control.call('CompleteMultipartUpload', input, signal, headers).catch(refuseWrongObject)
      checkEcho('a completion', { bucket: bucket.name, key }, output.values, control.facts)
      return {
        ...readMade(output.values),
        ...session.toldSums(output.headers),
        versionId: output.headers['x-amz-version-id'],
      }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html */
    async abort({ key, uploadId }, { signal } = {}) {
      await control.call('AbortMultipartUpload', { Key: key, UploadId: uploadId }, signal)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
    async pending({ prefix, marker }, { signal } = {}) {
      const input = { Prefix: prefix, KeyMarker: marker?.key, UploadIdMarker: marker?.id }
      const { values } = await control.call('ListMultipartUploads', input, signal)
      return readUploads(values, { bucket: bucket.name, prefix, marker }, control.facts)
    },
  }
}

/** The checksum that uploads are begun with, as members of a call. @param {import('../../types').Sums} [sums] */
function checksumOf({ crc32 } = {}) {
  return crc32 === undefined ? {} : { ChecksumCRC32: Buffer.from(crc32, 'hex').toString('base64') }
}

/**
 * A part with a wrong checksum can be sent again. When a completion is refused for that reason, the stored parts or the object
 * differ from what was sent, and a retry cannot help.
 *
 * @param {import('../../types').XferError} error
 * @returns {never}
 */
function refuseWrongObject(error) {
  if (error.code !== 'PART_CORRUPTED' && !error.facts.partsDiffer) throw error
  const reason = `the destination refused to complete the upload: ${error.facts.reason ?? error.facts.storeCode}`
  throw new XferError('INTEGRITY', { ...error.facts, reason }, { cause: error })
}

const MOST_PARTS = 10_000

/** @typedef {Record<string, any>} Values of a document */

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
  const { UploadId, Part, NextPartNumberMarker } = values
  /** @param {string} reason */
  const wrong = reason => new XferError('BAD_ANSWER', { ...facts, reason })
  const truncated = beginList('a list of parts', values, Part, { bucket, key }, facts)
  if (UploadId && UploadId !== uploadId) throw wrong('it answers a list of parts with those of another upload')
  const seen = new Set()
  const parts = Part.flatMap((/** @type {Record<string, string | undefined>} */ part) => {
    const partNumber = readCount(part.PartNumber) ?? 0
    if (partNumber < 1 || partNumber > MOST_PARTS) {
      throw wrong(`it lists a part with the number ${quoted(part.PartNumber ?? '')}`)
    }
    const bytes = readCount(part.Size)
    if (bytes === undefined) throw wrong(`it lists part ${partNumber} without its size`)
    if (seen.has(partNumber)) throw wrong(`it lists part ${partNumber} twice`)
    seen.add(partNumber)
    if (partNumber <= Number(marker)) return []
    const { sums } = sumsIn(part)
    return [{ partNumber, etag: part.ETag ?? '', bytes, ...(sums && { sums }) }]
  })
  const last = Math.max(0, ...parts.map((/** @type {{ partNumber: number }} */ part) => part.partNumber))
  if (truncated === false || (truncated === undefined && last === 0)) return { parts, next: undefined }
  if (truncated === undefined) return { parts, next: String(last) }
  const next = readCount(NextPartNumberMarker) ?? 0
  if (next <= Number(marker)) throw wrong('it says that there are more parts, and not how to ask for them')
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
  const { Upload, NextKeyMarker, NextUploadIdMarker } = values
  /** @param {string} reason */
  const wrong = reason => new XferError('BAD_ANSWER', { ...facts, reason })
  const truncated = beginList('a list of uploads', values, Upload, { bucket, prefix }, facts)
  const all = Upload.map((/** @type {Record<string, any>} */ { Key, UploadId, Initiated, Initiator }) => {
    if (!Key || !UploadId) throw wrong('it lists an upload without its key or its id')
    return {
      key: Key,
      id: UploadId,
      initiatedMs: readTime(Initiated),
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

module.exports = { createUploads, readMade }
