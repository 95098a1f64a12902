'use strict'

/**
 * The syntax of ETags: quotes, and the form of an MD5. An ETag in the form of an MD5 need not be one: see `encrypted` of
 * ObjectHead. Pure.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */

/** An MD5, or for a multipart upload the MD5 of its parts' MD5s and the number of parts. */
const MD5_FORM = /^"?([0-9a-f]{32})(?:-([1-9]\d*))?"?$/i
/** The ASCII characters that an ETag may have (RFC 9110 section 8.8.3). */
const TEXT = /^(?:"([\x21\x23-\x7e]+)"|([\x21\x23-\x7e]+))$/

/** A valid ETag that no object has. */
const NO_ETAG = `"${'0'.repeat(32)}"`

/** A date as in Last-Modified (RFC 9110 section 5.6.7). No ETag has spaces. */
const DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * What pins an object without an ETag: its Last-Modified, which stands for the ETag everywhere. Its size is compared in any case.
 *
 * @param {string | undefined} lastModified
 * @returns {string} empty if it is not a date
 */
function timePinOf(lastModified = '') {
  return DATE.test(lastModified) ? lastModified : ''
}

/** Whether an object is pinned by its Last-Modified, because its store tells no ETag. @param {{ etag: string }} object */
function isPinnedByTime({ etag }) {
  return DATE.test(etag)
}

/**
 * @param {string} etag
 * @returns {{ md5: string, parts?: number } | undefined} undefined if it does not have the form of an MD5; md5: lower-case
 *   hex; parts: the number of parts of a multipart upload
 */
function md5FormOf(etag) {
  const found = MD5_FORM.exec(etag)
  if (!found) return undefined
  const md5 = found[1].toLowerCase()
  return found[2] === undefined ? { md5 } : { md5, parts: Number(found[2]) }
}

/**
 * @param {{ etag: string, encrypted?: boolean }} object
 * @returns {{ md5: string, parts?: number } | undefined} undefined if its ETag cannot be an MD5; parts: the number of parts of
 *   a multipart upload
 */
function md5EtagOf({ etag, encrypted }) {
  return encrypted ? undefined : md5FormOf(etag)
}

/** @param {string} etag @returns {string | undefined} lower-case hex; undefined if it is not in the form of a plain MD5 */
function plainMd5Of(etag) {
  const { md5, parts } = md5FormOf(etag) ?? {}
  return parts === undefined ? md5 : undefined
}

/** The number of parts of the object's multipart upload, if its ETag has that form. @param {string} etag @returns {number | undefined} */
function partsOfEtag(etag) {
  return md5FormOf(etag)?.parts
}

/** @param {string} one @param {string} other ETags, with or without their quotes */
function sameEtag(one, other) {
  return one === other || unquoted(one) === unquoted(other)
}

/**
 * Whether both ETags have the form of MD5s and are equal. Then the bytes are equal too, also of different stores.
 *
 * @param {string} one
 * @param {string} other
 */
function sameDigest(one, other) {
  return sameForm(md5FormOf(one), md5FormOf(other))
}

/** @typedef {{ md5: string, parts?: number } | undefined} Md5Form */

/** Whether both are known and equal. @param {Md5Form} one @param {Md5Form} other */
function sameForm(one, other) {
  return one !== undefined && one.md5 === other?.md5 && one.parts === other.parts
}

/** @param {string} etag */
function unquoted(etag) {
  return etag.replace(/^"|"$/g, '')
}

/** Parses an ETag that a user typed. @param {string} text @returns {string | undefined} with its quotes; undefined if it is none */
function parseEtag(text) {
  const [, quoted, bare] = TEXT.exec(text) ?? []
  const etag = quoted ?? bare
  return etag === undefined || etag === '*' ? undefined : `"${etag}"`
}

module.exports = {
  isPinnedByTime,
  md5EtagOf,
  NO_ETAG,
  parseEtag,
  partsOfEtag,
  plainMd5Of,
  sameDigest,
  sameEtag,
  sameForm,
  timePinOf,
  unquoted,
}
