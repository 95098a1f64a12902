'use strict'

/** Memory that the threads of the engine fill, used again and again. */

/** The answer of the transport `memory:` to a write. @type {import('../../types').AnswerRule} */
const FILLED = { statuses: [200] }

/** Larger pieces cost more memory, smaller ones more calls. */
const PIECE_BYTES = 64 * 1024

/** @param {number} bytes of each piece of memory */
function createMemory(bytes) {
  /** @type {SharedArrayBuffer[]} */
  const free = []
  return {
    take: () => free.pop() ?? new SharedArrayBuffer(bytes),
    /** @param {SharedArrayBuffer} held */
    giveBack: held => void free.push(held),
  }
}

/**
 * The write of a task: its bytes go into this memory.
 *
 * @param {SharedArrayBuffer} held
 * @param {number} bytes at most those of the memory
 * @returns {import('../../types').Transfer}
 */
function fill(held, bytes) {
  const headers = { 'content-length': String(bytes) }
  return { request: { method: 'PUT', url: 'memory:range', headers, held, accepts: FILLED } }
}

/**
 * Copies of what the memory holds: whoever gets them may keep them.
 *
 * @param {SharedArrayBuffer} held
 * @param {number} bytes
 * @returns {Generator<Buffer>}
 */
function* piecesOf(held, bytes) {
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    yield Buffer.from(Buffer.from(held, at, Math.min(PIECE_BYTES, bytes - at)))
  }
}

module.exports = { PIECE_BYTES, createMemory, fill, piecesOf }
