'use strict'

/** CRCs of up to 64 bits by eight tables of 256 entries ("slicing by eight"). */

/**
 * A CRC so far, or a register: two unsigned halves. `high` is 0 for a CRC of 32 bits.
 * @typedef {{ high: number, low: number }} Register
 *
 * `(register, bytes)`: advances the register over the bytes. It does not complement.
 * @typedef {(register: Register, data: Uint8Array) => void} Advance
 */

/**
 * `lows[256 * n + byte]` and `highs[…]`: the register after a byte that n more bytes of zero follow.
 * @param {import('./polynomials').Polynomial} polynomial
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

/** @param {import('./polynomials').Polynomial} polynomial @returns {Advance} */
function byTable(polynomial) {
  const { lows, highs } = makeTables(polynomial)
  return (register, data) => {
    let { low, high } = register
    let at = 0
    for (const whole = data.length - 7; at < whole; at += 8) {
      const first = low ^ (data[at] | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24))
      const second = high ^ (data[at + 4] | (data[at + 5] << 8) | (data[at + 6] << 16) | (data[at + 7] << 24))
      const [a, b, c, d] = [first & 0xff, (first >>> 8) & 0xff, (first >>> 16) & 0xff, first >>> 24]
      const [e, f, g, h] = [second & 0xff, (second >>> 8) & 0xff, (second >>> 16) & 0xff, second >>> 24]
      low = lows[1792 + a] ^ lows[1536 + b] ^ lows[1280 + c] ^ lows[1024 + d]
      low ^= lows[768 + e] ^ lows[512 + f] ^ lows[256 + g] ^ lows[h]
      high = highs[1792 + a] ^ highs[1536 + b] ^ highs[1280 + c] ^ highs[1024 + d]
      high ^= highs[768 + e] ^ highs[512 + f] ^ highs[256 + g] ^ highs[h]
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

module.exports = { byTable }
