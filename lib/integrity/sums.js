'use strict'

/** What the sums that stores tell look like. Pure. */

const { crc32FromBase64 } = require('./crc32')

/** An MD5; of an upload that of its parts' MD5s, and their number. */
const MD5_ETAG = /^"?([0-9a-f]{32})(?:-(\d+))?"?$/i

/**
 * @param {{ crc32: string, type: string } | undefined} checksum as a store tells it
 * @returns {number | undefined} of the whole object; undefined where it says nothing of that
 */
function fullCrc32(checksum) {
  return checksum?.type === 'FULL_OBJECT' ? crc32FromBase64(checksum.crc32) : undefined
}

/**
 * @param {{ etag: string, encrypted?: boolean }} object
 * @returns {{ md5: string, parts?: number } | undefined} undefined where its ETag cannot be an MD5; parts: of an upload
 */
function md5EtagOf({ etag, encrypted }) {
  const [, md5, parts] = MD5_ETAG.exec(encrypted ? '' : etag) ?? []
  if (md5 === undefined) return undefined
  return { md5: md5.toLowerCase(), ...(parts !== undefined && { parts: Number(parts) }) }
}

/** @param {string} one @param {string} other ETags, with or without their quotes */
function sameEtag(one, other) {
  return unquoted(one) === unquoted(other)
}

/** @param {string} etag */
function unquoted(etag) {
  return etag.replace(/^"|"$/g, '')
}

module.exports = { fullCrc32, md5EtagOf, sameEtag, unquoted }
