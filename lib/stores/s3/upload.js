'use strict'

/**
 * Multipart uploads, and copies by the store itself: of a whole object, or of a range of one as a part of an upload.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */

const { XferError } = require('../../errors')
const { isPinnedByTime } = require('../../integrity')
const { conditionHeaders, copyError, encodeKey, quoted, readCount, readTime } = require('../common')
const { isEncrypted, sumsInDocument, writeHeaders } = require('./answers')
const { beginList, checkEcho } = require('./list')

/** @typedef {import('../contract').Store} Store */

/**
 * @param {import('./control').Shared} store
 * @param {import('./requests').Objects} objects
 * @returns {Omit<Store['upload'], 'part'>}
 */
function createUploads({ control, bucket, encoded, dialect, serverFacts }, objects) {
  const ignoresConditions = () => dialect.lacks.has('completionConditions') || serverFacts().conditions === 'ignored'

  return {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
    async create({ key, attributes, checksum }, { signal } = {}) {
      objects.check(attributes)
      const headers = {
        ...writeHeaders(attributes, { encoded }),
        ...(checksum && { 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': 'FULL_OBJECT' }),
      }
      const output = await control.call('CreateMultipartUpload', { key, headers }, signal)
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
      const query = { uploadId, 'part-number-marker': marker, 'max-parts': most }
      const { values } = await control.call('ListParts', { key, query }, signal)
      return readParts(values, { bucket: bucket.name, key, uploadId, marker }, control.facts)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html */
    async complete({ key, uploadId, parts, sums, condition }, { signal } = {}) {
      const Part = parts.map(part => ({
        ETag: part.etag,
        ...(sums && { ChecksumCRC32: base64Of(part.sums) }),
        PartNumber: part.partNumber,
      }))
      const asked = {
        key,
        query: { uploadId },
        document: { CompleteMultipartUpload: { Part } },
        headers: {
          ...(sums && { 'x-amz-checksum-crc32': base64Of(sums), 'x-amz-checksum-type': 'FULL_OBJECT' }),
          ...(!ignoresConditions() && conditionHeaders(condition)),
        },
      }
      const output = await control.call('CompleteMultipartUpload', asked, signal).catch(refuseWrongObject)
      checkEcho('a completion', { bucket: bucket.name, key }, output.values, control.facts)
      return {
        ...readMade(output.values),
        ...objects.toldSums(output.headers),
        versionId: output.headers['x-amz-version-id'],
      }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html */
    async abort({ key, uploadId }, { signal } = {}) {
      await control.call('AbortMultipartUpload', { key, query: { uploadId } }, signal)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
    async pending({ prefix, marker }, { signal } = {}) {
      const query = { prefix, 'key-marker': marker?.key, 'upload-id-marker': marker?.id }
      const { values } = await control.call('ListMultipartUploads', { query }, signal)
      return readUploads(values, { bucket: bucket.name, prefix, marker }, control.facts)
    },
  }
}

/** The checksum that uploads are begun with. @param {import('../../types').Sums} [sums] */
function base64Of({ crc32 } = {}) {
  return crc32 === undefined ? undefined : Buffer.from(crc32, 'hex').toString('base64')
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
  const { sums } = sumsInDocument(made)
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
    const { sums } = sumsInDocument(part)
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

/** @typedef {import('../../types').CopySource} CopySource */

/**
 * What `source` returns: all that a request needs to name and to read the source. pin: headers that do, of a dialect that does so by
 * version numbers.
 *
 * @typedef {{ bucket: string, key: string, etag: string, versionId?: string, pin?: Record<string, string>, requestPayer?: boolean,
 *   customerKey?: () => Record<string, string> }} S3CopySource
 */

/**
 * Errors of a store that cannot make this copy: it does not support it, the destination's credentials may not read the source,
 * or the source is too large. An engine that reads and writes may still succeed.
 */
const REFUSALS = ['ACCESS_DENIED', 'STORE_REFUSED', 'NO_SUCH_BUCKET', 'NOT_A_STORE']
/** Errors that mean that the source has changed, if the destination has no condition: then a refusal may concern either. */
const CHANGES = ['DESTINATION_EXISTS', 'NO_SUCH_KEY']

/**
 * @param {import('./control').Shared} store
 * @param {import('./requests').Objects} objects
 * @returns {import('../contract').ServerCopy}
 */
function createCopies({ control, bucket: { name: bucket }, settings, encoded, dialect, serverFacts }, objects) {
  /**
   * R2 answers a SHA-256 that is not of the bytes, MinIO a checksum of another kind, versitygw a part with that of the whole source.
   *
   * @param {Record<string, any>} values of a document
   * @returns {import('../../types').CompletedObject} its checksums, where the server is known to tell those of the copied bytes
   */
  function readCopy(values) {
    const { etag, ...sums } = readMade(values)
    if (etag) return { etag, ...(serverFacts().copySums && sums) }
    throw new XferError('BAD_ANSWER', { ...control.facts, reason: 'it ends a copy without an ETag' })
  }

  return {
    conditional: serverFacts().conditionalCopies === true,
    ...(dialect.lacks.has('partCopies') && { wholeOnly: true }),
    get takesSums() {
      return serverFacts().copySums === true
    },
    get keepsExpires() {
      return serverFacts().keepsExpires !== false
    },

    /** @returns {S3CopySource} */
    source({ key, etag, versionId }) {
      const { requestPayer, customerKey } = settings
      const pin = objects.versions?.ofCopy(key, etag, versionId)
      return { bucket, key, etag, versionId, pin, requestPayer, customerKey }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
    async object({ from, key, attributes, keep, condition = {}, checksum }, { signal } = {}) {
      const { metadata, tags, ...rest } = attributes
      const { ifNoneMatch, ifMatch } = condition
      objects.check(attributes)
      const written = {
        ...rest,
        metadata: keep.metadata ? { headers: {}, user: {} } : metadata,
        ...(tags && !keep.tags && { tags }),
      }
      const sum = serverFacts().sums === 'checked' && checksum && checksum !== 'md5' && checksum.toUpperCase()
      const headers = {
        ...writeHeaders(written, { encoded }),
        ...sourceHeaders(from),
        ...(!keep.metadata && { 'x-amz-metadata-directive': 'REPLACE' }),
        ...(!keep.tags && { 'x-amz-tagging-directive': 'REPLACE' }),
        ...(sum && { 'x-amz-checksum-algorithm': sum }),
        ...(await objects.conditions(key, condition, signal)),
      }
      const output = await control.call('CopyObject', { key, headers }, signal).catch(error => {
        throw copyError(error, ifNoneMatch === true || ifMatch !== undefined ? [] : CHANGES, REFUSALS)
      })
      const versionId = output.headers['x-amz-version-id']
      return { ...readCopy(output.values), ...objects.toldSums(output.headers), versionId }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html */
    async part({ from, range, key, uploadId, partNumber }, { signal } = {}) {
      const headers = {
        ...sourceHeaders(from),
        ...(range && { 'x-amz-copy-source-range': `bytes=${range.start}-${range.end}` }),
      }
      const asked = { key, query: { uploadId, partNumber }, headers }
      const output = await control.call('UploadPartCopy', asked, signal).catch(error => {
        throw copyError(error, CHANGES, REFUSALS)
      })
      return readCopy(output.values)
    },
  }
}

/**
 * The source, pinned by its ETag, by its time if it has none, or by headers of the dialect; and its customer key (SSE-C).
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerSideEncryptionCustomerKeys.html
 *
 * @param {CopySource} from
 * @returns {Record<string, string>}
 */
function sourceHeaders(from) {
  const { bucket, key, etag, versionId, pin, requestPayer, customerKey } = /** @type {S3CopySource} */ (from)
  const query = versionId === undefined || pin ? '' : `?versionId=${encodeURIComponent(versionId)}`
  const customer = Object.entries(customerKey?.() ?? {})
  return {
    'x-amz-copy-source': `${bucket}/${encodeKey(key)}${query}`,
    ...Object.fromEntries(customer.map(([name, value]) => [name.replace(/^x-amz-/, 'x-amz-copy-source-'), value])),
    ...(requestPayer && { 'x-amz-request-payer': 'requester' }),
    ...(pin ?? pinOf(etag)),
  }
}

/** @param {string} etag @returns {Record<string, string>} */
function pinOf(etag) {
  if (!isPinnedByTime({ etag })) return { 'x-amz-copy-source-if-match': etag }
  // versitygw compares with the fraction of a second that the date does not tell.
  const endOfSecond = new Date(Date.parse(etag) + 1000)
  return { 'x-amz-copy-source-if-unmodified-since': endOfSecond.toUTCString() }
}

module.exports = { createCopies, createUploads }
