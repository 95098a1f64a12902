'use strict'

/**
 * Picks the straggler to hedge if slots are free and nothing waits. Invocations are compared by their time per byte, so a
 * large batch is no straggler only because it is large. After "The Tail at Scale" (Dean and Barroso, 2013): a hedged request
 * is sent late, and the next one later. Pure.
 */

/** Measurements needed before anything counts as slow. */
const MIN_MEASURED = 5
const MAX_MEASURED = 1_000
/** A straggler is late by at least this share of the time that its peers needed, */
const SLACK = 0.5
/** and by at least this long, because a second start costs time too. A third start waits twice as long, a fourth three times. */
const PATIENCE_MS = 2_000

/**
 * @typedef {object} Flight
 * @property {number} startedMs
 * @property {number} totalBytes of all its parts
 * @property {Array<{ flights: Set<unknown> }>} items one for each part; flights: that carry it now
 */

/**
 * The time per byte of invocations. Those of one part, with one connection, are measured apart from those of several, which
 * use more of a function's network. If one kind was not measured, the other's value is used.
 */
function createTimePerByte() {
  const single = createMedian()
  const several = createMedian()
  return {
    /** @param {number} bytes @param {number} elapsedMs @param {number} parts */
    finished(bytes, elapsedMs, parts) {
      if (bytes > 0) (parts > 1 ? several : single).add(elapsedMs / bytes)
    },
    /** The median, in milliseconds per byte. @param {number} parts @returns {number | undefined} undefined before enough were measured */
    msPerByte: parts => (parts > 1 ? (several.value() ?? single.value()) : (single.value() ?? several.value())),
  }
}

/** The median of the newest values. */
function createMedian() {
  /** @type {number[]} the newest last */
  const values = []
  /** @type {number[]} the same in order, kept so: sorting them all for each new value took most of the CPU time */
  const sorted = []

  /** @param {number} value @returns {number} the index of the first that is not less */
  function indexOf(value) {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle] < value) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    /** @param {number} value */
    add(value) {
      values.push(value)
      sorted.splice(indexOf(value), 0, value)
      if (values.length > MAX_MEASURED) sorted.splice(indexOf(/** @type {number} */ (values.shift())), 1)
    },
    /** @returns {number | undefined} undefined before there are enough */
    value: () => (values.length < MIN_MEASURED ? undefined : sorted[Math.floor(sorted.length / 2)]),
  }
}

/**
 * From when on a flight counts as a straggler.
 *
 * @param {Flight} flight
 * @param {number} msPerByte the median
 * @returns {number} epoch milliseconds
 */
function overdueMs({ startedMs, totalBytes, items }, msPerByte) {
  const expectedMs = totalBytes * msPerByte
  const starts = Math.max(1, ...items.map(({ flights }) => flights.size))
  return startedMs + expectedMs + starts * Math.max(SLACK * expectedMs, PATIENCE_MS)
}

/**
 * The flight that is, or will be, the first straggler.
 *
 * @template {Flight} F
 * @param {Iterable<F>} flights
 * @param {(parts: number) => number | undefined} msPerByte the median of invocations with this many parts; undefined:
 *   not known yet
 * @returns {{ flight: F, dueMs: number } | undefined} dueMs: epoch milliseconds from which it is a straggler
 */
function pickStraggler(flights, msPerByte) {
  /** @type {{ flight: F, dueMs: number } | undefined} */
  let worst
  for (const flight of flights) {
    const peers = msPerByte(flight.items.length)
    if (peers === undefined) return undefined
    const dueMs = overdueMs(flight, peers)
    if (worst === undefined || dueMs < worst.dueMs) worst = { flight, dueMs }
  }
  return worst
}

module.exports = { createTimePerByte, overdueMs, pickStraggler }
