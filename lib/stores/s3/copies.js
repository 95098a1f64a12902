'use strict'

/** Copies by the store itself: of a whole object, or of a range of one as a part of an upload. */

const { XferError } = require('../../errors')
const { isPinnedByTime } = require('../../integrity')
const { copyError } = require('../common')
const { writeHeaders } = require('./attributes')
const { encodeKey } = require('./signer')
const { readMade } = require('./uploads')

/** @typedef {import('../../types').CopySource} CopySource */
/** @typedef {import('./types').S3CopySource} S3CopySource */

/**
 * Errors of a store that cannot make this copy: it does not support it, the destination's credentials may not read the source,
 * or the source is too large. An engine that reads and writes may still succeed.
 */
const REFUSALS = ['ACCESS_DENIED', 'STORE_REFUSED', 'NO_SUCH_BUCKET', 'NOT_A_STORE']
/** Errors that mean that the source has changed, if the destination has no condition: then a refusal may concern either. */
const CHANGES = ['DESTINATION_EXISTS', 'NO_SUCH_KEY']

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {string} of.bucket
 * @param {import('../../types').SideSettings} of.settings
 * @param {ReturnType<typeof import('./dialects').createSession>} of.session
 * @param {() => import('./profiles').Facts} of.profile
 * @returns {import('../contract').ServerCopy}
 */
function createCopies({ control, bucket, settings, session, profile }) {
  const { dialect } = session
  const { conditionalCopies = false, decodesMetadata: encoded = false } = profile()

  /** @param {Record<string, any>} values of a document */
  function readCopy(values) {
    const made = readMade(values)
    if (made.etag) return made
    throw new XferError('BAD_ANSWER', { ...control.facts, reason: 'it ends a copy without an ETag' })
  }

  return {
    conditional: conditionalCopies || dialect.conditionalCopies === true,
    ...(dialect.lacks.has('partCopies') && { wholeOnly: true }),
    get takesSums() {
      return profile().sums === 'checked' && profile().sumsWithCopies !== false
    },
    get keepsExpires() {
      return profile().keepsExpires !== false
    },

    /** @returns {S3CopySource} */
    source({ key, etag, versionId }) {
      const { requestPayer, customerKey } = settings
      const version = dialect.pinsVersions ? (versionId ?? session.versionOf(key, etag)) : undefined
      return { bucket, key, etag, versionId, version, requestPayer, customerKey }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
    async object({ from, key, attributes, keep, condition = {}, checksum }, { signal } = {}) {
      const { metadata, tags, ...rest } = attributes
      const { ifNoneMatch, ifMatch } = condition
      const input = {
        Key: key,
        ...sourceInput(from),
        ...(!keep.metadata && { MetadataDirective: 'REPLACE' }),
        ...(!keep.tags && { TaggingDirective: 'REPLACE' }),
      }
      session.check(attributes)
      const written = {
        ...rest,
        metadata: keep.metadata ? { headers: {}, user: {} } : metadata,
        ...(tags && !keep.tags && { tags }),
      }
      const headers = {
        ...writeHeaders(written, { encoded }),
        ...sourceHeaders(from),
        ...(await session.conditions(key, condition, signal)),
      }
      const sums = profile().sums === 'checked' &&
        checksum &&
        checksum !== 'md5' && { ChecksumAlgorithm: checksum.toUpperCase() }
      const output = await control.call('CopyObject', { ...input, ...sums }, signal, headers).catch(error => {
        throw copyError(error, ifNoneMatch === true || ifMatch !== undefined ? [] : CHANGES, REFUSALS)
      })
      const versionId = output.headers['x-amz-version-id']
      return { ...readCopy(output.values), ...session.toldSums(output.headers), versionId }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html */
    async part({ from, range, key, uploadId, partNumber }, { signal } = {}) {
      const input = {
        ...{ Key: key, UploadId: uploadId, PartNumber: partNumber },
        ...sourceInput(from),
        ...(range && { CopySourceRange: `bytes=${range.start}-${range.end}` }),
      }
      const output = await control.call('UploadPartCopy', input, signal, sourceHeaders(from)).catch(error => {
        throw copyError(error, CHANGES, REFUSALS)
      })
      return readCopy(output.values)
    },
  }
}

/** The source, pinned by its ETag, by its time if it has none, or in the headers by its version number. @param {CopySource} from */
function sourceInput(from) {
  const { bucket, key, etag, versionId, version, requestPayer } = /** @type {S3CopySource} */ (from)
  const query = versionId === undefined || version !== undefined ? '' : `?versionId=${encodeURIComponent(versionId)}`
  return {
    CopySource: `${bucket}/${encodeKey(key)}${query}`,
    ...(version === undefined &&
      (isPinnedByTime({ etag }) ? { CopySourceIfUnmodifiedSince: endOfSecond(etag) } : { CopySourceIfMatch: etag })),
    ...(requestPayer && { RequestPayer: 'requester' }),
  }
}

/** versitygw compares with the fraction of a second that the date does not tell. @param {string} date */
function endOfSecond(date) {
  return new Date(Date.parse(date) + 1000).toUTCString()
}

/**
 * The version number of the source, where the store pins it so, and its customer key (SSE-C).
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerSideEncryptionCustomerKeys.html
 *
 * @param {CopySource} from
 * @returns {Record<string, string>}
 */
function sourceHeaders(from) {
  const { customerKey, version } = /** @type {S3CopySource} */ (from)
  const key = Object.entries(customerKey?.() ?? {})
  return {
    ...Object.fromEntries(key.map(([name, value]) => [name.replace(/^x-amz-/, 'x-amz-copy-source-'), value])),
    ...(version !== undefined && {
      'x-amz-copy-source-generation': version,
      'x-amz-copy-source-if-generation-match': version,
    }),
  }
}

module.exports = { createCopies }
