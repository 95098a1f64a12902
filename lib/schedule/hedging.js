'use strict'

/**
 * Hedged requests: if slots are free and nothing waits, the parts of a straggler start a second time. When an invocation with
 * several parts is late, most of them are usually done, so the destination is asked first which parts it has. Slots that would
 * be idle are all that it costs, beside the bytes that are copied twice. Invocations are compared by their time per byte, so
 * a large batch is no straggler only because it is large. After "The Tail at Scale" (Dean and Barroso, 2013): a hedged request
 * is sent late, and the next one later.
 */

const { hedges, isPending } = require('./queue')

/** @typedef {import('./queue').Flight} Flight */

/** Measurements needed before anything counts as slow. */
const MIN_MEASURED = 5
const MAX_MEASURED = 100
/** A straggler is late by at least this share of the time that its peers needed, */
const SLACK = 0.5
/** and by at least this long, because a second start costs time too. A third start waits twice as long, a fourth three times. */
const PATIENCE_MS = 2_000

/**
 * @param {object} how
 * @param {Set<Flight>} how.flights in flight
 * @param {import('./capacity').Capacity} how.capacity
 * @param {(items: import('./queue').Item[]) => Promise<unknown>} how.settle finishes those parts that the destination has
 * @param {(error: unknown) => void} how.fail ends the work
 * @param {import('../types').Clock} how.clock
 */
function createHedging({ flights, capacity, settle, fail, clock }) {
  const { queue, timePerByte } = capacity
  /** @type {unknown} */
  let timer
  let stopped = false
  /** @type {Promise<void> | undefined} */
  let asking

  /** From when on a flight counts as a straggler. @param {Flight} flight @returns {number} epoch; Infinity: not known yet */
  function dueMs({ startedMs, totalBytes, items }) {
    const msPerByte = timePerByte.msPerByte(items.length)
    if (msPerByte === undefined) return Number.POSITIVE_INFINITY
    const expectedMs = totalBytes * msPerByte
    const starts = Math.max(1, ...items.map(({ flights }) => flights.size))
    return startedMs + expectedMs + starts * Math.max(SLACK * expectedMs, PATIENCE_MS)
  }

  /** @param {Flight} flight @param {number} nowMs */
  function startAgain(flight, nowMs) {
    flight.mayHedge = false
    for (const item of flight.items.filter(isPending)) {
      const { partNumber, bytes } = item.part
      item.group.how.emit({ type: 'hedge', partNumber, bytes, elapsedMs: nowMs - flight.startedMs })
      queue.putBack(item, 0)
    }
  }

  /** Asks for the parts of all late flights at once. @param {Flight[]} late */
  async function ask(late) {
    for (const flight of late) flight.mayAsk = false
    try {
      await settle(late.flatMap(({ items }) => items.filter(isPending)))
    } catch (error) {
      fail(error)
    }
    asking = undefined
    look()
  }

  /** Hedges stragglers now, and again when the next flight becomes late. */
  function look() {
    clock.clearTimeout(timer)
    timer = undefined
    while (!stopped && !asking) {
      const nowMs = clock.now()
      const idleMs = queue.idleMs()
      if (idleMs > nowMs) return lookAt(idleMs)
      const late = [...flights].filter(flight => flight.mayAsk && flight.items.length > 1 && dueMs(flight) <= nowMs)
      if (late.length > 0) {
        asking = ask(late)
        return
      }
      const candidates = [...flights].filter(({ mayHedge, items }) => mayHedge && items.some(isPending))
      const soonestMs = Math.min(...candidates.map(dueMs))
      if (soonestMs > nowMs) return lookAt(soonestMs)
      const straggler = candidates.find(flight => dueMs(flight) === soonestMs)
      startAgain(/** @type {Flight} */ (straggler), nowMs)
    }
  }

  /** @param {number} ms epoch; Infinity: another event will call look() */
  function lookAt(ms) {
    if (ms < Number.POSITIVE_INFINITY) timer = clock.setTimeout(look, ms - clock.now())
  }

  return {
    look,
    /** @returns {Promise<void>} resolves once no request is open */
    async stop() {
      stopped = true
      clock.clearTimeout(timer)
      await asking
    },
  }
}

/**
 * The time per byte of invocations. Those of one part, with one connection, are measured apart from those of several, which
 * use more of a function's network. If one kind was not measured, the other's value is used. Pure.
 */
function createTimePerByte() {
  /** The newest values, the newest last. @type {{ single: number[], several: number[] }} */
  const values = { single: [], several: [] }
  /** @type {{ single?: number, several?: number }} */
  const medians = {}
  return {
    /** @param {number} bytes @param {number} elapsedMs @param {number} parts */
    finished(bytes, elapsedMs, parts) {
      if (bytes === 0) return
      const kind = parts > 1 ? 'several' : 'single'
      values[kind] = [...values[kind], elapsedMs / bytes].slice(-MAX_MEASURED)
      const { length } = values[kind]
      if (length >= MIN_MEASURED) medians[kind] = values[kind].toSorted((a, b) => a - b)[length >> 1]
    },
    /** The median, in milliseconds per byte. @param {number} parts @returns {number | undefined} undefined before enough were measured */
    msPerByte: parts => (parts > 1 ? (medians.several ?? medians.single) : (medians.single ?? medians.several)),
  }
}

/** The twin of these items ended, and did not copy them: what they are still in may be hedged again. @param {import('./queue').Item[]} items */
function mayHedgeAgain(items) {
  for (const { flights } of items.filter(isPending)) {
    for (const flight of flights) flight.mayHedge = hedges(flight.items)
  }
}

module.exports = { mayHedgeAgain, createHedging, createTimePerByte }
