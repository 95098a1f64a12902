'use strict'

/** Signs the tasks of a flight, shortly before it is sent. */

const { asXferError } = require('../errors')
const { untilAborted } = require('../async')
const { isPending, leave } = require('./items')

/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {{ item: Item, task: import('../types').Task }} Signed */

/**
 * Signs the tasks of a flight. Items that cannot be signed leave the flight and are handled as failed parts. Items that do
 * not fit into the payload go back to the queue.
 *
 * @param {Flight} flight
 * @param {Item[]} carried
 * @param {object} how
 * @param {ReturnType<typeof import('./batch').createBatching>} how.batching
 * @param {ReturnType<typeof import('./failure-handling').createFailureHandling>} how.failureHandling
 * @returns {Promise<Signed[]>}
 * @throws {Failure} if the flight was aborted meanwhile
 */
async function signFlight(flight, carried, { batching, failureHandling }) {
  const signing = carried.map(async item => {
    try {
      return { item, task: await item.group.how.sign(item.part) }
    } catch (error) {
      return { item, error: asXferError(error) }
    }
  })
  // Credentials may have to be fetched anew first, from a service that does not answer.
  const results = await untilAborted(Promise.all(signing), flight.controller.signal)
  for (const { item, error } of results) {
    if (!error) continue
    leave(flight, [item])
    if (isPending(item)) failureHandling.notSent([item], error, flight)
  }
  const signed = results.flatMap(({ item, task }) => (task ? [{ item, task }] : []))
  const room = batching.fitting(signed.map(({ task }) => task))
  const left = signed.splice(room).map(({ item }) => item)
  leave(flight, left)
  failureHandling.handBack(left.filter(isPending), 0)
  return signed
}

module.exports = { signFlight }
