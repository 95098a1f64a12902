'use strict'

/** CRCs of up to 64 bits by eight tables of 256 entries ("slicing by eight"): for few bytes, and without WebAssembly. */

const zlib = require('node:zlib')

/**
 * A CRC so far, or a register: two unsigned halves. `high` is 0 for a CRC of 32 bits.
 * @typedef {{ high: number, low: number }} Register
 *
 * `(register, bytes)`: advances the register over the bytes. It does not complement.
 * @typedef {(register: Register, data: Uint8Array) => void} Advance
 */

/**
 * `lows[256 * n + byte]` and `highs[…]`: the register after a byte that n more bytes of zero follow.
 * @param {Polynomial} polynomial
 */
function makeTables({ high: polynomialHigh, low: polynomialLow }) {
  const lows = new Uint32Array(8 * 256)
  const highs = new Uint32Array(8 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let low = byte
    let high = 0
    for (let bit = 0; bit < 8; bit++) {
      const odd = low & 1
      low = (low >>> 1) | (high << 31)
      high >>>= 1
      if (odd) {
        low ^= polynomialLow
        high ^= polynomialHigh
      }
    }
    lows[byte] = low
    highs[byte] = high
  }
  for (let at = 256; at < lows.length; at++) {
    const [low, high] = [lows[at - 256], highs[at - 256]]
    lows[at] = ((low >>> 8) | (high << 24)) ^ lows[low & 0xff]
    highs[at] = (high >>> 8) ^ highs[low & 0xff]
  }
  return { lows, highs }
}

/** @param {Polynomial} polynomial @returns {Advance} */
function tableAdvance(polynomial) {
  const { lows, highs } = makeTables(polynomial)
  return (register, data) => {
    let { low, high } = register
    let at = 0
    for (const whole = data.length - 7; at < whole; at += 8) {
      const first = low ^ (data[at] | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24))
      const second = high ^ (data[at + 4] | (data[at + 5] << 8) | (data[at + 6] << 16) | (data[at + 7] << 24))
      const a = 1792 + (first & 0xff)
      const b = 1536 + ((first >>> 8) & 0xff)
      const c = 1280 + ((first >>> 16) & 0xff)
      const d = 1024 + (first >>> 24)
      const e = 768 + (second & 0xff)
      const f = 512 + ((second >>> 8) & 0xff)
      const g = 256 + ((second >>> 16) & 0xff)
      const h = second >>> 24
      low = lows[a] ^ lows[b] ^ lows[c] ^ lows[d] ^ lows[e] ^ lows[f] ^ lows[g] ^ lows[h]
      high = highs[a] ^ highs[b] ^ highs[c] ^ highs[d] ^ highs[e] ^ highs[f] ^ highs[g] ^ highs[h]
    }
    for (; at < data.length; at++) {
      const index = (low ^ data[at]) & 0xff
      low = ((low >>> 8) | (high << 24)) ^ lows[index]
      high = (high >>> 8) ^ highs[index]
    }
    register.low = low >>> 0
    register.high = high >>> 0
  }
}

/** Node.js has it from 20.15 and 22.2. */
const nativeCrc32 = /** @type {{ crc32?: (data: Uint8Array, value: number) => number }} */ (
  /** @type {unknown} */ (zlib)
).crc32

/** Made when first needed. @type {Map<CrcKind, Advance>} */
const advances = new Map()

/** @param {CrcKind} kind @returns {Advance} */
function advanceOf(kind) {
  const advance = advances.get(kind) ?? makeAdvance(kind)
  advances.set(kind, advance)
  return advance
}

/** @param {CrcKind} kind @returns {Advance} */
function makeAdvance(kind) {
  if (kind !== 'crc32' || !nativeCrc32) return tableAdvance(POLYNOMIALS[kind])
  return (register, data) => {
    register.low = ~nativeCrc32(data, ~register.low >>> 0) >>> 0
  }
}

/** @param {CrcKind} kind @param {Register} register @returns {string} the CRC in hexadecimal digits */
function hexOf(kind, { high, low }) {
  const digits = (/** @type {number} */ half) => (~half >>> 0).toString(16).padStart(8, '0')
  return POLYNOMIALS[kind].bytes === 8 ? digits(high) + digits(low) : digits(low)
}

/** Before the first byte all bits are set. @param {CrcKind} kind @returns {Register} */
function allOnes(kind) {
  return { high: POLYNOMIALS[kind].bytes === 4 ? 0 : 0xffffffff, low: 0xffffffff }
}

/** The CRC of bytes that are all there. @param {CrcKind} kind @param {Uint8Array} bytes */
function ofTable(kind, bytes) {
  const register = allOnes(kind)
  advanceOf(kind)(register, bytes)
  return hexOf(kind, register)
}

/** @param {CrcKind[]} kinds @returns {import('.').Running} */
function byTable(kinds) {
  const crcs = kinds.map(kind => ({ kind, advance: advanceOf(kind), register: allOnes(kind) }))
  return {
    update(piece) {
      for (const { advance, register } of crcs) advance(register, piece)
    },
    digest: () => Object.fromEntries(crcs.map(({ kind, register }) => [kind, hexOf(kind, register)])),
  }
}

/**
 * The CRCs. All of them are reflected, begin with all bits set, and are complemented at the end:
 * https://reveng.sourceforge.io/crc-catalogue/
 *
 * @typedef {'crc32' | 'crc32c' | 'crc64nvme'} CrcKind
 * @typedef {object} Polynomial
 * @property {number} bytes of the CRC
 * @property {number} high the upper 32 bits of the reversed polynomial; 0 for a CRC of 32 bits
 * @property {number} low
 * @property {string} ones in hexadecimal digits, the message after which a register that began with all bits clear has
 *   all bits set; a CRC that begins with all bits set is that of this message and the bytes
 * @property {number[]} lags see fold.js; the first is the largest. None is below a thousand, or the processor would wait for
 *   bytes that it has just written.
 */

/** @type {Record<CrcKind, Polynomial>} */
const POLYNOMIALS = {
  crc32: { bytes: 4, high: 0, low: 0xedb88320, ones: '62f52692', lags: [4018, 2181, 1927] },
  crc32c: { bytes: 4, high: 0, low: 0x82f63b78, ones: '54641f64', lags: [5321, 2830, 1747] },
  crc64nvme: {
    bytes: 8,
    high: 0x9a6c9329,
    low: 0xac4bc9b5,
    ones: '2e553992f98a0752',
    lags: [5286, 5239, 4086, 2702, 2445, 2062, 1790],
  },
}

/** @type {CrcKind[]} */
const CRC_KINDS = ['crc32', 'crc32c', 'crc64nvme']

module.exports = { advanceOf, byTable, hexOf, ofTable, CRC_KINDS, POLYNOMIALS }
