'use strict'

/**
 * Bars into lanes: each gets the first lane that is free at its start, so that no two bars of a lane overlap. That holds in
 * any order. Ordered by start, the lanes are as many as bars ran at once; ordered by end, as events come, they may be more.
 */

/** @returns {{ laneOf: (startMs: number, endMs: number) => number, count: () => number }} lanes from 0; count: those in use */
function createLanes() {
  /** When each lane's last bar ends. @type {number[]} */
  const ends = []
  return {
    laneOf(startMs, endMs) {
      const free = ends.findIndex(end => end <= startMs)
      const lane = free === -1 ? ends.length : free
      ends[lane] = Math.max(startMs, endMs)
      return lane
    },
    count: () => ends.length,
  }
}

module.exports = { createLanes }
