'use strict'

/**
 * CRC-32 of many bytes, at half of what `zlib.crc32` costs, which Node.js builds without the processor's carry-less
 * multiplication: most bytes are folded into the few after them by XOR alone, and those few go through zlib.
 *
 * A CRC is the remainder of a message, taken as a polynomial over GF(2), by a polynomial P. With
 * x^4018 ≡ x^2091 + x^1837 + 1 (mod P), and so, squared three times, x^(8 · 4018) ≡ x^(8 · 2091) + x^(8 · 1837) + 1, a
 * byte may be struck out when it is added to those 4018, 4018 - 1837 and 4018 - 2091 bytes behind it: the remainder
 * stays. That is what WebAssembly's 128-bit XOR is good at. See Kadatch and Jenkins, "Everything we know about CRC but
 * afraid to forget" (2010), for the arithmetic; such sparse multiples of P are found by trying.
 */

/** By how many bytes behind it a byte is added; the first is also how many are left at the end. */
const LAGS = [4018, 2181, 1927]
const STATE = LAGS[0]
/** Where a block begins, after the state: at the beginning of a cache line. */
const START = Math.ceil(STATE / 64) * 64
/** A WebAssembly page is 64 KiB: two of them stay in a core's nearer cache. */
const PAGES = 2
const PAGE_BYTES = 65_536
/** Struck out by one round of the loop. */
const ROUND = 64
const BLOCK = Math.floor((PAGES * PAGE_BYTES - START) / ROUND) * ROUND
/** With fewer the end costs more than is saved: measured. */
const WORTH_IT = 32_768
/** With fewer there is nothing to strike out. */
const SHORTEST = 2 * STATE

/** The part of WebAssembly's binary format that is needed: https://webassembly.github.io/spec/core/binary/ */

/** @param {number} n at least 0; LEB128, unsigned @returns {number[]} */
const number = n => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...number(n >>> 7)])
/** A constant less than 64, or one whose sign bit needs a byte of its own. @param {number} n @returns {number[]} */
const constant = n => (n < 0x40 ? [0x41, n] : [0x41, (n & 0x7f) | 0x80, n >>> 7])
/** @param {number[][]} items */
const vector = items => [...number(items.length), ...items.flat()]
/** @param {number} id @param {number[][]} items */
const section = (id, items) => [id, ...number(vector(items).length), ...vector(items)]
/** @param {number[]} bytes */
const sized = bytes => [...number(bytes.length), ...bytes]

const I32 = 0x7f
const get = (/** @type {number} */ local) => [0x20, local]
const load = (/** @type {number} */ offset) => [0xfd, 0x00, 0x00, ...number(offset)]
const store = (/** @type {number} */ offset) => [0xfd, 0x0b, 0x00, ...number(offset)]
const XOR = [0xfd, 0x51]
const SUBTRACT = [0x6b]

/** `do { body; at += step } while (at < end)`, of the locals 0 and 1. @param {number[]} body @param {number} step */
const loop = (body, step) => {
  const next = [...get(0), ...constant(step), 0x6a, 0x22, 0, ...get(1), 0x49]
  return sized([0, 0x03, 0x40, ...body, ...next, 0x0d, 0, 0x0b, 0x0b])
}

/** `fold(at, end)`: adds to each byte from START + at to START + end those that lie its lags before it. */
function foldLoop() {
  const body = []
  for (let at = START; at < START + ROUND; at += 16) {
    const before = LAGS.flatMap(lag => [...get(0), ...load(at - lag), ...XOR])
    body.push(...get(0), ...get(0), ...load(at), ...before, ...store(at))
  }
  return loop(body, ROUND)
}

/** `add(at, end, lag)`: adds to each byte from at to end the one that lies `lag` before it, sixteen at a time. */
function addLoop() {
  return loop(
    [...get(0), ...get(0), ...load(0), ...get(0), ...get(2), ...SUBTRACT, ...load(0), ...XOR, ...store(0)],
    16,
  )
}

const MODULE = () =>
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [
      [0x60, ...vector([[I32], [I32]]), 0],
      [0x60, ...vector([[I32], [I32], [I32]]), 0],
    ]),
    ...section(3, [[0], [1]]),
    ...section(5, [[0, PAGES]]),
    ...section(7, [
      [...sized([...Buffer.from('memory')]), 2, 0],
      [...sized([...Buffer.from('fold')]), 0, 0],
      [...sized([...Buffer.from('add')]), 0, 1],
    ]),
    ...section(10, [foldLoop(), addLoop()]),
  ])

/**
 * @param {import('./crc32').Crc32} crc32 for what is short
 * @returns {import('./crc32').Crc32 | undefined} the same for what is long, undefined where this machine's WebAssembly cannot
 */
function foldingCrc32(crc32) {
  const { memory, fold, add } = instantiate() ?? {}
  if (!memory) return undefined
  const bytes = Buffer.from(memory.buffer)

  return (data, value = 0) => {
    if (data.length < SHORTEST) return crc32(data, value)
    // Blocks of one size, or nearly: none is smaller than what has to be left.
    const block = Math.ceil(data.length / Math.ceil(data.length / BLOCK))
    bytes.fill(0, 0, START)
    let at = 0
    for (; at + block < data.length; at += block) {
      take(data, at, block, value)
      fold(0, block)
      bytes.copyWithin(0, block, block + START)
    }
    const rest = data.length - at
    take(data, at, rest, value)
    const end = START + rest
    const kept = START + Math.floor((rest - STATE) / ROUND) * ROUND
    fold(0, kept - START)
    // What is kept gets what was struck out before it, and nothing of itself.
    for (const lag of LAGS) {
      const whole = kept + (lag & ~15)
      add(kept, whole, lag)
      for (let i = whole; i < kept + lag; i++) bytes[i] ^= bytes[i - lag]
    }
    // The register begins with all bits clear: what it began with was added to the message.
    return crc32(bytes.subarray(kept, end), 0xffffffff)
  }

  /** @param {Uint8Array} data @param {number} from @param {number} length @param {number} value */
  function take(data, from, length, value) {
    bytes.set(data.subarray(from, from + length), START)
    if (from > 0) return
    const register = ~value
    for (let i = 0; i < 4; i++) bytes[START + i] ^= register >>> (8 * i)
  }
}

/** @returns {any} its exports; undefined where there is no WebAssembly, none of vectors, or no room for its memory */
function instantiate() {
  try {
    const { Instance, Module } = /** @type {any} */ (globalThis).WebAssembly
    return new Instance(new Module(MODULE())).exports
  } catch {
    return undefined
  }
}

module.exports = { BLOCK, SHORTEST, WORTH_IT, foldingCrc32 }
