'use strict'

/** Holds the parts of a stream until the destination has them, in memory of a fixed size. */

const { untilAborted } = require('../../async')
const { createArena } = require('./arena')

/**
 * What a task is told to read. It reads the part as if that was an object.
 *
 * @typedef {Pick<import('../../types').DataRequest, 'url' | 'headers' | 'held'>} Address
 *
 * A part that is held, or is being filled.
 * @typedef {object} Held
 * @property {number} room bytes
 * @property {(piece: Buffer, at: number) => void} write at: where in the part
 * @property {(part: Place, range?: Range) => Address} address of a range of the part; absent: of all of it
 * @property {() => void} release its room may be used again
 *
 * @typedef {{ start: number, bytes: number }} Place of a part in the stream
 * @typedef {{ start: number, end: number }} Range of the stream, with its last byte
 * @typedef {ReturnType<typeof createHold>} Hold
 */

/** @param {number} memoryBytes no part is larger */
function createHold(memoryBytes) {
  const arena = createArena(memoryBytes)
  /** Called for whoever waits for room. @type {() => void} */
  let freed = () => {}

  /** @param {import('./arena').Range} range @returns {Held} */
  function inMemory(range) {
    const memory = Buffer.from(arena.memory, range.start, range.bytes)
    return {
      room: range.bytes,
      write: (piece, at) => void piece.copy(memory, at),
      address: (part, asked) => ({
        url: 'memory:stream',
        // The part begins within the memory.
        headers: { 'x-start': String(-range.start), 'x-total': String(part.bytes), ...rangeOf(part, asked) },
        held: arena.memory,
      }),
      release() {
        arena.give(range)
        freed()
      },
    }
  }

  /** @param {number} bytes @returns {Held | undefined} undefined: there is no room now */
  function find(bytes) {
    const range = arena.take(bytes)
    return range && inMemory(range)
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
        const held = find(bytes)
        if (held) return held
        const room = new Promise((/** @type {(value: void) => void} */ resolve) => {
          freed = resolve
        })
        await untilAborted(room, signal)
      }
    },
  }
}

/** @param {Place} part @param {Range} [asked] @returns {{ range?: string }} within the part */
function rangeOf({ start, bytes }, asked) {
  if (!asked || asked.end - asked.start + 1 === bytes) return {}
  return { range: `bytes=${asked.start - start}-${asked.end - start}` }
}

module.exports = { createHold }
