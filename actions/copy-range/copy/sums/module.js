'use strict'

/**
 * The WebAssembly module of fold.js, assembled when it is first needed, in a millisecond or two. It exports its memory, and
 * two functions for each CRC: `crc32` folds, and `crc32rest` takes back what the last results added to each other.
 *
 * The memory: CHUNK bytes of input; then for each CRC HISTORY bytes of its results before, and CHUNK bytes of results.
 * `crc32(length)` makes the results of the first bytes of input; of a few more than `length`, which mean nothing.
 * `crc32rest(HISTORY)` puts into the input what HISTORY bytes of results were made of.
 *
 * Of the format only a little is needed: https://webassembly.github.io/spec/core/binary/
 */

const { CRC_KINDS, POLYNOMIALS } = require('./table')

const PAGE_BYTES = 65_536
/** What the loops take at a time. With their results they stay in a core's nearest caches. */
const CHUNK = 32_768
/** Bytes in one round of a loop. */
const ROUND = 64
const HISTORY = Math.ceil(Math.max(...CRC_KINDS.map(kind => POLYNOMIALS[kind].lags[0])) / ROUND) * ROUND
/** Where the history of a CRC is. @param {import('./table').CrcKind} kind */
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
 * @param {import('./table').CrcKind} kind
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

/** By their names: the functions, in their order. */
const FUNCTIONS = CRC_KINDS.flatMap(kind => [
  { name: kind, kind, back: false },
  { name: `${kind}rest`, kind, back: true },
])

function assemble() {
  const pages = Math.ceil((historyAt(CRC_KINDS[CRC_KINDS.length - 1]) + HISTORY + CHUNK) / PAGE_BYTES)
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, ...vector([[I32]]), 0]]),
    ...section(
      3,
      FUNCTIONS.map(() => [0]),
    ),
    ...section(5, [[0, ...number(pages)]]),
    ...section(7, [[...name('memory'), 2, 0], ...FUNCTIONS.map((one, n) => [...name(one.name), 0, n])]),
    ...section(
      10,
      FUNCTIONS.map(({ kind, back }) => foldFunction(kind, back)),
    ),
  ])
}

/**
 * @returns {{ memory: { buffer: ArrayBuffer } } & Record<string, (length: number) => void> | undefined}
 *   undefined where there is no WebAssembly, none of vectors, or no room for its memory
 */
function instantiate() {
  try {
    const { Instance, Module } = /** @type {any} */ (globalThis).WebAssembly
    return new Instance(new Module(assemble())).exports
  } catch {
    return undefined
  }
}

module.exports = { CHUNK, HISTORY, historyAt, instantiate }
