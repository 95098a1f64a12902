'use strict'

/**
 * The memory that holds the parts of a stream: one piece, of which ranges are taken and given back. It is shared with the
 * threads of the engine, and used again: memory that was left to the garbage collector would be much more than was allowed.
 * The system gives memory only to what was written to, so a short stream takes little.
 */

/** @typedef {{ start: number, bytes: number }} Range */

/** @param {number} bytes */
function createArena(bytes) {
  const memory = new SharedArrayBuffer(bytes)
  /** What is free, in order; neighbours are joined. @type {Range[]} */
  let free = [{ start: 0, bytes }]

  return {
    memory,

    /** @param {number} wanted bytes @returns {Range | undefined} undefined: no piece is free that is large enough */
    take(wanted) {
      const at = free.findIndex(range => range.bytes >= wanted)
      if (at < 0) return undefined
      const { start, bytes: room } = free[at]
      const rest = room > wanted ? [{ start: start + wanted, bytes: room - wanted }] : []
      free.splice(at, 1, ...rest)
      return { start, bytes: wanted }
    },

    /** @param {Range} range that was taken */
    give(range) {
      free = joined([...free, range].sort((one, other) => one.start - other.start))
    },
  }
}

/** @param {Range[]} ranges in order @returns {Range[]} */
function joined(ranges) {
  /** @type {Range[]} */
  const whole = []
  for (const { start, bytes } of ranges) {
    const last = whole.at(-1)
    if (last && last.start + last.bytes === start) last.bytes += bytes
    else whole.push({ start, bytes })
  }
  return whole
}

module.exports = { createArena }
