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
 * @type {ReturnType<typeof instantiate> | null} */
let shared = null

/**
 * @param {CrcKind[]} kinds
 * @returns {import('.').Running | undefined} undefined where this machine's WebAssembly cannot
 */
function byFolding(kinds) {
  if (shared === null) shared = instantiate()
  if (!shared) return undefined
  const functions = shared
  const memory = Buffer.from(functions.memory.buffer)
  const crcs = kinds.map(kind => {
    const history = Buffer.alloc(HISTORY)
    const ones = Buffer.from(POLYNOMIALS[kind].ones, 'hex')
    ones.copy(history, HISTORY - ones.length)
    return { kind, fold: functions[kind], at: historyAt(kind), history }
  })
  let received = 0

  return {
    update(piece) {
      received += piece.length
      for (const { at, history } of crcs) memory.set(history, at)
      for (let from = 0; from < piece.length; from += CHUNK) {
        const chunk = piece.length <= CHUNK ? piece : piece.subarray(from, from + CHUNK)
        memory.set(chunk, 0)
        for (const { fold, at } of crcs) {
          fold(chunk.length)
          memory.copyWithin(at, at + chunk.length, at + chunk.length + HISTORY)
        }
      }
      for (const { at, history } of crcs) memory.copy(history, 0, at, at + HISTORY)
    },
    digest: () => Object.fromEntries(crcs.map(({ kind, history }) => [kind, remainder(kind, history, received)])),
  }
}

/**
 * The CRC of all bytes, from the last results. These are not struck out, so what they added to each other is taken back.
 * Then they are a short message of the same remainder.
 * @param {CrcKind} kind
 * @param {Buffer} history the last results
 * @param {number} received bytes in all
 */
function remainder(kind, history, received) {
  const { bytes, lags } = POLYNOMIALS[kind]
  const kept = history.subarray(HISTORY - Math.min(lags[0], received + bytes))
  const message = Buffer.from(kept)
  for (const lag of lags) addLater(message, kept, lag)
  const register = { high: 0, low: 0 }
  advanceOf(kind)(register, message)
  return hexOf(kind, register)
}

/**
 * Adds to each byte the one that is the lag before it. This is a function of its own for the compiler of Node.js 26.10: when it
 * replaced the running code of both loops (on-stack replacement), the call of `advance` behind them gave a wrong CRC once.
 *
 * @param {Uint8Array} message
 * @param {Uint8Array} kept
 * @param {number} lag
 */
function addLater(message, kept, lag) {
  for (let i = lag; i < message.length; i++) message[i] ^= kept[i - lag]
}

module.exports = { byFolding }
