'use strict'

/** What single headers of an answer say: checksums, an ETag. */

const { decodeSum } = require('../sums')

/**
 * The checksums of the whole object, as far as the answer to a read has them.
 *
 * @param {import('../transport').Answer['headers']} headers
 * @param {import('../../../lib/types').AnswerRule['checksums']} [rules]
 * @returns {import('../../../lib/types').Sums} as in a task's `expect`
 */
function sumsIn(headers, rules = []) {
  /** @type {import('../../../lib/types').Sums} */
  const found = {}
  for (const { sum, header, encoding, member, only } of rules) {
    const text = headerIn(headers, header)
    if (text === undefined) continue
    const kind = only && headerIn(headers, only.header)
    if (only && kind && kind !== only.value) continue
    const value = decodeSum(sum, member === undefined ? text : memberOf(text, member), encoding)
    if (value !== undefined) found[sum] = value
  }
  return found
}

/**
 * The value of one name in a list such as `crc32c=AAAAAA==,md5=…`, or `crc32c=:AAAAAA==:` (RFC 8941 section 3.3.5).
 *
 * @param {string} list
 * @param {string} name in lower case
 * @returns {string} empty if it is not there
 */
function memberOf(list, name) {
  const member = list.split(',').find(each => each.trim().toLowerCase().startsWith(`${name}=`))
  return member === undefined
    ? ''
    : member
        .trim()
        .slice(name.length + 1)
        .replace(/^:(.*):$/, '$1')
}

/**
 * @param {import('../transport').Answer['headers']} headers
 * @param {string} name in lower case
 * @returns {string | undefined}
 */
function headerIn(headers, name) {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Normalizes an ETag for comparison: some stores return weak ones, some leave out the quotes.
 * @param {string} etag
 */
function bareEtag(etag) {
  const text = etag.trim()
  const from = text.startsWith('W/') ? 2 : 0
  const quoted = text.length > from + 1 && text[from] === '"' && text.endsWith('"')
  return quoted ? text.slice(from + 1, -1) : text.slice(from)
}

module.exports = { sumsIn, headerIn, bareEtag }
