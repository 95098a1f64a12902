'use strict'

/** Counts a job's invocations, retries and throttled requests. */

/** @typedef {import('../types').Engine['run']} Run */

function createActivity() {
  let inFlight = 0
  let invocations = 0
  let retried = 0
  let throttled = 0

  return {
    /** @param {Run} run @returns {Run} the same function, which counts invocations */
    counting: run => async (tasks, options) => {
      inFlight++
      invocations++
      try {
        return await run(tasks, options)
      } finally {
        inFlight--
      }
    },

    /** @param {{ type: string }} event of any part or object */
    saw({ type }) {
      if (type === 'retry') retried++
      else if (type === 'throttle') throttled++
    },

    /** Everything is copied again: resets the counts of retries and throttling. */
    restart() {
      retried = 0
      throttled = 0
    },

    counts: () => ({ inFlight, invocations, retried, throttled }),
  }
}

/** What a job is doing now, and since when. Pure: the clock is an argument. */

/** @typedef {import('../types').Phase} Phase */

/** @param {{ startMs: number, phase?: Phase }} work */
function createPhases({ startMs, phase: first = 'copying' }) {
  let phase = first
  let sinceMs = startMs
  /** @type {number | undefined} */
  let partsAssembling

  return {
    /** @param {Phase} next @param {number} nowMs @param {number} [parts] to assemble @returns {boolean} whether that is news */
    enter(next, nowMs, parts) {
      partsAssembling = next === 'assembling' ? parts : undefined
      if (next === phase) return false
      phase = next
      sinceMs = nowMs
      return true
    },

    /** @param {number} nowMs @returns {{ phase: Phase, phaseMs: number, elapsedMs: number, partsAssembling?: number }} */
    at(nowMs) {
      // The clock may have been set back.
      const times = { phaseMs: Math.max(0, nowMs - sinceMs), elapsedMs: Math.max(0, nowMs - startMs) }
      return { phase, ...times, ...(partsAssembling !== undefined && { partsAssembling }) }
    },
  }
}

module.exports = { createActivity, createPhases }
