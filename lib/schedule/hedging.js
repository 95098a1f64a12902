'use strict'

/** Where slots are free and nothing waits, the parts of what is far behind start a second time. */

const { bytesOf, unhedged } = require('./items')
const { createBudget, pickStraggler } = require('./stragglers')

/** @typedef {import('./items').Flight} Flight */

/**
 * @param {object} how
 * @param {Set<Flight>} how.flights under way
 * @param {ReturnType<typeof import('./queue').createQueue<import('./items').Item>>} how.queue
 * @param {() => number | undefined} how.msPerByte of the flights so far
 * @param {import('../types').Part[]} how.parts of the object
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit
 * @param {import('../types').Clock} how.clock
 */
function createHedging({ flights, queue, msPerByte, parts, emit, clock }) {
  const budget = createBudget(parts)
  /** @type {unknown} */
  let timer

  /** @param {Flight} flight @param {number} nowMs */
  function startAgain(flight, nowMs) {
    for (const item of unhedged(flight)) {
      item.hedged = true
      const { partNumber, bytes } = item.part
      budget.spend(bytes)
      emit({ type: 'hedge', partNumber, bytes, elapsedMs: nowMs - flight.startedMs })
      queue.putBack(item, 0)
    }
  }

  /** Now, and again when the next flight will be late. */
  function look() {
    clock.clearTimeout(timer)
    timer = undefined
    while (queue.idle()) {
      const candidates = [...flights].filter(flight => budget.allows(bytesOf(unhedged(flight))))
      const worst = pickStraggler(candidates, msPerByte())
      if (!worst) return
      const nowMs = clock.now()
      if (worst.dueMs > nowMs) {
        timer = clock.setTimeout(look, worst.dueMs - nowMs)
        return
      }
      startAgain(worst.flight, nowMs)
    }
  }

  return {
    look,
    stop() {
      clock.clearTimeout(timer)
    },
  }
}

module.exports = { createHedging }
