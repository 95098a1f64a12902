'use strict'

/**
 * Flights that are late: hedged requests, and results that nobody tells.
 *
 * If slots are free and nothing waits, the parts of a straggler start a second time. When an invocation with several parts
 * is late, most of them are usually done, so the destination is asked first which parts it has. It costs slots that would
 * be idle, and bytes that are copied twice, which somebody may have to pay for; so these have a budget. Invocations are
 * compared by their time per byte, so a large batch is no straggler only because it is large. After "The Tail at Scale"
 * (Dean and Barroso, 2013): a hedged request is sent late, the next one later, and few are sent.
 */

const { bytesOf, hedges, isPending } = require('./queue')

/** @typedef {import('./queue').Flight} Flight */
/** @typedef {import('./queue').Item} Item */

/** Measurements needed before an invocation counts as slow. */
const MIN_MEASURED = 5
const MAX_MEASURED = 100
/** A straggler takes longer than its peers by at least this share of their time, */
const SLACK = 0.5
/** or, once the budget is spent, by this share (so it takes four times as long), */
const SLACK_BEYOND = 3
/** and by at least this time, because a second start costs time too. The third start waits twice this time, the fourth three times. */
const PATIENCE_MS = 2_000
/** The budget: this share of the job's bytes, or so many parts, whichever is more. */
const BUDGET_SHARE = 0.05
const BUDGET_PARTS = 2

/**
 * @param {object} how
 * @param {Set<Flight>} how.flights in flight
 * @param {{ bytes: number }} how.work bytes: of all items so far
 * @param {import('./capacity').Capacity} how.capacity
 * @param {(items: Item[]) => Promise<unknown>} how.settle finishes those parts that the destination has
 * @param {(error: unknown) => void} how.fail ends the work
 * @param {import('../types').Clock} how.clock
 */
function createHedging({ flights, work, capacity, settle, fail, clock }) {
  const { queue, timePerByte } = capacity
  /** @type {unknown} */
  let timer
  let stopped = false
  /** @type {Promise<void> | undefined} */
  let asking
  let hedgedBytes = 0

  /** Whether the budget allows another start of a flight. @param {Flight} flight */
  function isAffordable({ items }) {
    let bytes = 0
    let partBytes = 0
    for (const item of items) {
      if (!isPending(item)) continue
      bytes += item.part.bytes
      partBytes = Math.max(partBytes, item.part.bytes)
    }
    return hedgedBytes + bytes <= Math.max(BUDGET_SHARE * work.bytes, BUDGET_PARTS * partBytes)
  }

  /**
   * From when on a flight counts as a straggler.
   *
   * @param {Flight} flight
   * @param {number} [slack]
   * @returns {number} epoch; Infinity: not known yet
   */
  function dueMs({ startedMs, totalBytes, items }, slack = SLACK) {
    const msPerByte = timePerByte.msPerByte(items.length)
    if (msPerByte === undefined) return Number.POSITIVE_INFINITY
    const expectedMs = totalBytes * msPerByte
    let starts = 1
    for (const { flights } of items) starts = Math.max(starts, flights.size)
    return startedMs + expectedMs + starts * Math.max(slack * expectedMs, PATIENCE_MS)
  }

  /** From when on a flight may be started again. @param {Flight} flight */
  function hedgeMs(flight) {
    const { startedMs, waitsMs } = flight
    if (waitsMs === undefined) return dueMs(flight, isAffordable(flight) ? SLACK : SLACK_BEYOND)
    // It may wait in the platform's queue, and the destination is asked for it (createWaiting).
    return Math.max(dueMs(flight, SLACK_BEYOND), startedMs + (1 + SLACK_BEYOND) * (waitsMs - startedMs))
  }

  /** @param {Flight} flight @param {number} nowMs */
  function startAgain(flight, nowMs) {
    flight.mayHedge = false
    for (const item of flight.items.filter(isPending)) {
      hedgedBytes += item.part.bytes
      queue.hedge(item, nowMs - flight.startedMs)
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
      let wakeMs = queue.idleMs()
      if (wakeMs <= nowMs) {
        const { late, straggler, soonestMs } = stragglers(nowMs)
        if (late.length > 0) {
          asking = ask(late)
          return
        }
        wakeMs = soonestMs
        if (straggler && wakeMs <= nowMs) {
          startAgain(straggler, nowMs)
          continue
        }
      }
      // At infinity another event will call this.
      if (wakeMs < Number.POSITIVE_INFINITY) timer = clock.setTimeout(look, wakeMs - clock.now())
      return
    }
  }

  /** The flights whose parts may be asked for now, and which one may be started again first. @param {number} nowMs */
  function stragglers(nowMs) {
    /** @type {Flight[]} */
    const late = []
    /** @type {Flight | undefined} */
    let straggler
    let soonestMs = Number.POSITIVE_INFINITY
    for (const flight of flights) {
      if (flight.mayAsk && flight.items.length > 1 && dueMs(flight) <= nowMs) late.push(flight)
      const ms = flight.mayHedge && flight.items.some(isPending) ? hedgeMs(flight) : Number.POSITIVE_INFINITY
      if (ms >= soonestMs) continue
      straggler = flight
      soonestMs = ms
    }
    return { late, straggler, soonestMs }
  }

  return {
    look,

    /**
     * A flight ended. The parts that it did not copy are certainly not written by it. If another flight has them too, that
     * flight is their only copy now: it may be hedged again, and no longer counts for the budget.
     *
     * @param {Item[]} items
     */
    ended(items) {
      for (const { part, flights } of items.filter(isPending)) {
        if (flights.size > 0) hedgedBytes -= part.bytes
        for (const flight of flights) flight.mayHedge = hedges(flight.items)
      }
    },

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
      if (length >= MIN_MEASURED) medians[kind] = Float64Array.from(values[kind]).sort()[length >> 1]
    },
    /** The median, in milliseconds per byte. @param {number} parts @returns {number | undefined} undefined before enough were measured */
    msPerByte: parts => (parts > 1 ? (medians.several ?? medians.single) : (medians.single ?? medians.several)),
  }
}

