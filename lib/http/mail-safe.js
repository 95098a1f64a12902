'use strict'

/**
 * Header values beyond ASCII, as RFC 2047 encodes them. There are stores that decode user metadata when they are sent it and
 * encode it in their answers; bytes that are not encoded they take for Latin-1, so that UTF-8 comes back as other characters.
 * Others keep the bytes as they come.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html#UserMetadata
 */

const { isUtf8 } = require('node:buffer')

const PLAIN = /^[\t\x20-\x7e]*$/
/** An encoded word has 75 characters at most (section 2), of which twelve go to its frame: so many bytes in base64. */
const WORD_BYTES = 45

/**
 * @param {string} value a character a byte
 * @returns {string} in ASCII
 */
function mailSafe(value) {
  if (PLAIN.test(value)) return value
  const bytes = Buffer.from(value, 'latin1')
  const text = isUtf8(bytes) ? bytes.toString() : value
  // Blanks between encoded words are none of the text (section 6.2).
  return wordsOf(text)
    .map(word => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`)
    .join(' ')
}

/** Of so few bytes that each can be encoded, and no character is in two. @param {string} text */
function wordsOf(text) {
  const words = ['']
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > WORD_BYTES) {
      words.push('')
      bytes = Buffer.byteLength(character)
    }
    words[words.length - 1] += character
  }
  return words
}

/**
 * What somebody meant who encoded it, or did not: two values that say the same are the same decoded.
 *
 * @param {string} value a character a byte
 * @returns {string} likewise, in UTF-8; what is not encoded as it stands
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

module.exports = { decodeMail, mailSafe }
