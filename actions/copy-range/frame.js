'use strict'

/** Base64 of four bytes. */
const CHECKSUM_CHARACTERS = 8

/**
 * How many bytes a write's body has: `bytes` without a trailer; with one, a single aws-chunked frame and the checksum
 * after it (S3 user guide, "Signature calculations: transferring a payload in multiple chunks with trailing headers").
 * @param {number} bytes of the data
 * @param {string} [trailer] the name of the checksum header, in lower case
 * @returns {number}
 */
function framedLength(bytes, trailer) {
  if (!trailer) return bytes
  const checksum = `0\r\n${trailer}:`.length + CHECKSUM_CHARACTERS + '\r\n\r\n'.length
  return bytes === 0 ? checksum : framePrefix(bytes, trailer).length + bytes + '\r\n'.length + checksum
}

/**
 * What goes before the data, ASCII.
 * @param {number} bytes
 * @param {string} [trailer]
 */
function framePrefix(bytes, trailer) {
  return trailer && bytes > 0 ? `${bytes.toString(16)}\r\n` : ''
}

/**
 * What goes after the data, ASCII.
 * @param {number} bytes
 * @param {string | undefined} trailer
 * @param {number} crc32 of the data, unsigned
 */
function frameSuffix(bytes, trailer, crc32) {
  if (!trailer) return ''
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32)
  return `${bytes > 0 ? '\r\n' : ''}0\r\n${trailer}:${checksum.toString('base64')}\r\n\r\n`
}

module.exports = { framedLength, framePrefix, frameSuffix }
