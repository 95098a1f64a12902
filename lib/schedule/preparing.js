'use strict'

/**
 * What comes before an invocation: asks the destination for the parts that an earlier one may have copied, and signs the tasks
 * of the others.
 */

const { setMaxListeners } = require('node:events')
const { untilAborted } = require('../async')
const { byGroup, carriedBy, isPending, leave, tried } = require('./items')

/** @typedef {import('../types').XferError} Failure */
/** @typedef {import('./items').Group} Group */
/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */

/**
 * @param {object} how
 * @param {import('./capacity').Capacity} how.capacity
 * @param {ReturnType<typeof import('./failure-handling').createFailureHandling>} how.failureHandling
 * @param {(item: Item, outcome: import('../types').TaskSuccess, elapsedMs: number) => void} how.finish
 * @param {(group: Group) => void} how.look settles the group if it is over
 */
function createPreparing({ capacity, failureHandling, finish, look }) {
  /**
   * Asks the destination for these parts, and finishes those that it has.
   *
   * @param {Item[]} unsure
   * @param {Flight} [flight] that they are in: what cannot be asked for leaves it
   */
  async function settle(unsure, flight) {
    const asked = [...byGroup(unsure)].map(async ([group, items]) => {
      group.asking++
      const error = await settleGroup(group, items).finally(() => group.asking--)
      if (error && flight) failureHandling.notSent(byGroup(flight.items).get(group) ?? [], error, flight)
      look(group)
    })
    await Promise.all(asked)
  }

  /** @param {Group} group @param {Item[]} unsure @returns {Promise<Failure | undefined>} why the destination did not answer */
  async function settleGroup(group, unsure) {
    const { settle, check } = group.how
    if (!settle || !group.settles) return undefined
    const parts = unsure.map(({ part }) => part)
    group.over ??= new AbortController()
    const { signal } = group.over
    // Every flight of it that asks listens to it.
    setMaxListeners(0, signal)
    const { value: found = [], error } = await tried(() => settle(parts, signal))
    if (signal.aborted || error?.retryable || error?.code === 'UPLOAD_GONE') return error
    // Without permission to list the parts, copy them again: that does no harm.
    if (error) group.settles = false
    const byNumber = new Map(found.map(outcome => [outcome.partNumber, outcome]))
    for (const item of unsure) {
      const outcome = byNumber.get(item.part.partNumber)
      item.uncertain = false
      if (outcome && !item.done && !check?.(outcome, item.attempt)) finish(item, outcome, 0)
    }
    return undefined
  }

  /**
   * Signs the tasks of a flight, shortly before it is sent. Items that cannot be signed leave the flight and are handled as
   * failed parts. Items that do not fit into the payload go back to the queue.
   *
   * @param {Flight} flight
   * @returns {Promise<import('../types').Task[]>} of those that are then in the flight
   * @throws {Failure} if the flight was aborted meanwhile
   */
  async function sign(flight) {
    const over = flight.items.filter(item => !isPending(item))
    leave(flight, over)
    const items = carriedBy(flight)
    if (items.length === 0) return []
    const signing = items.map(item => tried(() => item.group.how.sign(item.part)))
    // Credentials may have to be fetched anew first, from a service that does not answer.
    const results = await untilAborted(Promise.all(signing), flight.controller.signal)
    for (const [i, { error }] of results.entries()) if (error) failureHandling.notSent([items[i]], error, flight)
    const signed = items.filter((_, i) => !results[i].error)
    const tasks = results.flatMap(({ value }) => value ?? [])
    const room = capacity.batchingOf(items[0]).fitting(tasks)
    leave(flight, signed.slice(room))
    failureHandling.handBack(signed.slice(room))
    return tasks.slice(0, room)
  }

  return { settle, sign }
}

module.exports = { createPreparing }
