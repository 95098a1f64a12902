'use strict'

/**
 * Picks the straggler to hedge if slots are free and nothing waits. Invocations are compared by their time per byte, so a
 * large batch is no straggler only because it is large. After "The Tail at Scale" (Dean and Barroso, 2013): a hedged request
 * is sent late, and only for the few that need it. Pure.
 */

/** Measurements needed before anything counts as slow. */
const MIN_MEASURED = 5
const MAX_MEASURED = 1_000
/** A straggler is late by at least this share of the time that its peers needed, */
const SLACK = 0.5
/** and by at least this long, because a second start costs time too. Both grow as the budget for hedging is spent. */
const PATIENCE_MS = 2_000
/** The share of all bytes that may be copied twice; one part always may. */
const SHARE = 0.05

/**
 * @typedef {object} Flight
 * @property {number} startedMs
 * @property {number} totalBytes of all its parts
 * @property {unknown[]} items one for each part
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

/** The budget of bytes that may be copied twice. */
function createBudget() {
  let totalBytes = 0
  let partBytes = 0
  let spent = 0
  const most = () => Math.max(SHARE * totalBytes, partBytes)
  return {
    /** Adds parts to the total that the budget is a share of. @param {import('../types').Part[]} parts */
    add(parts) {
      for (const { bytes } of parts) {
        totalBytes += bytes
        partBytes = Math.max(partBytes, bytes)
      }
    },
    /** The share of the budget that is left. */
    leftShare: () => (most() - spent) / most(),
    /** @param {number} bytes */
    allows: bytes => bytes > 0 && spent + bytes <= most(),
    /** @param {number} bytes */
    spend(bytes) {
      spent += bytes
    },
  }
}

/**
 * From when on a flight counts as a straggler.
 *
 * @param {Pick<Flight, 'startedMs' | 'totalBytes'>} flight
 * @param {number} msPerByte the median
 * @param {number} leftShare of the budget: the last of it is for the slowest stragglers
 * @returns {number} epoch milliseconds
 */
function overdueMs({ startedMs, totalBytes }, msPerByte, leftShare) {
  const expectedMs = totalBytes * msPerByte
  return startedMs + expectedMs + Math.max(SLACK * expectedMs, PATIENCE_MS) / leftShare
}

/**
 * The flight that is, or will be, the first straggler.
 *
 * @template {Flight} F
 * @param {Iterable<F>} flights
 * @param {(parts: number) => number | undefined} msPerByte the median of invocations with this many parts; undefined:
 *   not known yet
 * @param {number} leftShare of the budget
 * @returns {{ flight: F, dueMs: number } | undefined} dueMs: epoch milliseconds from which it is a straggler
 */
function pickStraggler(flights, msPerByte, leftShare) {
  /** @type {{ flight: F, dueMs: number } | undefined} */
  let worst
  for (const flight of flights) {
    const peers = msPerByte(flight.items.length)
    if (peers === undefined) return undefined
    const dueMs = overdueMs(flight, peers, leftShare)
    if (worst === undefined || dueMs < worst.dueMs) worst = { flight, dueMs }
  }
  return worst
}

module.exports = { createTimePerByte, createBudget, overdueMs, pickStraggler }
