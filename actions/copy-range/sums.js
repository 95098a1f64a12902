'use strict'

/**
 * Checksums: what they look like, everywhere in the program and in the headers of stores, and how bytes are summed. Pure. CRCs are
 * folded, which is explained below; those of few bytes, and all without WebAssembly, go through eight tables of 256 entries
 * ("slicing by eight").
 */

const crypto = require('node:crypto')
const zlib = require('node:zlib')

/** @typedef {import('../../lib/types').Sum} Sum */
/** @typedef {import('../../lib/types').Sums} Sums */

/** How many bytes each has. @type {Record<Sum, number>} */
const SUM_BYTES = { crc32: 4, crc32c: 4, crc64nvme: 8, md5: 16 }

/** For messages. @type {Record<Sum, string>} */
const SUM_WORDS = { crc32: 'CRC-32', crc32c: 'CRC-32C', crc64nvme: 'CRC-64/NVME', md5: 'MD5' }

/** @param {unknown} value @returns {value is Sum} */
function isSumName(value) {
  return typeof value === 'string' && Object.hasOwn(SUM_BYTES, value)
}

/** Whether a text is such a checksum: lower-case hex of its width. @param {Sum} sum @param {unknown} value */
function isSum(sum, value) {
  return typeof value === 'string' && value.length === 2 * SUM_BYTES[sum] && /^[0-9a-f]+$/.test(value)
}

/** @param {unknown} value @returns {value is Sums} */
function isSums(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  for (const [sum, text] of Object.entries(value)) if (!isSumName(sum) || !isSum(sum, text)) return false
  return true
}

/**
 * @param {Sum} sum
 * @param {string} text as a store writes it
 * @param {'base64' | 'base64le' | 'hex'} encoding `base64le`: of the bytes in reverse order
 * @returns {string | undefined} undefined if it is no such checksum
 */
function decodeSum(sum, text, encoding) {
  if (encoding === 'hex') return isSum(sum, text.toLowerCase()) ? text.toLowerCase() : undefined
  const bytes = Buffer.from(text, 'base64')
  // Node.js also decodes what is not quite base64.
  if (bytes.length !== SUM_BYTES[sum] || bytes.toString('base64') !== text) return undefined
  return (encoding === 'base64le' ? bytes.reverse() : bytes).toString('hex')
}

/**
 * Checksums of bytes that come in pieces. `update` takes the next bytes, and leaves them as they are. `digest` is called once, at
 * the end.
 * @template [T=Sums]
 * @typedef {{ update: (piece: Uint8Array) => void, digest: () => T }} Running
 */

/**
 * @param {readonly Sum[]} kinds which checksums; none is no work
 * @param {number} [bytes] how many are to come, if that is known
 * @returns {Running}
 */
function createSums(kinds, bytes = Number.POSITIVE_INFINITY) {
  /** @type {Array<{ kind: Sum, one: Running<string> }>} */
  const running = []
  for (const kind of kinds) running.push({ kind, one: kind === 'md5' ? startMd5() : startCrc(kind, bytes) })
  return {
    update(piece) {
      for (const { one } of running) one.update(piece)
    },
    digest() {
      /** @type {Sums} */
      const sums = {}
      for (const { kind, one } of running) sums[kind] = one.digest()
      return sums
    },
  }
}

/** The same of bytes that are all there, as those of a small object are. @param {readonly Sum[]} kinds @param {Uint8Array} bytes @returns {Sums} */
function sumsOf(kinds, bytes) {
  /** @type {Sums} */
  const sums = {}
  for (const kind of kinds) {
    if (kind === 'md5') sums.md5 = crypto.createHash('md5').update(bytes).digest('hex')
    else if (kind === 'crc32' && nativeCrc32 && bytes.length <= FEW_NATIVE_BYTES)
      sums.crc32 = nativeCrc32(bytes).toString(16).padStart(8, '0')
    else {
      const crc = startCrc(kind, bytes.length)
      crc.update(bytes)
      sums[kind] = crc.digest()
    }
  }
  return sums
}

/** @returns {Running<string>} */
function startMd5() {
  const hash = crypto.createHash('md5')
  return { update: piece => void hash.update(piece), digest: () => hash.digest('hex') }
}

/** Fewer bytes go through the table. */
const FEW_BYTES = 2_048
/** Or through Node's own CRC-32: a thread of small objects needs no WebAssembly then, which costs it some hundredths of a second. */
const FEW_NATIVE_BYTES = 1024 * 1024

/** @param {CrcKind} kind @param {number} bytes @returns {Running<string>} */
function startCrc(kind, bytes) {
  if (bytes <= (kind === 'crc32' && nativeCrc32 ? FEW_NATIVE_BYTES : FEW_BYTES)) return byTable(kind)
  if (folding === null) folding = instantiate()
  return folding ? byFolding(kind, folding) : byTable(kind)
}

