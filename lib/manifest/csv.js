'use strict'

/** CSV as RFC 4180 has it, strictly, and the keys in it: encoded as in URLs, as S3 writes them. Pure. */

const PLAIN = /[^,"\r\n]*/y

/**
 * The records that a text begins with.
 *
 * @param {string} text
 * @param {boolean} last whether nothing comes after it
 * @returns {{ records: string[][], rest: string, fault?: string }} rest: what is not yet a record; fault: why it is none, a clause
 */
function csvRecords(text, last) {
  const whole = last && text !== '' && !text.endsWith('\n') ? `${text}\n` : text
  /** @type {string[][]} */
  const records = []
  /** @type {string[]} */
  let fields = []
  let begin = 0
  let fault = last ? 'it ends within a quoted field' : undefined
  for (let at = 0; at < whole.length; ) {
    let end = at
    if (whole[at] === '"') {
      end = whole.indexOf('"', at + 1)
      while (end !== -1 && whole[end + 1] === '"') end = whole.indexOf('"', end + 2)
      if (end === -1) break
      fields.push(whole.slice(at + 1, end++).replaceAll('""', '"'))
    } else {
      PLAIN.lastIndex = at
      PLAIN.test(whole)
      end = PLAIN.lastIndex
      fields.push(whole.slice(at, end))
    }
    const crlf = whole[end] === '\r'
    const mark = whole[crlf ? end + 1 : end]
    if (mark === ',' && !crlf) at = end + 1
    else if (mark === '\n') {
      at = end + (crlf ? 2 : 1)
      records.push(fields)
      fields = []
      begin = at
    } else {
      // A quote at the end of a chunk may be the first of two.
      if (mark !== undefined) fault = 'it is no CSV: quotes stand around a whole field, and are doubled within'
      break
    }
  }
  return { records, rest: whole.slice(begin), ...(begin < whole.length && { fault }) }
}

/** @param {unknown} value */
function csvCell(value = '') {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** @param {string} key */
const encodeKey = key => encodeURIComponent(key).replaceAll('%2F', '/')

/** @param {string} text a blank may be `+` @throws {URIError} */
const decodeKey = text => (/[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text)

module.exports = { csvCell, csvRecords, decodeKey, encodeKey }
