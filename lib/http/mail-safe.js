'use strict'

/**
 * Header values outside ASCII, encoded by RFC 2047. Some stores decode user metadata in requests, and encode it in answers.
 * They treat bytes that are not encoded as Latin-1, so plain UTF-8 comes back as other characters. Other stores keep the
 * bytes as they are.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html#UserMetadata
 */

const { isUtf8 } = require('node:buffer')

const PLAIN = /^[\t\x20-\x7e]*$/
/** The most bytes of an encoded word: 75 characters (section 2), twelve of them for its frame, the rest in base64. */
const WORD_BYTES = 45

/**
 * @param {string} value each character is one byte
 * @returns {string} the encoded value, in ASCII
 */
function mailSafe(value) {
  if (PLAIN.test(value)) return value
  const bytes = Buffer.from(value, 'latin1')
  const text = isUtf8(bytes) ? bytes.toString() : value
  // Spaces between encoded words are not part of the text (section 6.2).
  return wordsOf(text)
    .map(word => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`)
    .join(' ')
}

/** Splits the text into pieces that fit an encoded word, between characters. @param {string} text */
function wordsOf(text) {
  const words = ['']
  for (const character of text) {
    const longer = words[words.length - 1] + character
    if (Buffer.byteLength(longer) > WORD_BYTES) words.push(character)
    else words[words.length - 1] = longer
  }
  return words
}

/**
 * Decodes a value if it is encoded, so that encoded and plain values can be compared.
 *
 * @param {string} value each character is one byte
 * @returns {string} the bytes of UTF-8, one per character; a value that is not encoded is returned unchanged
 */
function decodeMail(value) {
  if (!value.includes('=?')) return value
  return value
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind, text) =>
      (kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : fromQuoted(text)).toString('latin1'),
    )
}

/** Section 4.2. @param {string} text */
function fromQuoted(text) {
  const plain = text.replace(/_/g, ' ')
  const bytes = plain.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

/**
 * The text of a header's value, as options take it.
 *
 * @param {string} value each character is one byte
 * @returns {string} a value that is no UTF-8 is returned unchanged
 */
function headerText(value) {
  const bytes = Buffer.from(decodeMail(value), 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

/** @param {Record<string, string>} headers or user metadata @returns {Record<string, string>} */
function headerTexts(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerText(value)]))
}

module.exports = { decodeMail, headerTexts, mailSafe }
