'use strict'

/** Lists of keys, as they come over the wire. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */

const { XferError } = require('../../errors')

/** What a list leaves out, for it is the usual one. */
const USUAL_CLASS = 'STANDARD'

/**
 * What asks for one page. Keys are asked for in percent-encoding, since XML cannot carry all of their characters, and its
 * readers take the liberty to change some others.
 *
 * @param {{ prefix: string, marker?: string, after?: string, most?: number }} list
 * @returns {Record<string, unknown>} of the SDK
 */
function listInput({ prefix, marker, after, most }) {
  return {
    Prefix: prefix,
    MaxKeys: most,
    EncodingType: 'url',
    ...(marker === undefined ? { StartAfter: after || undefined } : { ContinuationToken: marker }),
  }
}

/**
 * @param {any} output of the SDK, which leaves keys as they are encoded
 * @param {Record<string, any>} facts of the store
 * @returns {{ objects: import('../../types').ListedObject[], next?: string }}
 * @throws {XferError} BAD_ANSWER of a key that nobody can name, LISTING_DISORDERED of a list that says that it goes on, and not where
 */
function readList(output, facts) {
  const encoded = /^url$/i.test(output.EncodingType ?? '')
  const objects = (output.Contents ?? []).map((/** @type {any} */ object) => ({
    key: encoded ? decodeKey(object.Key, facts) : object.Key,
    bytes: Number(object.Size),
    etag: object.ETag ?? '',
    lastModifiedMs: object.LastModified?.getTime(),
    // Always there, so that all objects have one shape: lists are long.
    storageClass: object.StorageClass === USUAL_CLASS ? undefined : object.StorageClass || undefined,
    // What XML cannot carry is written as this character by those that do not encode keys (versitygw).
    ...(!encoded && object.Key.includes('\ufffd') && { doubtful: true }),
  }))
  const token = output.NextContinuationToken || undefined
  // As if it were at its end, what it did not tell would look as if it were not there.
  if (output.IsTruncated && token === undefined) {
    const reason = 'it says that there is more, and not how to ask for that'
    throw new XferError('LISTING_DISORDERED', { ...facts, reason })
  }
  return { objects, next: output.IsTruncated === false ? undefined : token }
}

/**
 * S3 writes a blank as `+`, others as `%20`; all of them write a plus as `%2B`.
 *
 * @param {string} text
 * @param {Record<string, any>} facts
 */
function decodeKey(text, facts) {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    const reason = `it lists a key that is not UTF-8, ${JSON.stringify(text.slice(0, 200))}`
    throw new XferError('BAD_ANSWER', { ...facts, reason }, { cause })
  }
}

module.exports = { listInput, readList }
