'use strict'

/**
 * The store `s3://`: Amazon S3 and compatible stores. Control calls go through the SDK (control.js). Data requests are signed
 * here and sent by a function. https://docs.aws.amazon.com/AmazonS3/latest/API/
 */

const { framedLength, READ, WRITE } = require('../../../actions/copy-range/stores/s3')
const { NO_ETAG, crc32ToBase64 } = require('../../integrity')
const { XferError } = require('../../errors')
const { partLimits } = require('./limits')
const { headersOf, readDescription, readWritten, writeHeaders } = require('./attributes')
const { abilities } = require('./abilities')
const { createChecksumAsking } = require('./checksum-asking')
const { createCompletionAsking } = require('./completion-asking')
const { isAws, isKnownToHeed } = require('./conditions')
const { createControl } = require('./control')
const { explainAnswer } = require('./explain')
const { createCopies } = require('./copies')
const { credentialsOf, renewCredentials } = require('./identity')
const { listInput, readList } = require('./list')
const { createObjectQuestions, isEncrypted } = require('./object')
const { createRemoval } = require('./removal')
const { signRequest, encodeKey, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER } = require('./signer')
const { readCompleted, readCreated, readParts, readUploads } = require('./upload-answers')

/** @typedef {import('../../types').Store} Store */
/** @typedef {import('../../types').SideSettings} SideSettings */

const TRAILER = 'x-amz-checksum-crc32'
/** The age of a signature, by the store's clock, from which signing again may help. Stores refuse 15 minutes. */
const SIGNED_LONG_AGO_MS = 5 * 60_000
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-class-intro.html#sc-glacier */
const ARCHIVES = new Set(['GLACIER', 'DEEP_ARCHIVE'])

/**
 * @param {{ bucket: string, settings: SideSettings, location?: string, now?: () => number }} where location: the place, for
 *   messages; now: epoch milliseconds
 * @returns {Store}
 */
