'use strict'

/**
 * Invocations that the platform has answered without their result (202). A platform may never tell it: Adobe's keeps no records of calls
 * that succeed. So the destination is asked as well as the record: with one request for all parts of an upload, first when they should be there,
 * and then less and less often. If the destination cannot tell, as of a read, the task starts again after twice the time that the platform waits.
 */

const { bytesOf, isPending } = require('./queue')

/** @typedef {import('./queue').Flight} Flight */
/** @typedef {import('./queue').Item} Item */

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

module.exports = { createWaiting }
