'use strict'

/**
 * Where slots are free and nothing waits, the parts of what is far behind start a second time. Of an invocation with
 * several parts most are done when one crawls: so the destination is asked first which it has.
 */

const { bytesOf, unhedged } = require('./items')
const { createBudget, pickStraggler } = require('./stragglers')

/** @typedef {import('./items').Flight} Flight */

/** What a timer of Node's holds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * @param {object} how
 * @param {Set<Flight>} how.flights under way
 * @param {ReturnType<typeof import('./queue').createQueue<import('./items').Item>>} how.queue
 * @param {(parts: number) => number | undefined} how.msPerByte of flights with so many parts
 * @param {(items: import('./items').Item[]) => Promise<unknown>} how.settle finishes those that the destination has
 * @param {(error: unknown) => void} how.fail ends the work
 * @param {import('../types').Clock} how.clock
 */
function createHedging({ flights, queue, msPerByte, settle, fail, clock }) {
  const budget = createBudget()
  /** @type {unknown} */
  let timer
  let stopped = false
  /** @type {Promise<void> | undefined} */
  let asking

  /** @param {Flight} flight @param {number} nowMs */
  function startAgain(flight, nowMs) {
    const items = unhedged(flight)
    flight.hedged = true
    for (const item of items) {
      const { partNumber, bytes } = item.part
      budget.spend(bytes)
      item.group.how.emit({ type: 'hedge', partNumber, bytes, elapsedMs: nowMs - flight.startedMs })
      queue.putBack(item, 0)
    }
  }

  /** Of all that are late, for it is one question. @param {Flight[]} late */
  async function ask(late) {
    for (const flight of late) flight.asked = true
    try {
      await settle(late.flatMap(({ items }) => items.filter(({ done, gone }) => !done && !gone)))
    } catch (error) {
      fail(error)
    }
    asking = undefined
    look()
  }

  /** Now, and again when the next flight will be late. */
  function look() {
    clock.clearTimeout(timer)
    timer = undefined
    while (!stopped && !asking) {
      const nowMs = clock.now()
      const idleMs = queue.idleMs()
      if (idleMs > nowMs) return lookAt(idleMs)
      const late = [...flights].filter(flight => !flight.asked && flight.items.length > 1 && isLate(flight, nowMs))
      if (late.length > 0) {
        asking = ask(late)
        return
      }
      const candidates = [...flights].filter(flight => budget.allows(bytesOf(unhedged(flight))))
      const worst = pickStraggler(candidates, msPerByte, budget.leftShare())
      if (!worst) return
      if (worst.dueMs > nowMs) return lookAt(worst.dueMs)
      startAgain(worst.flight, nowMs)
    }
  }

  /** @param {number} ms epoch; Infinity: somebody else will say when */
  function lookAt(ms) {
    if (ms < Number.POSITIVE_INFINITY) timer = clock.setTimeout(look, Math.min(ms - clock.now(), LONGEST_TIMER_MS))
  }

  /** @param {Flight} flight @param {number} nowMs */
  function isLate(flight, nowMs) {
    const found = pickStraggler([flight], msPerByte, 1)
    return found !== undefined && found.dueMs <= nowMs
  }

  return {
    /** What may be copied twice. */
    budget,
    look,
    /** @returns {Promise<void>} once no question is open any more */
    async stop() {
      stopped = true
      clock.clearTimeout(timer)
      await asking
    },
  }
}

module.exports = { createHedging }