/**
 * The CRCs. All of them are reflected, begin with all bits set, and are complemented at the end:
 * https://reveng.sourceforge.io/crc-catalogue/
 *
 * @typedef {'crc32' | 'crc32c' | 'crc64nvme'} CrcKind
 * @typedef {object} Polynomial
 * @property {number} high the upper 32 bits of the reversed polynomial; 0 for a CRC of 32 bits
 * @property {number} low
 * @property {string} ones in hexadecimal digits, the message after which a register that began with all bits clear has
 *   all bits set; a CRC that begins with all bits set is that of this message and the bytes
 * @property {number[]} lags of folding; the first is the largest. None is below a thousand, or the processor would wait for
 *   bytes that it has just written.
 */

/** @type {Record<CrcKind, Polynomial>} */
const POLYNOMIALS = {
  crc32: { high: 0, low: 0xedb88320, ones: '62f52692', lags: [4018, 2181, 1927] },
  crc32c: { high: 0, low: 0x82f63b78, ones: '54641f64', lags: [5321, 2830, 1747] },
  crc64nvme: {
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

/** Made when first needed. @type {Partial<Record<CrcKind, Advance>>} */
const advances = {}

/** @param {CrcKind} kind @returns {Advance} */
function advanceOf(kind) {
  advances[kind] ??= kind === 'crc32' && nativeCrc32 ? advanceNative : tableAdvance(POLYNOMIALS[kind])
  return advances[kind]
}

/** @type {Advance} */
function advanceNative(register, data) {
  register.low = ~(/** @type {NonNullable<typeof nativeCrc32>} */ (nativeCrc32)(data, ~register.low >>> 0)) >>> 0
}

/** @param {CrcKind} kind @param {Register} register @returns {string} the CRC in hexadecimal digits */
function hexOf(kind, { high, low }) {
  const digits = (/** @type {number} */ half) => (~half >>> 0).toString(16).padStart(8, '0')
  return SUM_BYTES[kind] === 8 ? digits(high) + digits(low) : digits(low)
}

/** @param {CrcKind} kind @returns {Running<string>} */
function byTable(kind) {
  // Before the first byte all bits are set.
  const register = { high: SUM_BYTES[kind] === 8 ? 0xffffffff : 0, low: 0xffffffff }
  return { update: piece => advanceOf(kind)(register, piece), digest: () => hexOf(kind, register) }
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
 * All checksums of the thread share it: nothing in its memory is needed after a call. `null`: not made yet; undefined: this machine's
 * WebAssembly cannot.
 * @type {{ functions: Record<string, (length: number) => void>, memory: Buffer } | undefined | null}
 */
let folding = null

/**
 * @param {CrcKind} kind
 * @param {NonNullable<typeof folding>} there
 * @returns {Running<string>}
 */
function byFolding(kind, { functions, memory }) {
  const { ones, lags } = POLYNOMIALS[kind]
  const at = historyAt(kind)
  /** The results before the next byte. */
  const history = Buffer.alloc(HISTORY)
  history.write(ones, HISTORY - SUM_BYTES[kind], 'hex')
  let received = 0
  return {
    update(piece) {
      received += piece.length
      memory.set(history, at)
      for (let from = 0; from < piece.length; from += CHUNK) {
        const chunk = piece.subarray(from, from + CHUNK)
        memory.set(chunk, 0)
        functions[kind](chunk.length)
        memory.copyWithin(at, at + chunk.length, at + chunk.length + HISTORY)
      }
      memory.copy(history, 0, at, at + HISTORY)
    },
    /**
     * The last results are not struck out, so what they added to each other is taken back. Then they are a short message of the
     * same remainder.
     */
    digest() {
      const kept = Math.min(lags[0], received + SUM_BYTES[kind])
      // What was struck out counts no more.
      memory.fill(0, at, at + 2 * HISTORY - kept)
      history.copy(memory, at + 2 * HISTORY - kept, HISTORY - kept)
      functions[`${kind}rest`](HISTORY)
      const register = { high: 0, low: 0 }
      advanceOf(kind)(register, memory.subarray(HISTORY - kept, HISTORY))
      return hexOf(kind, register)
    },
  }
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

/** @returns {Exclude<typeof folding, null>} undefined where there is no WebAssembly, none of vectors, or no room for its memory */
function instantiate() {
  try {
    const { Instance, Module } = /** @type {any} */ (globalThis).WebAssembly
    const functions = new Instance(new Module(assemble())).exports
    return { functions, memory: Buffer.from(functions.memory.buffer) }
  } catch {
    return undefined
  }
}

module.exports = { createSums, decodeSum, sumsOf, isSum, isSumName, isSums, SUM_BYTES, SUM_WORDS }
