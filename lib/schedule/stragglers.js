'use strict'

/**
 * Which invocation to start again elsewhere, when slots are free and nothing waits. Invocations are compared by what
 * they need for a byte, so that a small last part is no straggler for being new, nor a large batch for being large.
 * After "The Tail at Scale" (Dean and Barroso, 2013): a second request, late, and only for the few that need it. Pure.
 */

/** Before so many are measured nobody knows what is slow. */
const LEAST_MEASURED = 5
const MOST_MEASURED = 1_000
/** By so large a share of what its peers needed, */
const SLACK = 0.5
/** and by so much: a second start costs one itself. Both are more, the more of what may be copied twice is spent. */
const PATIENCE_MS = 2_000
/** Of the object's bytes, how many may be copied twice; one part always may. */
const SHARE = 0.05

/**
 * @typedef {object} Flight
 * @property {number} startedMs
 * @property {number} totalBytes of all its parts
 * @property {unknown[]} items one a part
 */

/**
 * What invocations needed for their bytes: those of one part, with one connection, and those of several apart, for they
 * use more of a function's network. Where one kind was not measured, the other speaks for it.
 */
function createPace() {
  const single = createMedian()
  const several = createMedian()
  return {
    /** @param {number} bytes @param {number} elapsedMs @param {number} parts */
    finished(bytes, elapsedMs, parts) {
      if (bytes > 0) (parts > 1 ? several : single).add(elapsedMs / bytes)
    },
    /** Milliseconds a byte, of the middle one. @param {number} parts @returns {number | undefined} before enough were measured */
    msPerByte: parts => (parts > 1 ? (several.value() ?? single.value()) : (single.value() ?? several.value())),
  }
}

/** Of the newest. */
function createMedian() {
  /** @type {number[]} the newest last */
  const values = []
  /** @type {number | undefined} */
  let median
  return {
    /** @param {number} value */
    add(value) {
      values.push(value)
      if (values.length > MOST_MEASURED) values.shift()
      median = undefined
    },
    /** @returns {number | undefined} before there are enough */
    value() {
      if (values.length < LEAST_MEASURED) return undefined
      median ??= [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
      return median
    },
  }
}

/** How many bytes may be copied twice. */
function createBudget() {
  let totalBytes = 0
  let partBytes = 0
  let spent = 0
  const most = () => Math.max(SHARE * totalBytes, partBytes)
  return {
    /** There is more to be copied. @param {import('../types').Part[]} parts */
    add(parts) {
      for (const { bytes } of parts) {
        totalBytes += bytes
        partBytes = Math.max(partBytes, bytes)
      }
    },
    /** Of it all. */
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
 * When a flight counts as a straggler.
 *
 * @param {Pick<Flight, 'startedMs' | 'totalBytes'>} flight
 * @param {number} msPerByte the median
 * @param {number} leftShare of what may be copied twice: the last of it is for those that really crawl
 * @returns {number} epoch milliseconds
 */
function overdueMs({ startedMs, totalBytes }, msPerByte, leftShare) {
  const expectedMs = totalBytes * msPerByte
  return startedMs + expectedMs + Math.max(SLACK * expectedMs, PATIENCE_MS) / leftShare
}

/**
 * The flight that is, or will be, furthest behind.
 *
 * @template {Flight} F
 * @param {Iterable<F>} flights
 * @param {(parts: number) => number | undefined} msPerByte of invocations with so many parts; undefined: nobody knows yet
 * @param {number} leftShare of what may be copied twice
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

module.exports = { createPace, createBudget, overdueMs, pickStraggler }
