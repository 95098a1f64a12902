'use strict'

/**
 * CRCs of up to 64 bits: by eight tables of 256 entries ("slicing by eight") for few bytes, and without WebAssembly; else by
 * folding, which is explained below.
 */

const zlib = require('node:zlib')

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
 * @property {number[]} lags of folding; the first is the largest. None is below a thousand, or the processor would wait for
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

/**
 * A CRC so far, or a register: two unsigned halves. `high` is 0 for a CRC of 32 bits.
 * @typedef {{ high: number, low: number }} Register
 *
 * A checksum of bytes that come in pieces: `update` takes the next, and leaves them as they are; `digest` is called once, at the end.
 * @typedef {{ update: (piece: Uint8Array) => void, digest: () => string }} RunningSum
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
const { crc32: nativeCrc32 } = /** @type {{ crc32?: (data: Uint8Array, value?: number) => number }} */ (
  /** @type {unknown} */ (zlib)
)

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

/** @param {CrcKind} kind @returns {RunningSum} */
function byTable(kind) {
  const [advance, register] = [advanceOf(kind), allOnes(kind)]
  return { update: piece => advance(register, piece), digest: () => hexOf(kind, register) }
}

/**
 * CRCs by folding: nearly all bytes are folded into the few thousand behind them by XOR alone, and only the last of
 * them go through a table.
 *
 * A CRC is the remainder of a message, taken as a polynomial over GF(2), by a polynomial P. CRC-32 has, for example,
 * x^4018 ≡ x^2091 + x^1837 + 1 (mod P), and so, squared three times, x^(8 · 4018) ≡ x^(8 · 2091) + x^(8 · 1837) + 1. So
 * a byte may be struck out when it is added to those 4018, 4018 - 1837 and 4018 - 2091 bytes behind it: the remainder
 * stays. These distances are the lags. That is what WebAssembly's 128-bit XOR is good at. See Kadatch and Jenkins,
 * "Everything we know about CRC but afraid to forget" (2010), for the arithmetic; such multiples of P with few terms are
 * found by trying.
 *
 * Each byte of the message has a result: the byte, plus the results that lie the lags before it. All results but the last
 * are struck out; as many as the largest lag are left. They are what is kept from one piece to the next.
 */

/**
 * All checksums of the thread share it: nothing in its memory is needed after a call. `null`: not made yet.
 * @type {{ functions: Record<string, (length: number) => void>, memory: Buffer } | undefined | null} */
let shared = null

function ready() {
  if (shared === null) shared = instantiate()
  return shared
}

/**
 * @param {CrcKind} kind
 * @returns {RunningSum | undefined} undefined where this machine's WebAssembly cannot
 */
function byFolding(kind) {
  const there = ready()
  if (!there) return undefined
  const { memory } = there
  const at = historyAt(kind)
  begin(kind, memory)
  const history = Buffer.from(memory.subarray(at, at + HISTORY))
  let received = 0
  return {
    update(piece) {
      received += piece.length
      memory.set(history, at)
      fold(kind, piece, there)
      memory.copy(history, 0, at, at + HISTORY)
    },
    digest() {
      memory.set(history, at)
      return remainder(kind, received, there)
    },
  }
}

/**
 * The CRC of bytes that are all there.
 * @param {CrcKind} kind
 * @param {Uint8Array} bytes
 * @returns {string | undefined} undefined where this machine's WebAssembly cannot
 */
function foldedAtOnce(kind, bytes) {
  const there = ready()
  if (!there) return undefined
  begin(kind, there.memory)
  fold(kind, bytes, there)
  return remainder(kind, bytes.length, there)
}

/** The results before the first byte. @param {CrcKind} kind @param {Buffer} memory */
function begin(kind, memory) {
  const { ones } = POLYNOMIALS[kind]
  const end = historyAt(kind) + HISTORY
  memory.fill(0, end - HISTORY, end)
  memory.write(ones, end - ones.length / 2, 'hex')
}

/**
 * Makes the results of the bytes, of which the last are then those before the next.
 * @param {CrcKind} kind
 * @param {Uint8Array} bytes
 * @param {NonNullable<typeof shared>} there
 */
function fold(kind, bytes, { functions, memory }) {
  const at = historyAt(kind)
  for (let from = 0; from < bytes.length; from += CHUNK) {
    const chunk = bytes.length <= CHUNK ? bytes : bytes.subarray(from, from + CHUNK)
    memory.set(chunk, 0)
    functions[kind](chunk.length)
    memory.copyWithin(at, at + chunk.length, at + chunk.length + HISTORY)
  }
}

/**
 * The CRC of all bytes, from the last results. These are not struck out, so what they added to each other is taken back.
 * Then they are a short message of the same remainder.
 * @param {CrcKind} kind
 * @param {number} received bytes in all
 * @param {NonNullable<typeof shared>} there
 */
