'use strict'

const zlib = require('node:zlib')
const { WORTH_IT, foldingCrc32 } = require('./crc32-fold')

/** The reversed polynomial of CRC-32/ISO-HDLC. */
const POLYNOMIAL = 0xedb88320

/**
 * `(bytes, crc so far) → crc`, as `zlib.crc32` has it.
 * @typedef {(data: Uint8Array, value?: number) => number} Crc32
 */

/**
 * Eight tables of 256 entries ("slicing by eight"): table 0 advances the register by one byte, table n by a byte that n
 * more bytes follow.
 */
function makeTables() {
  const tables = Array.from({ length: 8 }, () => new Uint32Array(256))
  for (let byte = 0; byte < 256; byte++) {
    let register = byte
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >>> 1) ^ POLYNOMIAL : register >>> 1
    tables[0][byte] = register
  }
  for (let n = 1; n < 8; n++) {
    for (let byte = 0; byte < 256; byte++) {
      const before = tables[n - 1][byte]
      tables[n][byte] = (before >>> 8) ^ tables[0][before & 0xff]
    }
  }
  return tables
}

/** @returns {Crc32} CRC-32 for a Node.js without `zlib.crc32` (before 20.15 and 22.2) */
function tableCrc32() {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = makeTables()
  return (data, value = 0) => {
    let register = ~value
    let at = 0
    for (const whole = data.length - 7; at < whole; at += 8) {
      const low = register ^ (data[at] | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24))
      register =
        t7[low & 0xff] ^
        t6[(low >>> 8) & 0xff] ^
        t5[(low >>> 16) & 0xff] ^
        t4[low >>> 24] ^
        t3[data[at + 4]] ^
        t2[data[at + 5]] ^
        t1[data[at + 6]] ^
        t0[data[at + 7]]
    }
    for (; at < data.length; at++) register = (register >>> 8) ^ t0[(register ^ data[at]) & 0xff]
    return ~register >>> 0
  }
}

const native = /** @type {{ crc32?: Crc32 }} */ (/** @type {unknown} */ (zlib)).crc32
const plain = native ?? tableCrc32()

/** Made when first needed: most of the program sums nothing but lines of a journal. @type {Crc32 | undefined} */
let ofMuch

/**
 * CRC-32 (ISO-HDLC, the one of gzip) of `data`, continued from `value`.
 * @type {Crc32} an unsigned 32-bit integer
 */
function crc32(data, value) {
  if (data.length < WORTH_IT) return plain(data, value)
  ofMuch ??= foldingCrc32(plain) ?? plain
  return ofMuch(data, value)
}

module.exports = { crc32, tableCrc32 }
