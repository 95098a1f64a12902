'use strict'

/**
 * The one place that knows how an ETag is written: with or without its quotes, and whether it has the form of an MD5. That it
 * has the form does not say that it is one: see `encrypted` of ObjectHead. Pure.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */

/** An MD5; of a multipart upload that of its parts' MD5s, and their number. */
const MD5_FORM = /^"?([0-9a-f]{32})(?:-(\d+))?"?$/i
/** What an ETag may be made of (RFC 9110 section 8.8.3), as far as it is ASCII. */
const TEXT = /^(?:"([\x21\x23-\x7e]+)"|([\x21\x23-\x7e]+))$/

/** The form of an ETag, and no object has it. */
const NO_ETAG = `"${'0'.repeat(32)}"`

/**
 * @param {string} etag
 * @returns {{ md5: string, parts?: number } | undefined} undefined where it has not the form of an MD5; md5: lower-case hex;
 *   parts: of a multipart upload
 */
function md5FormOf(etag) {
  const [, md5, parts] = MD5_FORM.exec(etag) ?? []
  if (md5 === undefined) return undefined
  return { md5: md5.toLowerCase(), ...(parts !== undefined && { parts: Number(parts) }) }
}

/**
 * @param {{ etag: string, encrypted?: boolean }} object
 * @returns {{ md5: string, parts?: number } | undefined} undefined where its ETag cannot be an MD5; parts: of an upload
 */
function md5EtagOf({ etag, encrypted }) {
  return encrypted ? undefined : md5FormOf(etag)
}

/** @param {string} etag @returns {string | undefined} lower-case hex; undefined where it has not the form of the MD5 of one body */
function plainMd5Of(etag) {
  const { md5, parts } = md5FormOf(etag) ?? {}
  return parts === undefined ? md5 : undefined
}

/** Of how many parts an object was uploaded, where its ETag has that form. @param {string} etag @returns {number | undefined} */
function partsOfEtag(etag) {
  return md5FormOf(etag)?.parts
}

/** @param {string} one @param {string} other ETags, with or without their quotes */
function sameEtag(one, other) {
  return unquoted(one) === unquoted(other)
}

/**
 * Whether both ETags have the form of MD5s, and are the same one: then so are the bytes, of whatever stores they are.
 *
 * @param {string} one
 * @param {string} other
 */
function sameDigest(one, other) {
  const [ours, theirs] = [md5FormOf(one), md5FormOf(other)]
  return ours !== undefined && ours.md5 === theirs?.md5 && ours.parts === theirs.parts
}

/** @param {string} etag */
function unquoted(etag) {
  return etag.replace(/^"|"$/g, '')
}

/** As somebody typed it. @param {string} text @returns {string | undefined} with its quotes; undefined where it is none */
function parseEtag(text) {
  const [, quoted, bare] = TEXT.exec(text) ?? []
  const etag = quoted ?? bare
  return etag === undefined || etag === '*' ? undefined : `"${etag}"`
}

module.exports = { NO_ETAG, md5EtagOf, parseEtag, partsOfEtag, plainMd5Of, sameDigest, sameEtag, unquoted }