function remainder(kind, received, { functions, memory }) {
  const { bytes, lags } = POLYNOMIALS[kind]
  const at = historyAt(kind)
  const kept = Math.min(lags[0], received + bytes)
  memory.copyWithin(at + HISTORY, at, at + HISTORY)
  // What was struck out counts no more.
  memory.fill(0, at, at + 2 * HISTORY - kept)
  functions[`${kind}rest`](HISTORY)
  const register = { high: 0, low: 0 }
  advanceOf(kind)(register, memory.subarray(HISTORY - kept, HISTORY))
  return hexOf(kind, register)
}

/**
 * The WebAssembly module of folding, assembled when it is first needed, in a millisecond or two. It exports its memory, and
 * two functions for each CRC: `crc32` folds, and `crc32rest` takes back what the last results added to each other.
 *
 * The memory: CHUNK bytes of input; then for each CRC HISTORY bytes of its results before, and CHUNK bytes of results.
 * `crc32(length)` makes the results of the first bytes of input; of a few more than `length`, which mean nothing.
 * `crc32rest(HISTORY)` puts into the input what HISTORY bytes of results were made of.
 *
 * Of the format only a little is needed: https://webassembly.github.io/spec/core/binary/
 */

const PAGE_BYTES = 65_536
/** What the loops take at a time. With their results they stay in a core's nearest caches. */
const CHUNK = 32_768
/** Bytes in one round of a loop. */
const ROUND = 64
const HISTORY = Math.ceil(Math.max(...CRC_KINDS.map(kind => POLYNOMIALS[kind].lags[0])) / ROUND) * ROUND
/** Where the history of a CRC is. @param {CrcKind} kind */
const historyAt = kind => CHUNK + CRC_KINDS.indexOf(kind) * (HISTORY + CHUNK)

/** @param {number} n at least 0; LEB128, unsigned @returns {number[]} */
const number = n => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...number(n >>> 7)])
/** @param {number} n at least 64, less than 8192; LEB128, signed */
const constant = n => [0x41, (n & 0x7f) | 0x80, n >>> 7]
/** @param {number[][]} items */
const vector = items => [...number(items.length), ...items.flat()]
/** @param {number} id @param {number[][]} items */
const section = (id, items) => [id, ...sized(vector(items))]
/** @param {number[]} bytes */
const sized = bytes => [...number(bytes.length), ...bytes]
/** @param {string} text */
const name = text => sized([...Buffer.from(text)])

const I32 = 0x7f
const END = [0x20, 0]
const AT = [0x20, 1]
const SET_AT = [0x22, 1]
const ADD = [0x6a]
const LESS = [0x49]
const XOR = [0xfd, 0x51]
const load = (/** @type {number} */ offset) => [0xfd, 0x00, 0x00, ...number(offset)]
const store = (/** @type {number} */ offset) => [0xfd, 0x0b, 0x00, ...number(offset)]

/** `do { body; at += ROUND } while (at < end)` @param {number[]} body */
const loop = body => [0x03, 0x40, ...body, ...AT, ...constant(ROUND), ...ADD, ...SET_AT, ...END, ...LESS, 0x0d, 0, 0x0b]

/**
 * `(end)`, with a local `at` that begins as 0: from the input to the results, or back.
 * @param {CrcKind} kind
 * @param {boolean} back
 */
function foldFunction(kind, back) {
  const body = []
  const result = historyAt(kind) + HISTORY
  const [from, to] = back ? [result, 0] : [0, result]
  for (let byte = 0; byte < ROUND; byte += 16) {
    const before = POLYNOMIALS[kind].lags.flatMap(lag => [...AT, ...load(result + byte - lag), ...XOR])
    body.push(...AT, ...AT, ...load(from + byte), ...before, ...store(to + byte))
  }
  return sized([...vector([[1, I32]]), ...loop(body), 0x0b])
}

function assemble() {
  const functions = CRC_KINDS.flatMap(kind => [
    { name: kind, code: foldFunction(kind, false) },
    { name: `${kind}rest`, code: foldFunction(kind, true) },
  ])
  const types = functions.map(() => [0])
  const codes = functions.map(({ code }) => code)
  const pages = Math.ceil((CHUNK + CRC_KINDS.length * (HISTORY + CHUNK)) / PAGE_BYTES)
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, ...vector([[I32]]), 0]]),
    ...section(3, types),
    ...section(5, [[0, ...number(pages)]]),
    ...section(7, [[...name('memory'), 2, 0], ...functions.map((one, n) => [...name(one.name), 0, n])]),
    ...section(10, codes),
  ])
}

/** @returns {Exclude<typeof shared, null>} undefined where there is no WebAssembly, none of vectors, or no room for its memory */
function instantiate() {
  try {
    const { Instance, Module } = /** @type {any} */ (globalThis).WebAssembly
    const functions = new Instance(new Module(assemble())).exports
    return { functions, memory: Buffer.from(functions.memory.buffer) }
  } catch {
    return undefined
  }
}

module.exports = { byFolding, byTable, foldedAtOnce, nativeCrc32, ofTable }
