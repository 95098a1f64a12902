'use strict'

/**
 * The lines of a journal: `<CRC-32 of the JSON, 8 hex digits> <JSON>\n`. facts.js checks their contents.
 */

const { crc32 } = require('node:zlib')
const { readFact } = require('./facts')

/** @typedef {import('../types').JournalEntry} JournalEntry */

/**
 * @typedef {object} Decoded
 * @property {JournalEntry[]} entries in the file's order
 * @property {number} damaged lines that cannot be read
 * @property {boolean} other whether a line says that another version of xfer wrote the journal
 * @property {boolean} whole whether it ends with a line end or is empty
 * @property {number} bytes how many were read
 */

const LINE_END = 0x0a
/** Length of the checksum and the blank after it. */
const HEAD_BYTES = 9

/** @param {JournalEntry} entry @returns {string} with its line end */
function encodeLine(entry) {
  const json = JSON.stringify(entry)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

/**
 * Never throws, whatever the bytes are. A last line without a line end counts if its checksum is right. Otherwise it is
 * ignored: the writer was killed while it wrote the line.
 *
 * @param {Buffer} bytes a journal, or the beginning of one
 * @returns {Decoded}
 */
function decodeLines(bytes) {
  const whole = bytes.length === 0 || bytes.at(-1) === LINE_END
  /** @type {Decoded} */
  const decoded = { entries: [], damaged: 0, other: false, whole, bytes: bytes.length }
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, start)
    const line = bytes.subarray(start, end < 0 ? bytes.length : end)
    start += line.length + 1
    if (line.length === 0) continue
    const value = decodeLine(line)
    const fact = value === undefined ? { damaged: true } : readFact(value)
    if (fact.entry) decoded.entries.push(fact.entry)
    else if (fact.other) decoded.other = true
    else if (fact.damaged && end >= 0) decoded.damaged++
  }
  return decoded
}

/** @param {Buffer} line @returns {unknown} undefined when the line is damaged */
function decodeLine(line) {
  const sum = /^([0-9a-f]{8}) $/.exec(line.toString('latin1', 0, HEAD_BYTES))
  const json = line.subarray(HEAD_BYTES)
  if (!sum || Number.parseInt(sum[1], 16) !== crc32(json)) return undefined
  try {
    return JSON.parse(json.toString())
  } catch {
    return undefined
  }
}

module.exports = { encodeLine, decodeLines }
