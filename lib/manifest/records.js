'use strict'

/**
 * The one reader of what manifests consist of: lines, or records of CSV. They come in batches, one for each chunk of the file. CSV is
 * as RFC 4180 has it, strictly, and the keys in it are encoded as in URLs, as S3 writes them.
 */

const { XferError } = require('../errors')

/** More characters are no record of an object. */
const MOST_RECORD = 4 * 1024 ** 2

/** @param {string | undefined} file @param {number | undefined} row from 1 @param {string} reason a clause @param {unknown} [cause] */
function bad(file, row, reason, cause) {
  return new XferError('BAD_MANIFEST', { file, row, reason }, { cause })
}

/** @param {string} path @param {string} reason a clause */
const broken = (path, reason) => new XferError('SEAL_BROKEN', { path, reason })

/** Takes the lines that have their ends. @param {string} text @returns {{ records: string[], rest: string }} */
function wholeLines(text) {
  const records = text.split('\n')
  const rest = /** @type {string} */ (records.pop())
  return { records, rest }
}

/** Takes the last line without its end, too. @param {string} text @param {boolean} last @returns {{ records: string[], rest: string }} */
const lines = (text, last) => wholeLines(last && text !== '' && !text.endsWith('\n') ? `${text}\n` : text)

/**
 * @template R
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {string} file for messages
 * @param {(text: string, last: boolean) => { records: R[], rest: string, fault?: string }} take
 * @param {{ fatal?: boolean, ignoreBOM?: boolean }} [how] of `TextDecoder`
 * @returns {AsyncGenerator<{ first: number, records: R[] }, void, undefined>} all in order; first: number of the first of them, from 1
 * @throws {XferError} BAD_MANIFEST
 */
async function* recordsOf(chunks, file, take, how = { fatal: true }) {
  const decoder = new TextDecoder('utf-8', how)
  let rest = ''
  /** How much of it was looked at in vain: what is twice as long is looked at again, so that a long record costs no square of its length. */
  let seen = 0
  let first = 1
  /** @param {Uint8Array} [chunk] absent: the end */
  function next(chunk) {
    let text
    try {
      text = rest + decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw bad(file, first, 'it or a row soon after it is not UTF-8', cause)
    }
    if (chunk !== undefined && text.length < Math.min(2 * seen, MOST_RECORD)) {
      rest = text
      return []
    }
    const { records, fault, ...taken } = take(text, chunk === undefined)
    rest = taken.rest
    seen = rest.length
    const wrong = fault ?? (rest.length > MOST_RECORD ? 'it is too long' : undefined)
    if (wrong) throw bad(file, first + records.length, wrong)
    return records
  }
  try {
    for await (const chunk of chunks) {
      const records = next(chunk)
      yield { first, records }
      first += records.length
    }
  } catch (cause) {
    const { code, message } = /** @type {any} */ (cause)
    if (!/^Z_|^E[A-Z]+$/.test(code)) throw cause
    throw bad(file, undefined, `it cannot be read to its end after row ${first - 1} (${message})`, cause)
  }
  yield { first, records: next() }
}

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

module.exports = { bad, broken, csvCell, csvRecords, decodeKey, encodeKey, lines, recordsOf, wholeLines }
