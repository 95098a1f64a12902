'use strict'

/**
 * Handles what an invocation answers about its parts: finishes those that are done, sorts the failures by what they mean,
 * and tells the batches and the measured time per byte how it went.
 */

const { refusingSide } = require('./limits')
const { bytesOf, isPending, workedMs } = require('./items')
const { laneOf } = require('./capacity')

/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */

/**
 * @param {object} how
 * @param {import('./capacity').Capacity} how.capacity
 * @param {ReturnType<typeof import('./failure-handling').createFailureHandling>} how.failureHandling
 * @param {import('../outage').Outages} how.outages
 * @param {(error: Failure, flight: Flight) => Promise<boolean>} how.excuses whether an outage caused a failure that is `shared`
 * @param {(item: Item, outcome: TaskSuccess, elapsedMs: number) => void} how.finish
 * @param {import('../types').Clock} how.clock
 */
function createResults({ capacity, failureHandling, outages, excuses, finish, clock }) {
  /**
   * Handles the outcome of each part. Waits only if a probe for an outage is needed.
   *
   * @param {Flight} flight
   * @param {Item[]} carried
   * @param {Outcome[]} outcomes
   */
  async function handleOutcomes(flight, carried, outcomes) {
    const elapsedMs = clock.now() - flight.startedMs
    /** @type {{ [verdict: string]: Array<{ item: Item, error: Failure }> }} */
    const failures = { throttled: [], free: [], unstarted: [], failed: [] }
    /** @type {Item[]} */
    const copied = []
    for (const [i, item] of carried.entries()) {
      const outcome = outcomes[i]
      const { explain, check } = item.group.how
      const error =
        'error' in outcome ? explain(outcome.error, item.part) : item.done ? undefined : check?.(outcome, item.attempt)
      if (!error) {
        copied.push(item)
        finish(item, /** @type {TaskSuccess} */ (outcome), elapsedMs)
      } else if (error.throttled) failures.throttled.push({ item, error })
      else if (error.freeRetry) failures.free.push({ item, error })
      else if (error.code === 'NOT_STARTED') failures.unstarted.push({ item, error })
      else failures.failed.push({ item, error })
    }
    const sides = new Set(failures.throttled.map(({ error }) => refusingSide(error)))
    const some = failures.throttled.length < carried.length
    capacity.answered({ some, but: [...sides] })
    if (some) failureHandling.worked()
    const smooth = failures.throttled.length + failures.free.length + failures.failed.length === 0
    // Small objects take longer than their bytes do, so their times say nothing about parts.
    if (smooth && laneOf(carried[0]) === 0) capacity.timePerByte.finished(bytesOf(copied), elapsedMs, carried.length)
    capacity.batchingOf(carried[0]).ended({
      ...{ items: carried.length, done: copied.length, refused: failures.throttled.length },
      ranOut: failures.unstarted.length > 0,
      times: { elapsedMs, workedMs: workedMs(outcomes) ?? elapsedMs, bytes: bytesOf(copied) },
    })
    failureHandling.handBack(itemsOf(failures.free))
    // A function that did some of its parts has only run out of time.
    if (copied.length > 0) failureHandling.handBack(itemsOf(failures.unstarted))
    else failures.failed.push(...failures.unstarted)
    for (const side of sides) {
      const refused = failures.throttled.filter(({ error }) => refusingSide(error) === side)
      const items = itemsOf(refused).filter(isPending)
      if (items.length > 0) failureHandling.throttled(items, refused[0].error, flight)
    }
    const excused = await Promise.all(failures.failed.map(({ error }) => error.shared && excuses(error, flight)))
    for (const [i, { item, error }] of failures.failed.entries()) {
      if (!excused[i]) outages.failed(error)
      if (!isPending(item)) continue
      if (excused[i]) failureHandling.excused([item], error)
      else failureHandling.failed(item, error)
    }
  }

  return { handleOutcomes }
}

/** @param {Array<{ item: Item }>} verdicts */
function itemsOf(verdicts) {
  return verdicts.map(({ item }) => item)
}

module.exports = { createResults }
