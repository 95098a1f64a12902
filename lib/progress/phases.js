'use strict'

/** What a job is doing now, and since when. Pure: the clock is an argument. */

/** @typedef {import('../types').Phase} Phase */

/** @param {{ startMs: number, phase?: Phase }} work */
function createPhases({ startMs, phase: first = 'copying' }) {
  let phase = first
  let sinceMs = startMs

  return {
    /** @param {Phase} next @param {number} nowMs @returns {boolean} whether that is news */
    enter(next, nowMs) {
      if (next === phase) return false
      phase = next
      sinceMs = nowMs
      return true
    },

    /** @param {number} nowMs @returns {{ phase: Phase, phaseMs: number, elapsedMs: number }} */
    at(nowMs) {
      // The clock may have been set back.
      return { phase, phaseMs: Math.max(0, nowMs - sinceMs), elapsedMs: Math.max(0, nowMs - startMs) }
    },
  }
}

module.exports = { createPhases }
