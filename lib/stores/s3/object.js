'use strict'

/** Control calls about one object: head, part sizes, reading and writing tags. */

const { XferError } = require('../../errors')
const { isPinnedByTime, timePinOf } = require('../../integrity')
const { notice } = require('../../notices')
const { readCount, readTime } = require('../common')
const { readDescription } = require('./attributes')
const { credentialsOf } = require('./control')

/** @typedef {import('../../types').Store} Store */

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {import('../../types').SideSettings} of.settings
 * @param {{ seen: boolean }} of.bucket seen: an answer has shown that the bucket exists
 * @param {ReturnType<typeof import('./dialects').createSession>} of.session
 * @param {() => import('./profiles').Facts} of.profile
 * @returns {Required<Pick<Store, 'head' | 'partSize' | 'tags'>>}
 */
function createObjectQuestions({ control, settings, bucket, session, profile }) {
  /**
   * The refusal of a HEAD has no body, so it does not show whether the bucket or the key is missing, or the access key id or
   * the signature wrong. A GET of one byte, which needs the same permission, does.
   *
   * @param {import('../../types').XferError} refusal
   * @param {{ Key: string, VersionId?: string }} object
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<never>}
   */
  async function explain(refusal, object, signal) {
    const { status } = refusal.facts
    // The bucket exists, so the key is missing.
    if (status === 404 && bucket.seen && refusal.code === 'NO_SUCH_KEY') throw refusal
    if (status === undefined || status < 300 || status >= 500 || status === 429) throw refusal
    await control.call('GetObject', { ...object, Range: 'bytes=0-0' }, signal).catch(error => {
      bucket.seen ||= error.code === 'NO_SUCH_KEY' && error.facts.storeCode === 'NoSuchKey'
      throw error
    })
    throw refusal
  }

  /**
   * What pins an object without an ETag: versitygw answers so for files that already lie in its folder.
   *
   * @param {Record<string, string>} headers
   * @returns {string} empty if nothing does; a read refuses then
   */
  function withoutEtag(headers) {
    // Every answer of S3 has such a header. Other servers have pages without ETags.
    const isS3 = Object.keys(headers).some(name => name.startsWith('x-amz-'))
    if (!isS3) throw strange("a HEAD is answered without the object's ETag")
    return timePinOf(headers['last-modified'])
  }

  /** An answer that no object store gives. @param {string} reason */
  function strange(reason) {
    return new XferError('NOT_A_STORE', { ...control.facts, reason })
  }

  return {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html */
    async head(key, { signal, versionId } = {}) {
      const object = { Key: key, ...(versionId !== undefined && { VersionId: versionId }) }
      const input = { ...object, ...(profile().sums !== 'refused' && { ChecksumMode: 'ENABLED' }) }
      const ask = () => control.call('HeadObject', input, signal).catch(error => explain(error, object, signal))
      const credentials = await credentialsOf(settings, signal)
      const output = await ask().catch(async refusal => {
        // A HEAD cannot report expired credentials. The GET that explained the refusal has renewed them in this case.
        if ((await credentialsOf(settings, signal)) === credentials) throw refusal
        return await ask()
      })
      const bytes = readCount(output.headers['content-length'])
      if (bytes === undefined) throw strange("a HEAD is answered without the object's size")
      const etag = output.headers.etag || withoutEtag(output.headers)
      bucket.seen = true
      const notPinned = () => notice('SOURCE_NOT_PINNED', { location: control.facts.location, pin: 'date' })
      const found = {
        ...{ bytes, etag },
        versionId: output.headers['x-amz-version-id'],
        lastModifiedMs: readTime(output.headers['last-modified']),
        ...readDescription(output.headers),
        ...session.toldSums(output.headers),
        ...(isPinnedByTime({ etag }) && { notices: { all: [notPinned()], ofParts: [] } }),
      }
      session.note(key, found)
      return found
    },

    /**
     * The size of one part of an object that was uploaded in parts.
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html#API_HeadObject_RequestSyntax
     */
    async partSize(key, { signal, partNumber = 1, versionId } = {}) {
      const input = { Key: key, PartNumber: partNumber, VersionId: versionId }
      const { headers } = await control.call('HeadObject', input, signal)
      const bytes = readCount(headers['content-length'])
      const parts = readCount(headers['x-amz-mp-parts-count'])
      return bytes !== undefined && parts ? { bytes, parts } : undefined
    },

    tags: {
      /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html */
      async read(key, { signal, versionId } = {}) {
        const object = { Key: key, VersionId: versionId }
        const { values } = await control.call('GetObjectTagging', object, signal).catch(error => {
          // Some stores answer so for an object without tags.
          if (/^NoSuchTagSet(Error)?$/.test(error.facts.storeCode ?? '')) return { values: { TagSet: undefined } }
          throw error
        })
        return (values.TagSet?.Tag ?? []).map((/** @type {any} */ { Key, Value }) => [Key ?? '', Value ?? ''])
      },

      /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectTagging.html */
      async write({ key, tags, versionId }, { signal } = {}) {
        const Tagging = { TagSet: tags.map(([Key, Value]) => ({ Key, Value })) }
        await control.call('PutObjectTagging', { Key: key, VersionId: versionId, Tagging }, signal)
      },
    },
  }
}

module.exports = { createObjectQuestions }
