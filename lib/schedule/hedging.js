'use strict'

/**
 * Hedged requests: if slots are free and nothing waits, the parts of a straggler start a second time. When an invocation with
 * several parts is late, most of them are usually done, so the destination is asked first which parts it has. Slots that would
 * be idle are all that it costs, beside the bytes that are copied twice.
 */

const { hedgeable } = require('./items')
const { pickStraggler } = require('./stragglers')

/** @typedef {import('./items').Flight} Flight */

/** The longest delay of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * @param {object} how
 * @param {Set<Flight>} how.flights in flight
 * @param {ReturnType<typeof import('./queue').createQueue<import('./items').Item>>} how.queue
 * @param {(parts: number) => number | undefined} how.msPerByte the median of flights with this many parts
 * @param {(items: import('./items').Item[]) => Promise<unknown>} how.settle finishes those parts that the destination has
 * @param {(error: unknown) => void} how.fail ends the work
 * @param {import('../types').Clock} how.clock
 */
function createHedging({ flights, queue, msPerByte, settle, fail, clock }) {
  /** @type {unknown} */
  let timer
  let stopped = false
  /** @type {Promise<void> | undefined} */
  let asking

  /** @param {Flight} flight @param {number} nowMs */
  function startAgain(flight, nowMs) {
    const items = hedgeable(flight)
    flight.mayHedge = false
    for (const item of items) {
      const { partNumber, bytes } = item.part
      item.group.how.emit({ type: 'hedge', partNumber, bytes, elapsedMs: nowMs - flight.startedMs })
      queue.putBack(item, 0)
    }
  }

  /** Asks for the parts of all late flights at once. @param {Flight[]} late */
  async function ask(late) {
    for (const flight of late) flight.mayAsk = false
    try {
      await settle(late.flatMap(({ items }) => items.filter(({ done, gone }) => !done && !gone)))
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
      const late = [...flights].filter(flight => flight.mayAsk && flight.items.length > 1 && isLate(flight, nowMs))
      if (late.length > 0) {
        asking = ask(late)
        return
      }
      const candidates = [...flights].filter(flight => hedgeable(flight).length > 0)
      const worst = pickStraggler(candidates, msPerByte)
      if (!worst) return
      if (worst.dueMs > nowMs) return lookAt(worst.dueMs)
      startAgain(worst.flight, nowMs)
    }
  }

  /** @param {number} ms epoch; Infinity: another event will call look() */
  function lookAt(ms) {
    if (ms < Number.POSITIVE_INFINITY) timer = clock.setTimeout(look, Math.min(ms - clock.now(), MAX_TIMER_MS))
  }

  /** @param {Flight} flight @param {number} nowMs */
  function isLate(flight, nowMs) {
    const found = pickStraggler([flight], msPerByte)
    return found !== undefined && found.dueMs <= nowMs
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

module.exports = { createHedging }