/**
 * Invocations that the platform has answered without their result (202). A platform may never tell it: Adobe's keeps no
 * records of calls that succeed. So the destination is asked as well as the record: with one request for all parts of an
 * upload, first when they should be there, and then less and less often. If the destination cannot tell, as of a read,
 * the task starts again after twice the time that the platform waits.
 */

/** The time until the first question, if no invocation has been measured yet; and the time between the first and the second. */
const FIRST_MS = 2_000
const GROWTH = 1.5
const LONGEST_MS = 30_000

/**
 * @param {object} how
 * @param {import('./capacity').Capacity} how.capacity
 * @param {(items: Item[]) => Promise<unknown>} how.settle finishes those parts that the destination has
 * @param {(error: unknown) => void} how.fail ends the work
 * @param {import('../types').Clock} how.clock
 */
function createWaiting({ capacity: { queue, timePerByte }, settle, fail, clock }) {
  /** @type {Map<Flight, { dueMs: number, everyMs: number, againMs: number }>} */
  const waiting = new Map()
  let asking = false
  let stopped = false
  /** @type {unknown} */
  let timer

  /** @param {Item} item */
  const isAsked = ({ group }) => group.how.settle !== undefined && group.settles

  /** Starts the items of which the destination cannot tell whether they were done: they may be lost. @param {Flight} flight @param {number} nowMs */
  function startAgain({ items, startedMs }, nowMs) {
    for (const item of items.filter(isPending)) {
      if (isAsked(item) || item.group.how.hedge !== true || item.flights.size > 1) continue
      queue.hedge(item, nowMs - startedMs)
    }
  }

  async function ask() {
    const nowMs = clock.now()
    const due = [...waiting].filter(([, { dueMs }]) => dueMs <= nowMs)
    asking = true
    const items = due.flatMap(([{ items }]) => items.filter(isPending))
    try {
      await settle(items.filter(isAsked))
    } catch (error) {
      fail(error)
    }
    asking = false
    const thenMs = clock.now()
    for (const [flight, times] of due) {
      // It has ended meanwhile.
      if (!waiting.has(flight)) continue
      const left = flight.items.filter(isPending)
      if (left.length === 0) {
        timePerByte.finished(flight.totalBytes, thenMs - flight.startedMs, flight.items.length)
        waiting.delete(flight)
        continue
      }
      times.everyMs = Math.min(times.everyMs * GROWTH, LONGEST_MS)
      times.dueMs = thenMs + times.everyMs
      if (times.againMs > thenMs) continue
      times.againMs = Number.POSITIVE_INFINITY
      startAgain(flight, thenMs)
    }
  }

  function plan() {
    clock.clearTimeout(timer)
    if (stopped || asking || waiting.size === 0) return
    const dueMs = Math.min(...[...waiting.values()].map(times => times.dueMs))
    timer = clock.setTimeout(() => void ask().then(plan), Math.max(1, dueMs - clock.now()))
  }

  return {
    /** Its call was answered without its result. @param {Flight} flight */
    waits(flight) {
      const nowMs = clock.now()
      flight.waitsMs = nowMs
      flight.mayAsk = false
      const msPerByte = timePerByte.msPerByte(flight.items.length) ?? 0
      const doneMs = flight.startedMs + bytesOf(flight.items) * msPerByte
      const againMs = nowMs + (nowMs - flight.startedMs)
      waiting.set(flight, { dueMs: Math.max(doneMs, nowMs + FIRST_MS), everyMs: FIRST_MS, againMs })
      plan()
    },

    /** @param {Flight} flight */
    ended(flight) {
      if (waiting.delete(flight)) plan()
    },

    stop() {
      stopped = true
      clock.clearTimeout(timer)
    },
  }
}

module.exports = { createHedging, createTimePerByte, createWaiting }
