'use strict'

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

const { CHUNK, HISTORY, historyAt, instantiate } = require('./module')
const { POLYNOMIALS, advanceOf, hexOf } = require('./table')

/** @typedef {import('./table').CrcKind} CrcKind */

/**
 * All checksums of the thread share it: nothing in its memory is needed after a call. `null`: not made yet.
 * @type {{ functions: Record<string, (length: number) => void>, memory: Buffer } | undefined | null} */
let shared = null

function ready() {
  if (shared !== null) return shared
  const made = instantiate()
  shared = made && { functions: made, memory: Buffer.from(made.memory.buffer) }
  return shared
}

/**
 * @param {CrcKind[]} kinds
 * @returns {import('.').Running | undefined} undefined where this machine's WebAssembly cannot
 */
function byFolding(kinds) {
  const there = ready()
  if (!there) return undefined
  const { memory } = there
  const crcs = kinds.map(kind => {
    begin(kind, memory)
    const at = historyAt(kind)
    return { kind, at, history: Buffer.from(memory.subarray(at, at + HISTORY)) }
  })
  let received = 0

  return {
    update(piece) {
      received += piece.length
      for (const { kind, at, history } of crcs) {
        memory.set(history, at)
        fold(kind, piece, there)
        memory.copy(history, 0, at, at + HISTORY)
      }
    },
    digest() {
      /** @type {import('.').Sums} */
      const sums = {}
      for (const { kind, at, history } of crcs) {
        memory.set(history, at)
        sums[kind] = remainder(kind, received, there)
      }
      return sums
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

module.exports = { byFolding, foldedAtOnce }
