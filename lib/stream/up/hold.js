'use strict'

/** Holds the parts of a stream until the destination has them: in memory of a fixed size. */

const { untilAborted } = require('../../async')
const { createArena } = require('./arena')

/**
 * What a task is told to read.
 *
 * @typedef {Pick<import('../../types').DataRequest, 'url' | 'headers' | 'held'>} Address
 *
 * A part that is held, or is being filled.
 * @typedef {object} Held
 * @property {number} room bytes
 * @property {(piece: Buffer, at: number) => void | Promise<void>} write at: where in the part
 * @property {(place: { start: number, total: number }) => Address} address start: where in the stream the part begins; total: the
 *   bytes that have come so far
 * @property {() => void | Promise<void>} release its room may be used again
 *
 * @typedef {ReturnType<typeof createHold>} Hold
 */

/**
 * @param {{ memoryBytes: number }} how
 */
function createHold({ memoryBytes }) {
  const arena = createArena(memoryBytes)
  /** Who waits for room. @type {() => void} */
  let freed = () => {}

  /** @param {import('./arena').Range} range @returns {Held} */
  function inMemory(range) {
    const memory = Buffer.from(arena.memory, range.start, range.bytes)
    return {
      room: range.bytes,
      write: (piece, at) => void piece.copy(memory, at),
      address: ({ start, total }) => ({
        url: 'memory:stream',
        headers: { 'x-start': String(start - range.start), 'x-total': String(total) },
        held: arena.memory,
      }),
      release() {
        arena.give(range)
        freed()
      },
    }
  }

  return {
    /**
     * Waits until there is room for a part.
     *
     * @param {number} bytes
     * @param {AbortSignal} [signal]
     * @returns {Promise<Held>}
     */
    async take(bytes, signal) {
      for (;;) {
        const range = arena.take(bytes)
        if (range) return inMemory(range)
        const room = new Promise((/** @type {(value: void) => void} */ resolve) => {
          freed = resolve
        })
        await untilAborted(room, signal)
      }
    },
  }
}

module.exports = { createHold }
