'use strict'

/** Control calls about multipart uploads. https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */

const { XferError } = require('../../errors')
const { writeHeaders } = require('./attributes')
const { isEncrypted } = require('./object')
const { sumInput } = require('./sums')
const { readCompleted, readCreated, readParts, readUploads } = require('./upload-answers')

/** @typedef {import('../contract').Store} Store */

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {{ name: string, seen: boolean }} of.bucket seen: an answer has shown that the bucket exists
 * @param {ReturnType<typeof import('./session').createSession>} of.session
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
      const id = readCreated(output.values, { bucket: bucket.name, key }, control.facts)
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
    async complete({ key, uploadId, parts, sums, condition = {} }, { signal } = {}) {
      const input = {
        Key: key,
        UploadId: uploadId,
        ...(!ignoresConditions() && conditionInput(condition)),
        ...(sums && { ...checksumOf(sums), ChecksumType: 'FULL_OBJECT' }),
        MultipartUpload: {
          Parts: parts.map(part => ({
            PartNumber: part.partNumber,
            ETag: part.etag,
            ...(sums && checksumOf(part.sums)),
          })),
        },
      }
      const output = await control.call('CompleteMultipartUpload', input, signal).catch(refuseWrongObject)
      return {
        ...readCompleted(output.values, { bucket: bucket.name, key }, control.facts),
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
  return crc32 === undefined ? {} : sumInput({ crc32 })
}

/** The condition as members of a call. @param {import('../../types').WriteCondition} condition */
function conditionInput({ ifNoneMatch, ifMatch }) {
  return { ...(ifNoneMatch && { IfNoneMatch: '*' }), ...(ifMatch !== undefined && { IfMatch: ifMatch }) }
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

module.exports = { createUploads }
