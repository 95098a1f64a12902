'use strict'

/** One object: what it is, of which parts, with which tags; and the tags that it is given later. */

const { XferError } = require('../../errors')
const { attributesOf, checksumOf } = require('./attributes')
const { credentialsOf } = require('./identity')
const { UNSIGNED_PAYLOAD } = require('./signer')

/** @typedef {import('../../types').Store} Store */

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {import('../../types').SideSettings} of.settings
 * @param {ReturnType<typeof import('./checksum-asking').createChecksumAsking>} of.withChecksums
 * @param {{ seen: boolean }} of.bucket seen: it has answered as one that is there
 * @returns {Pick<Store, 'head' | 'partSize' | 'tags' | 'putTags'>}
 */
function createObjectQuestions({ control, settings, withChecksums, bucket }) {
  /**
   * A HEAD's refusal has no body, so it cannot say whether the bucket or the key is missing, or the key id or the
   * signature wrong. A GET of one byte, which needs the same permission, can.
   *
   * @param {import('../../types').XferError} refusal
   * @param {{ Key: string, VersionId?: string }} object
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<never>}
   */
  async function explain(refusal, object, signal) {
    const { status } = refusal.facts
    // Of a bucket that is there it is the key.
    if (status === 404 && bucket.seen && refusal.code === 'NO_SUCH_KEY') throw refusal
    if (status === undefined || status < 300 || status >= 500 || status === 429) throw refusal
    const output = await control.call('GetObject', { ...object, Range: 'bytes=0-0' }, signal).catch(error => {
      bucket.seen ||= error.code === 'NO_SUCH_KEY' && error.facts.storeCode === 'NoSuchKey'
      throw error
    })
    output.Body?.destroy?.()
    throw refusal
  }

  /** @param {string} key @param {Record<string, string>} headers */
  function withoutEtag(key, headers) {
    // Whoever speaks S3 says so with every answer; others have pages without ETags.
    const speaks = Object.keys(headers).some(name => name.startsWith('x-amz-'))
    return speaks
      ? new XferError('NO_ETAG', { ...control.facts, key })
      : strange("a HEAD is answered without the object's ETag")
  }

  /** An answer that no object store gives. @param {string} reason */
  function strange(reason) {
    return new XferError('NOT_A_STORE', { ...control.facts, reason })
  }

  return {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html */
    async head(key, { signal, versionId } = {}) {
      const object = { Key: key, ...(versionId !== undefined && { VersionId: versionId }) }
      const ask = () =>
        withChecksums(
          object,
          { ChecksumMode: 'ENABLED' },
          input => control.call('HeadObject', input, signal),
          error => explain(error, object, signal),
        )
      const credentials = await credentialsOf(settings)
      const output = await ask().catch(async refusal => {
        // It cannot say that the credentials have expired; what explained it has had them renewed then.
        if ((await credentialsOf(settings)) === credentials) throw refusal
        return await ask()
      })
      const { ContentLength: bytes, ETag: etag } = output
      if (!Number.isSafeInteger(bytes)) throw strange("a HEAD is answered without the object's size")
      if (!etag) throw withoutEtag(key, output.$headers)
      bucket.seen = true
      const checksum = checksumOf(output.$headers)
      return {
        bytes,
        etag,
        versionId: output.VersionId,
        lastModifiedMs: output.LastModified?.getTime(),
        ...attributesOf(output.$headers),
        ...(isEncrypted(output) && { encrypted: true }),
        ...(checksum && { checksum }),
      }
    },

    /**
     * Of an object that was uploaded in parts, one of them.
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html#API_HeadObject_RequestSyntax
     */
    async partSize(key, { signal, partNumber = 1, versionId } = {}) {
      const input = { Key: key, PartNumber: partNumber, VersionId: versionId }
      const { ContentLength: bytes, PartsCount: parts } = await control.call('HeadObject', input, signal)
      return Number.isSafeInteger(bytes) && parts > 0 ? { bytes, parts } : undefined
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html */
    async tags(key, { signal, versionId } = {}) {
      const output = await control.call('GetObjectTagging', { Key: key, VersionId: versionId }, signal).catch(error => {
        // Some say so of an object that has none.
        if (/^NoSuchTagSet(Error)?$/.test(error.facts?.storeCode ?? '')) return { $values: {} }
        throw error
      })
      const tags = output.$values.TagSet?.Tag ?? []
      return tags.map((/** @type {any} */ { Key, Value }) => [Key ?? '', Value ?? ''])
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectTagging.html */
    async putTags({ key, tags, versionId }, { signal } = {}) {
      const input = {
        Key: key,
        VersionId: versionId,
        Tagging: { TagSet: tags.map(([Key, Value]) => ({ Key, Value })) },
      }
      // The SDK's signer takes all text for headers, whose characters stand for bytes; tags are not ASCII alone.
      await control.call('PutObjectTagging', input, signal, { 'x-amz-content-sha256': UNSIGNED_PAYLOAD })
    },
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

module.exports = { createObjectQuestions, isEncrypted }
