'use strict'

/** Names that are drawn, for the tests of listings. */

const fc = require('fast-check')

/** What orders, encodings and readers of XML get wrong: surrogates against what stands above them in UTF-16, and the like. */
const SIGNS = [
  ...'abcAZ019/.-_ %+&<>"\'~!\u0001\t\n\r\u007f\u0085\u00a0ä\u0301\u07ff\u0800\u2028日',
  ...'\ud7ff\ue000\uf8ff\ufb01\ufeff\uffee\u{10000}😀\u{1f9d1}\u{f0000}\u{10fffd}',
]

/** Never NUL, which no store takes. */
const anySign = fc.oneof(
  { arbitrary: fc.constantFrom(...SIGNS), weight: 6 },
  { arbitrary: fc.fullUnicode().filter(sign => sign !== '\0'), weight: 1 },
)

/** @param {{ minLength?: number, maxLength?: number }} [length] in characters */
const anyName = ({ minLength = 0, maxLength = 12 } = {}) =>
  fc.array(anySign, { minLength, maxLength }).map(signs => signs.join(''))

/** The order that S3 has. @param {string} a @param {string} b */
const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))

module.exports = { SIGNS, anyName, anySign, byBytes }
