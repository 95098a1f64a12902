'use strict'

/** The rows of a manifest: CSV, and formats with a line for each object. They come in batches, one for each chunk of the file. */

const { XferError } = require('../errors')

/**
 * One row. key: with the prefix, as an inventory has it; name: below SRC, as the other formats have it. left: why it names no object
 * to copy.
 *
 * @typedef {object} Row
 * @property {string} [key]
 * @property {string} [name]
 * @property {string} [bucket]
 * @property {string} [versionId]
 * @property {number} [bytes]
 * @property {string} [etag] in quotes
 * @property {number} [lastModifiedMs]
 * @property {string} [storageClass] absent for the default class
 * @property {'marker' | 'old' | 'other'} [left]
 */

/** More characters are no row of a list of objects. */
const MOST_ROW = 4 * 1024 ** 2

/** @param {string} file @param {number | undefined} row from 1 @param {string} reason a clause @param {unknown} [cause] */
function bad(file, row, reason, cause) {
  return new XferError('BAD_MANIFEST', { file, row, reason }, { cause })
}

/**
 * @template R
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {string} file for messages
 * @param {{ take: (text: string, last: boolean, count: number) => { rows: R[], rest: string }, read: (row: R, number: number) => Row }} format
 * @returns {AsyncGenerator<Row[], void, undefined>} all rows in order
 * @throws {XferError} BAD_MANIFEST
 */
async function* batchesOf(chunks, file, { take, read }) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let count = 0
  /** @param {Uint8Array} [chunk] absent: the end */
  function next(chunk) {
    let text
    try {
      text = rest + decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw bad(file, count + 1, 'it or a row soon after it is not UTF-8', cause)
    }
    const first = count
    const taken = take(text, chunk === undefined, first)
    rest = taken.rest
    count += taken.rows.length
    if (rest.length > MOST_ROW) throw bad(file, count + 1, 'it is too long')
    return taken.rows.map((row, i) => read(row, first + i + 1))
  }
  for await (const chunk of chunks) yield next(chunk)
  yield next()
}

const PLAIN = /[^,"\r\n]*/y

/** CSV as RFC 4180 has it, strictly. @param {string} file for messages */
function csv(file) {
  /** @param {string} text @param {boolean} last @param {number} count rows before these @returns {{ rows: string[][], rest: string }} */
  return (text, last, count) => {
    /** @type {string[][]} */
    const rows = []
    const wrong = (/** @type {string} */ reason) => bad(file, count + rows.length + 1, reason)
    /** @type {string[]} */
    let fields = []
    let begin = 0
    for (let at = 0; at < text.length || fields.length > 0; ) {
      let end
      if (text[at] === '"') {
        end = text.indexOf('"', at + 1)
        while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
        // A quote at the end of a chunk may be the first of two.
        if (end === -1 || (end + 1 === text.length && !last)) {
          if (last) throw wrong('it ends within a quoted field')
          break
        }
        fields.push(text.slice(at + 1, end).replaceAll('""', '"'))
        end++
      } else {
        PLAIN.lastIndex = at
        const [found] = /** @type {RegExpExecArray} */ (PLAIN.exec(text))
        fields.push(found)
        end = at + found.length
      }
      const crlf = text[end] === '\r' && text[end + 1] === '\n'
      if (text[end] === ',') at = end + 1
      else if (text[end] === '\n' || crlf || (last && end === text.length)) {
        at = end + (crlf ? 2 : 1)
        rows.push(fields)
        fields = []
        begin = at
      } else if (!last && (end === text.length || (text[end] === '\r' && end + 1 === text.length))) break
      else throw wrong('it is no CSV: quotes stand around a whole field, and are doubled within')
    }
    return { rows, rest: text.slice(begin) }
  }
}

/** Lines without their ends. @param {string} text @param {boolean} last */
function lines(text, last) {
  const rows = text.split(/\r?\n/)
  const rest = last && rows.at(-1) !== '' ? '' : /** @type {string} */ (rows.pop())
  return { rows, rest: last ? '' : rest }
}

/** @param {string} text as S3 writes keys in CSV: a blank is `+` @returns {string} @throws {URIError} */
function decodeKey(text) {
  return /[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text
}

/** Names of columns of an inventory, as CSV and Parquet write them. @param {string} name */
const columnOf = name => name.toLowerCase().replace(/[^a-z]/g, '')

/** The columns of an inventory that count. */
const COLUMNS = new Set(
  'bucket key versionid islatest isdeletemarker size lastmodifieddate etag storageclass'.split(' '),
)

/**
 * Reads rows of an inventory.
 *
 * @param {string} file
 * @param {string[]} names of the columns, as the file has them
 * @param {{ encoded: boolean }} how encoded: whether keys are encoded as in URLs
 * @returns {(fields: any[], number: number) => Row}
 */
function inventoryRow(file, names, { encoded }) {
  /** @type {Record<string, number | undefined>} */
  const of = Object.fromEntries(names.map((name, i) => [columnOf(name), i]))
  if (of.key === undefined) throw bad(file, undefined, `it has no column Key, but ${names.join(', ')}`)
  return (fields, number) => {
    if (fields.length !== names.length) {
      throw bad(file, number, `it has ${fields.length} fields in place of ${names.length} (${names.join(', ')})`)
    }
    const at = (/** @type {number | undefined} */ i) =>
      i === undefined || fields[i] === '' ? undefined : (fields[i] ?? undefined)
    const [size, time, etag, storageClass] = [at(of.size), at(of.lastmodifieddate), at(of.etag), at(of.storageclass)]
    return {
      key: keyOf(file, number, at(of.key), encoded),
      bucket: at(of.bucket),
      versionId: at(of.versionid),
      bytes: size === undefined ? undefined : countOf(file, number, size),
      lastModifiedMs: time === undefined ? undefined : timeOf(file, number, time),
      etag: etag === undefined ? undefined : quoted(etag),
      storageClass: storageClass === 'STANDARD' ? undefined : storageClass,
      left: isTrue(at(of.isdeletemarker)) ? 'marker' : isTrue(at(of.islatest) ?? true) ? undefined : 'old',
    }
  }
}

/** @param {unknown} value */
const isTrue = value => value === true || String(value).toLowerCase() === 'true'

/** @param {string} file @param {number} row @param {unknown} key @param {boolean} encoded */
function keyOf(file, row, key, encoded) {
  if (typeof key !== 'string') throw bad(file, row, 'it has no key')
  try {
    return encoded ? decodeKey(key) : key
  } catch (cause) {
    throw bad(file, row, `its key ${JSON.stringify(key)} is not encoded as in URLs`, cause)
  }
}

/** @param {string} file @param {number} row @param {unknown} value @returns {number} */
function countOf(file, row, value) {
  const bytes = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(bytes))
    throw bad(file, row, `its size ${JSON.stringify(String(value))} is no number of bytes`)
  return bytes
}

/** @param {string} file @param {number} row @param {any} value @returns {number} epoch milliseconds */
function timeOf(file, row, value) {
  const ms = typeof value === 'string' ? Date.parse(value) : Number(value)
  if (Number.isNaN(ms)) throw bad(file, row, `its time ${JSON.stringify(String(value))} is no time`)
  return ms
}

/** @param {string} etag @returns {string} as stores send it */
const quoted = etag => (/^(?:W\/)?"/.test(etag) ? etag : `"${etag}"`)

module.exports = { COLUMNS, bad, batchesOf, columnOf, countOf, csv, inventoryRow, keyOf, lines, quoted }
