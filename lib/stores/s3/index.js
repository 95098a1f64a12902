'use strict'

/**
 * The store `s3://`: Amazon S3 and what speaks its protocol. Control calls go through the SDK (control.js), data
 * requests are signed here and played by a function. https://docs.aws.amazon.com/AmazonS3/latest/API/
 */

const { framedLength } = require('../../../actions/copy-range/frame')
const { crc32FromBase64, crc32ToBase64 } = require('../../crc32')
const { XferError } = require('../../errors')
const { isLoopback } = require('../../http/loopback')
const { partLimits } = require('../limits')
const { isKnownToHeed } = require('./conditions')
const { createControl } = require('./control')
const { credentialsOf, renewCredentials } = require('./identity')
const { readMetadata, writeHeaders } = require('./metadata')
const { signRequest, encodeKey, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER } = require('./signer')

/** @typedef {import('../../types').Store} Store */
/** @typedef {import('../../types').SideSettings} SideSettings */

const TRAILER = 'x-amz-checksum-crc32'
/** No object has it. */
const NO_ETAG = `"${'0'.repeat(32)}"`

/**
 * @param {{ bucket: string, settings: SideSettings, now?: () => number }} where now: epoch milliseconds
 * @returns {Store}
 */
function createS3Store({ bucket, settings, now = Date.now }) {
  const control = createControl(settings, bucket, now)
  const host = settings.endpoint === undefined ? 'amazonaws.com' : new URL(settings.endpoint).hostname

  /** By the headers that carry the signature. @type {WeakMap<Record<string, string>, import('../../types').Credentials>} */
  const signedWith = new WeakMap()

  /**
   * @param {'GET' | 'PUT'} method
   * @param {string} key
   * @param {Record<string, string>} query
   * @param {Record<string, string>} headers
   */
  async function sign(method, key, query, headers) {
    const { origin, path } = await control.bucketUrl()
    const credentials = await credentialsOf(settings)
    const request = await signRequest(
      {
        method,
        origin,
        path: `${path}/${encodeKey(key)}`,
        query,
        headers: { ...headers, ...(settings.requestPayer && { 'x-amz-request-payer': 'requester' }) },
      },
      { credentials, region: control.region(), nowMs: control.now() },
    )
    if (credentials) signedWith.set(request.headers, credentials)
    return request
  }

  /**
   * A PUT's headers for a body of so many bytes, which go as they are or, where a checksum is to follow them, in one
   * aws-chunked frame: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
   *
   * @param {number} bytes
   * @param {boolean} checksum
   * @param {string} [contentEncoding] of the object
   * @returns {Record<string, string>}
   */
  function bodyHeaders(bytes, checksum, contentEncoding) {
    if (!checksum) return { 'content-length': String(bytes), 'x-amz-content-sha256': UNSIGNED_PAYLOAD }
    return {
      'content-length': String(framedLength(bytes, TRAILER)),
      'content-encoding': contentEncoding ? `${contentEncoding},aws-chunked` : 'aws-chunked',
      'x-amz-content-sha256': UNSIGNED_WITH_TRAILER,
      'x-amz-decoded-content-length': String(bytes),
      'x-amz-trailer': TRAILER,
    }
  }

  /** Whether the store takes the headers that speak of checksums; some refuse what they do not know (Backblaze B2). */
  let takesChecksums = true

  let bucketSeen = false

  /**
   * @param {Record<string, unknown>} input
   * @param {Record<string, unknown>} checksums what asks for them
   * @param {(input: Record<string, unknown>) => Promise<any>} call
   * @param {(error: import('../../types').XferError) => Promise<never>} [explainRefusal]
   */
  async function withChecksums(input, checksums, call, explainRefusal) {
    if (!takesChecksums || Object.keys(checksums).length === 0) return await call(input).catch(explainRefusal)
    try {
      return await call({ ...input, ...checksums })
    } catch (cause) {
      const refusal = /** @type {import('../../types').XferError} */ (cause)
      const { status } = refusal.facts
      if (refusal.code !== 'STORE_REFUSED' || (status !== 400 && status !== 501)) {
        if (explainRefusal) return await explainRefusal(refusal)
        throw refusal
      }
      const output = await call(input).catch(explainRefusal)
      takesChecksums = false
      return output
    }
  }

  return {
    scheme: 's3',
    reach: isLoopback(host) ? 'local' : 'network',
    endpoint: settings.endpoint ?? 'AWS',
    ca: settings.ca,
    limits: partLimits(host),
    now: control.now,

    async renew({ headers }) {
      return await renewCredentials(settings, signedWith.get(headers))
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html */
    async head(key, { signal } = {}) {
      const ask = () =>
        withChecksums(
          { Key: key },
          { ChecksumMode: 'ENABLED' },
          input => control.call('HeadObject', input, signal),
          error => explain(error, key, signal),
        )
      const credentials = await credentialsOf(settings)
      const output = await ask().catch(async refusal => {
        // It cannot say that the credentials have expired; what explained it has had them renewed then.
        if ((await credentialsOf(settings)) === credentials) throw refusal
        return await ask()
      })
      const { ContentLength: bytes, ETag: etag } = output
      if (!Number.isSafeInteger(bytes)) throw strange("a HEAD is answered without the object's size")
      if (!etag) throw strange("a HEAD is answered without the object's ETag")
      bucketSeen = true
      return {
        bytes,
        etag,
        versionId: output.VersionId,
        lastModifiedMs: output.LastModified?.getTime(),
        metadata: readMetadata(output),
        ...(isEncrypted(output) && { encrypted: true }),
        ...(output.ChecksumCRC32 && {
          // Stores older than the type give a composite value a part count after a dash.
          checksum: {
            crc32: output.ChecksumCRC32,
            type: output.ChecksumType ?? (output.ChecksumCRC32.includes('-') ? 'COMPOSITE' : 'FULL_OBJECT'),
          },
        }),
      }
    },

    /**
     * Of an object that was uploaded in parts, one of them.
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html#API_HeadObject_RequestSyntax
     */
    async partSize(key, { signal, partNumber = 1 } = {}) {
      const output = await control.call('HeadObject', { Key: key, PartNumber: partNumber }, signal)
      const { ContentLength: bytes, PartsCount: parts } = output
      return Number.isSafeInteger(bytes) && parts > 0 ? { bytes, parts } : undefined
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html */
    async remove({ key, etag }, { signal } = {}) {
      await control.call('DeleteObject', { Key: key, IfMatch: etag }, signal)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
    async list({ prefix, marker }, { signal } = {}) {
      const input = { Prefix: prefix, ContinuationToken: marker }
      const output = checkList(await control.call('ListObjectsV2', input, signal))
      const objects = (output.Contents ?? []).map((/** @type {any} */ object) => ({
        key: object.Key,
        bytes: Number(object.Size),
        etag: object.ETag ?? '',
        lastModifiedMs: object.LastModified?.getTime(),
      }))
      return { objects, next: output.IsTruncated ? output.NextContinuationToken : undefined }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
    readRequest({ key, etag, range }) {
      const headers = {
        'if-match': etag,
        'x-amz-content-sha256': UNSIGNED_PAYLOAD,
        ...(range && { range: `bytes=${range.start}-${range.end}` }),
      }
      return sign('GET', key, {}, headers)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
    async putRequest({ key, bytes, metadata, checksum, condition = {} }) {
      const headers = {
        ...writeHeaders(metadata),
        ...bodyHeaders(bytes, checksum, metadata.headers['content-encoding']),
        ...(condition.ifNoneMatch && { 'if-none-match': '*' }),
        ...(condition.ifMatch !== undefined && { 'if-match': condition.ifMatch }),
      }
      const request = await sign('PUT', key, {}, headers)
      return checksum ? { ...request, trailer: TRAILER } : request
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
    async createUpload({ key, metadata, checksum }, { signal } = {}) {
      const wanted = checksum ? { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } : {}
      const output = await withChecksums({ Key: key }, wanted, input =>
        control.call('CreateMultipartUpload', input, signal, writeHeaders(metadata)),
      )
      const echoed = output.ChecksumAlgorithm === 'CRC32' && output.ChecksumType === 'FULL_OBJECT'
      if (!output.UploadId) throw strange('an upload is answered without its id')
      bucketSeen = true
      return { id: output.UploadId, checksums: checksum && echoed, ...(isEncrypted(output) && { encrypted: true }) }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
    async partRequest({ key, uploadId, partNumber, bytes, checksum }) {
      const request = await sign('PUT', key, { partNumber: String(partNumber), uploadId }, bodyHeaders(bytes, checksum))
      return checksum ? { ...request, trailer: TRAILER } : request
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
    async listParts({ key, uploadId, marker, most }, { signal } = {}) {
      const input = { Key: key, UploadId: uploadId, PartNumberMarker: marker, MaxParts: most }
      const output = checkList(await control.call('ListParts', input, signal))
      const parts = (output.Parts ?? []).map((/** @type {any} */ part) => ({
        partNumber: part.PartNumber,
        etag: part.ETag,
        bytes: Number(part.Size),
        ...(part.ChecksumCRC32 && { crc32: crc32FromBase64(part.ChecksumCRC32) }),
      }))
      return { parts, next: output.IsTruncated ? String(output.NextPartNumberMarker) : undefined }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html */
    async completeUpload({ key, uploadId, parts, bytes, crc32, condition = {} }, { signal } = {}) {
      const checksums = crc32 !== undefined
      const input = {
        Key: key,
        UploadId: uploadId,
        ...conditionInput(condition),
        ...(checksums && {
          ChecksumCRC32: crc32ToBase64(crc32),
          ChecksumType: 'FULL_OBJECT',
          MpuObjectSize: String(bytes),
        }),
        MultipartUpload: {
          Parts: parts.map(part => ({
            PartNumber: part.partNumber,
            ETag: part.etag,
            ...(checksums && part.crc32 !== undefined && { ChecksumCRC32: crc32ToBase64(part.crc32) }),
          })),
        },
      }
      const output = await control.call('CompleteMultipartUpload', input, signal).catch(refuseWrongObject)
      return {
        etag: output.ETag ?? '',
        versionId: output.VersionId,
        ...(output.ChecksumCRC32 && {
          checksum: { crc32: output.ChecksumCRC32, type: output.ChecksumType ?? 'FULL_OBJECT' },
        }),
      }
    },

    /**
     * Where it is not documented, the store is asked to complete an upload that does not exist, under a condition that
     * does not hold: who heeds conditions says so (412), and nobody can do what was asked.
     */
    async heeds({ key, condition }, { signal } = {}) {
      if (isKnownToHeed({ host, server: control.server() })) return true
      const broken = condition.ifNoneMatch ? { ifNoneMatch: true } : { ifMatch: NO_ETAG }
      const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: NO_ETAG }] }
      const input = { Key: key, UploadId: 'none', MultipartUpload, ...conditionInput(broken) }
      return await control.call('CompleteMultipartUpload', input, signal).then(
        () => false,
        error => {
          if (error.retryable) throw error
          return error.code === 'DESTINATION_EXISTS'
        },
      )
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html */
    async abortUpload({ key, uploadId }, { signal } = {}) {
      await control.call('AbortMultipartUpload', { Key: key, UploadId: uploadId }, signal)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
    async listUploads({ prefix, marker }, { signal } = {}) {
      const input = { Prefix: prefix, KeyMarker: marker?.key, UploadIdMarker: marker?.id }
      const output = checkList(await control.call('ListMultipartUploads', input, signal))
      const uploads = (output.Uploads ?? []).map((/** @type {any} */ upload) => ({
        key: upload.Key,
        id: upload.UploadId,
        initiatedMs: upload.Initiated?.getTime(),
      }))
      const next = output.IsTruncated ? { key: output.NextKeyMarker, id: output.NextUploadIdMarker } : undefined
      return { uploads, next }
    },

    facts: control.facts,
    close: control.close,
  }

  /**
   * The SDK makes an empty list of a web page. A list says of what it is, or whether there is more.
   *
   * @param {any} output
   */
  function checkList(output) {
    const { Name, Bucket, IsTruncated, Contents, Parts, Uploads } = output
    const known = [Name, Bucket, IsTruncated, Contents, Parts, Uploads].some(value => value !== undefined)
    if (!known) throw strange('a list is answered with something else')
    return output
  }

  /** An answer that no object store gives. @param {string} reason */
  function strange(reason) {
    return new XferError('NOT_A_STORE', { ...control.facts, reason })
  }

  /**
   * A HEAD's refusal has no body, so it cannot say whether the bucket or the key is missing, or the key id or the
   * signature wrong. A GET of one byte, which needs the same permission, can.
   *
   * @param {import('../../types').XferError} refusal
   * @param {string} key
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<never>}
   */
  async function explain(refusal, key, signal) {
    const { status } = refusal.facts
    // Of a bucket that is there it is the key.
    if (status === 404 && bucketSeen && refusal.code === 'NO_SUCH_KEY') throw refusal
    if (status === undefined || status < 300 || status >= 500 || status === 429) throw refusal
    const output = await control.call('GetObject', { Key: key, Range: 'bytes=0-0' }, signal).catch(error => {
      bucketSeen ||= error.code === 'NO_SUCH_KEY' && error.facts.storeCode === 'NoSuchKey'
      throw error
    })
    output.Body?.destroy?.()
    throw refusal
  }
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html, "ETag"
 *
 * @param {{ ServerSideEncryption?: string, SSECustomerAlgorithm?: string }} output
 */
function isEncrypted({ ServerSideEncryption = '', SSECustomerAlgorithm }) {
  return ServerSideEncryption.startsWith('aws:kms') || SSECustomerAlgorithm !== undefined
}

/** Of the SDK. @param {import('../../types').WriteCondition} condition */
function conditionInput({ ifNoneMatch, ifMatch }) {
  return { ...(ifNoneMatch && { IfNoneMatch: '*' }), ...(ifMatch !== undefined && { IfMatch: ifMatch }) }
}

/** Of a part, a wrong checksum is worth another try; here, parts or whole are not what was sent, and there is nothing to send again. @param {import('../../types').XferError} error @returns {never} */
function refuseWrongObject(error) {
  if (error.code !== 'PART_CORRUPTED' && error.facts.storeCode !== 'InvalidPart') throw error
  const reason = `the destination refused to complete the upload: ${error.facts.reason ?? error.facts.storeCode}`
  throw new XferError('INTEGRITY', { ...error.facts, reason }, { cause: error })
}

module.exports = { createS3Store }
