'use strict'

/**
 * Which invocation to start again elsewhere, when slots are free and nothing waits. Invocations are compared by what
 * they need for a byte, so that a small last part is no straggler for being new, nor a large batch for being large.
 * After "The Tail at Scale" (Dean and Barroso, 2013): a second request, late, and only for the few that need it. Pure.
 */

/** Before so many are measured nobody knows what is slow. */
const LEAST_MEASURED = 5
const MOST_MEASURED = 200
/** So many times what its peers needed, */
const FACTOR = 2
/** and so much longer: a second start costs one itself. */
const PATIENCE_MS = 2_000
/** Of the object's bytes, how many may be copied twice; one part always may. */
const SHARE = 0.05

/**
 * @typedef {object} Flight
 * @property {number} startedMs
 * @property {number} totalBytes of all its parts
 */

/** What invocations needed for their bytes. */
function createPace() {
  /** @type {number[]} milliseconds a byte, the newest last */
  const paces = []
  /** @type {number | undefined} */
  let median
  return {
    /** @param {number} bytes @param {number} elapsedMs */
    finished(bytes, elapsedMs) {
      if (bytes === 0) return
      paces.push(elapsedMs / bytes)
      if (paces.length > MOST_MEASURED) paces.shift()
      median = undefined
    },
    /** Milliseconds a byte, of the middle one. @returns {number | undefined} before enough were measured */
    msPerByte() {
      if (paces.length < LEAST_MEASURED) return undefined
      median ??= [...paces].sort((a, b) => a - b)[Math.floor(paces.length / 2)]
      return median
    },
  }
}

/**
 * How many bytes may be copied twice.
 *
 * @param {import('../types').Part[]} parts of the object
 */
function createBudget(parts) {
  const totalBytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  const partBytes = parts.reduce((most, part) => Math.max(most, part.bytes), 0)
  let left = Math.max(SHARE * totalBytes, partBytes)
  return {
    /** @param {number} bytes */
    allows: bytes => bytes > 0 && bytes <= left,
    /** @param {number} bytes */
    spend(bytes) {
      left -= bytes
    },
  }
}

/**
 * When a flight counts as a straggler.
 *
 * @param {Flight} flight
 * @param {number} msPerByte the median
 * @returns {number} epoch milliseconds
 */
function overdueMs({ startedMs, totalBytes }, msPerByte) {
  const expectedMs = totalBytes * msPerByte
  return startedMs + Math.max(FACTOR * expectedMs, expectedMs + PATIENCE_MS)
}

/**
 * The flight that is, or will be, furthest behind.
 *
 * @template {Flight} F
 * @param {Iterable<F>} flights
 * @param {number | undefined} msPerByte undefined: nobody knows yet
 * @returns {{ flight: F, dueMs: number } | undefined} dueMs: epoch milliseconds from which it is a straggler
 */
function pickStraggler(flights, msPerByte) {
  if (msPerByte === undefined) return undefined
  /** @type {{ flight: F, dueMs: number } | undefined} */
  let worst
  for (const flight of flights) {
    const dueMs = overdueMs(flight, msPerByte)
    if (worst === undefined || dueMs < worst.dueMs) worst = { flight, dueMs }
  }
  return worst
}

module.exports = { createPace, createBudget, overdueMs, pickStraggler }