function createS3Store({ bucket, settings, location, now = Date.now }) {
  const control = createControl({ settings, bucket, location, now })
  const host = settings.endpoint === undefined ? 'amazonaws.com' : new URL(settings.endpoint).hostname
  const encoded = isAws(host)

  /** The credentials of each request, by its headers. @type {WeakMap<Record<string, string>, import('../../types').Credentials>} */
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
        headers: {
          ...headers,
          ...settings.customerKey?.(),
          ...(settings.requestPayer && { 'x-amz-request-payer': 'requester' }),
        },
      },
      { credentials, region: control.region(), nowMs: control.now() },
    )
    if (credentials) signedWith.set(request.headers, credentials)
    return request
  }

  /**
   * Headers of a PUT about its body. The bytes are sent as they are or, if a checksum follows them, in one aws-chunked frame:
   * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
   *
   * @param {number} bytes
   * @param {boolean} checksum
   * @param {string} [contentEncoding] of the object
   * @returns {Record<string, string>}
   */
  function bodyHeaders(bytes, checksum, contentEncoding) {
    // versitygw 1.8.0 removes the framing by `x-amz-content-sha256`, but stores `aws-chunked` as the object's encoding.
    const framing = control.server() === 'VERSITYGW' ? [] : ['aws-chunked']
    const encoding = [...(contentEncoding ? [contentEncoding] : []), ...framing].join(',')
    if (!checksum) return { 'content-length': String(bytes), 'x-amz-content-sha256': UNSIGNED_PAYLOAD }
    return {
      'content-length': String(framedLength(bytes, TRAILER)),
      ...(encoding && { 'content-encoding': encoding }),
      'x-amz-content-sha256': UNSIGNED_WITH_TRAILER,
      'x-amz-decoded-content-length': String(bytes),
      'x-amz-trailer': TRAILER,
    }
  }

  const withChecksums = createChecksumAsking()
  const withoutRefused = createCompletionAsking()
  const inBucket = { seen: false }

  return {
    scheme: 's3',
    endpoint: settings.endpoint ?? 'AWS',
    origin: settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`,
    ca: settings.ca,
    can: abilities({
      host,
      keyed: settings.customerKey !== undefined,
      listsUploadsByPrefix: settings.endpoint === undefined,
      server: control.server,
    }),
    limits: partLimits(host),
    accepts: { read: READ, put: WRITE, part: WRITE },
    now: control.now,

    async authenticate() {
      return (await credentialsOf(settings)) !== null
    },

    copySource({ key, etag, versionId }) {
      const { requestPayer, customerKey } = settings
      return { bucket, key, etag, versionId, requestPayer, customerKey }
    },

    async renew({ headers }) {
      return await renewCredentials(settings, signedWith.get(headers))
    },

    signsAnew({ headers }, dateMs) {
      if (dateMs !== undefined) control.learnTime(dateMs)
      const signedMs = readAmzDate(headers['x-amz-date'])
      return (
        signedWith.has(headers) && signedMs !== undefined && Math.abs(control.now() - signedMs) > SIGNED_LONG_AGO_MS
      )
    },

    ...createObjectQuestions({ control, settings, withChecksums, bucket: inBucket }),
    ...createCopies({ control, withChecksums, encoded }),
    archives: storageClass => ARCHIVES.has(storageClass ?? ''),

    /**
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html, or a list of one key if only HeadBucket fails.
     */
    async ping({ signal } = {}) {
      try {
        await control.call('HeadBucket', {}, signal)
      } catch (error) {
        const { shared, facts } = /** @type {import('../../types').XferError} */ (error)
        if (!shared || facts.status === undefined) throw error
        await control.call('ListObjectsV2', listInput({ prefix: '', most: 1 }), signal)
      }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html */
    async remove({ key, etag, versionId }, { signal } = {}) {
      await control.call('DeleteObject', { Key: key, IfMatch: etag, VersionId: versionId }, signal)
    },

    removeAll: createRemoval(control),

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
    async list(list, { signal } = {}) {
      const { $values } = await control.call('ListObjectsV2', listInput(list), signal)
      return readList($values, { bucket, ...list }, control.facts)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
    readRequest({ key, etag, range, versionId, checksum = false }) {
      const headers = {
        'if-match': etag,
        'x-amz-content-sha256': UNSIGNED_PAYLOAD,
        ...(range && { range: `bytes=${range.start}-${range.end}` }),
        ...(checksum && { 'x-amz-checksum-mode': 'ENABLED' }),
      }
      return sign('GET', key, versionId === undefined ? {} : { versionId }, headers)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
    async putRequest({ key, bytes, attributes, checksum, condition = {} }) {
      const headers = {
        ...writeHeaders(attributes, { encoded }),
        ...bodyHeaders(bytes, checksum, attributes.metadata.headers['content-encoding']),
        ...(condition.ifNoneMatch && { 'if-none-match': '*' }),
        ...(condition.ifMatch !== undefined && { 'if-match': condition.ifMatch }),
      }
      const request = await sign('PUT', key, {}, headers)
      return checksum ? { ...request, trailer: TRAILER } : request
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
    async createUpload({ key, attributes, checksum }, { signal } = {}) {
      const wanted = checksum ? { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } : {}
      const output = await withChecksums({ Key: key }, wanted, input =>
        control.call('CreateMultipartUpload', input, signal, writeHeaders(attributes, { encoded })),
      )
      const echoed = output.ChecksumAlgorithm === 'CRC32' && output.ChecksumType === 'FULL_OBJECT'
      const id = readCreated(output.$values, { bucket, key }, control.facts)
      inBucket.seen = true
      return { id, checksums: checksum && echoed, ...(isEncrypted(output) && { encrypted: true }) }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
    async partRequest({ key, uploadId, partNumber, bytes, checksum }) {
      const request = await sign('PUT', key, { partNumber: String(partNumber), uploadId }, bodyHeaders(bytes, checksum))
      return checksum ? { ...request, trailer: TRAILER } : request
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
    async listParts({ key, uploadId, marker, most }, { signal } = {}) {
      const input = { Key: key, UploadId: uploadId, PartNumberMarker: marker, MaxParts: most }
      const { $values } = await control.call('ListParts', input, signal)
      return readParts($values, { bucket, key, uploadId, marker }, control.facts)
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
      const output = await withoutRefused(input, asked => control.call('CompleteMultipartUpload', asked, signal)).catch(
        refuseWrongObject,
      )
      return { ...readCompleted(output.$values, { bucket, key }, control.facts), versionId: output.VersionId }
    },

    /**
     * If the store is not known, it is asked to complete an upload that does not exist, with a condition that does not hold.
     * A store that checks conditions answers 412. Nothing can change, because there is no such upload.
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
      const { $values } = await control.call('ListMultipartUploads', input, signal)
      return readUploads($values, { bucket, prefix, marker }, control.facts)
    },

    readDescription,
    readWritten: headers => readWritten(headers, settings.customerKey !== undefined),
    describingHeaders: headersOf,
    explain: answer => explainAnswer(answer, control.facts),
    facts: control.facts,
    close: control.close,
  }
}

/** @param {string | undefined} text such as `20260131T235959Z` @returns {number | undefined} milliseconds since the epoch */
function readAmzDate(text) {
  const iso = text?.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const atMs = Date.parse(iso ?? '')
  return Number.isNaN(atMs) ? undefined : atMs
}

/** The condition as input of the SDK. @param {import('../../types').WriteCondition} condition */
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
  if (error.code !== 'PART_CORRUPTED' && error.facts.storeCode !== 'InvalidPart') throw error
  const reason = `the destination refused to complete the upload: ${error.facts.reason ?? error.facts.storeCode}`
  throw new XferError('INTEGRITY', { ...error.facts, reason }, { cause: error })
}

module.exports = { createS3Store }
