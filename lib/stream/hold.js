'use strict'

/** Holds the parts of a stream until the destination has them, in memory of a fixed size. */

const { createShared, untilAborted } = require('../async')

/**
 * What a task is told to read. It reads the part as if that was an object.
 *
 * @typedef {Pick<import('../types').DataRequest, 'url' | 'headers' | 'held'>} Address
 *
 * A part that is held, or is being filled.
 * @typedef {object} Held
 * @property {number} room bytes
 * @property {(piece: Buffer, at: number) => void} write at: where in the part
 * @property {(part: Place) => Address} address of the part
 * @property {() => void} release its room may be used again
 *
 * @typedef {{ start: number, bytes: number }} Place of a part in the stream
 * @typedef {ReturnType<typeof createHold>} Hold
 */

/**
 * The memory of all streams of this process. A stream waits for its turn until there is room for its first part, and then for each
 * further one: so a thousand streams at once need no more than one that is fast.
 *
 * @type {ReturnType<typeof createShared<Arena>>}
 */
const arenas = createShared(() => {})

/** @param {number} memoryBytes no part is larger; of all streams together */
function createHold(memoryBytes) {
  const { value: arena, leave } = arenas.take(String(memoryBytes), () => createArena(memoryBytes))

  /** @param {Place} range @returns {Held} */
  function inMemory(range) {
    const memory = Buffer.from(arena.memory, range.start, range.bytes)
    return {
      room: range.bytes,
      write: (piece, at) => void piece.copy(memory, at),
      address: ({ bytes }) => ({
        url: 'memory:stream',
        // The part begins within the memory.
        headers: { 'x-start': String(-range.start), 'x-total': String(bytes) },
        held: arena.memory,
      }),
      release: () => arena.give(range),
    }
  }

  return {
    /**
     * Waits until there is room for a part, in the order of those who wait.
     *
     * @param {number} bytes
     * @param {AbortSignal} [signal]
     * @returns {Promise<Held>}
     */
    async take(bytes, signal) {
      const taken = arena.takeInTurn(bytes)
      try {
        return inMemory(await untilAborted(taken, signal))
      } catch (error) {
        taken.then(arena.give)
        throw error
      }
    },

    close: leave,
  }
}

/**
 * The memory that holds the parts of a stream: one piece, of which ranges are taken and given back. It is shared with the
 * threads of the engine, and used again: memory that was left to the garbage collector would be much more than was allowed.
 * The system gives memory only to what was written to, so a short stream takes little.
 */

/** @typedef {ReturnType<typeof createArena>} Arena */

/** @param {number} bytes */
function createArena(bytes) {
  const memory = new SharedArrayBuffer(bytes)
  /** What is free, in order; neighbours are joined. @type {Place[]} */
  let free = [{ start: 0, bytes }]
  /** In order of arrival. @type {Array<{ wanted: number, enter: (range: Place) => void }>} */
  const waiting = []

  /** @param {number} wanted bytes @returns {Place | undefined} undefined: no piece is free that is large enough */
  function take(wanted) {
    const at = free.findIndex(range => range.bytes >= wanted)
    if (at < 0) return undefined
    const { start, bytes: room } = free[at]
    const rest = room > wanted ? [{ start: start + wanted, bytes: room - wanted }] : []
    free.splice(at, 1, ...rest)
    return { start, bytes: wanted }
  }

  function serve() {
    while (waiting.length > 0) {
      const range = take(waiting[0].wanted)
      if (!range) return
      waiting.shift()?.enter(range)
    }
  }

  return {
    memory,
    take,

    /** Waits for room. @param {number} wanted bytes @returns {Promise<Place>} */
    takeInTurn: wanted =>
      new Promise(enter => {
        waiting.push({ wanted, enter })
        serve()
      }),

    /** @param {Place} range that was taken */
    give(range) {
      free = joined([...free, range].sort((one, other) => one.start - other.start))
      serve()
    },
  }
}

/** @param {Place[]} ranges in order @returns {Place[]} */
function joined(ranges) {
  /** @type {Place[]} */
  const whole = []
  for (const { start, bytes } of ranges) {
    const last = whole.at(-1)
    if (last && last.start + last.bytes === start) last.bytes += bytes
    else whole.push({ start, bytes })
  }
  return whole
}

module.exports = { createHold, createArena }
