'use strict'

const { asXferError } = require('../errors')
const { untilAborted } = require('../async')
const { isPending, leave } = require('./items')

/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {{ item: Item, task: import('../types').Task }} Laden */

/**
 * Signs what a flight carries. It goes without what cannot be signed, which is that part's matter alone, and without what a
 * payload has no room for.
 *
 * @param {Flight} flight
 * @param {Item[]} carried
 * @param {object} how
 * @param {ReturnType<typeof import('./batch').createBatching>} how.batching
 * @param {ReturnType<typeof import('./setbacks').createSetbacks>} how.setbacks
 * @returns {Promise<Laden[]>}
 * @throws {Failure} where the flight was called off meanwhile
 */
async function load(flight, carried, { batching, setbacks }) {
  const signing = carried.map(async item => {
    try {
      return { item, task: await item.group.how.sign(item.part) }
    } catch (error) {
      return { item, error: asXferError(error) }
    }
  })
  // Credentials may have to be had anew first, from somebody who does not answer.
  const signed = await untilAborted(Promise.all(signing), flight.controller.signal)
  for (const { item, error } of signed) {
    if (!error) continue
    leave(flight, [item])
    if (isPending(item)) setbacks.unsigned(item, error, flight)
  }
  const laden = signed.flatMap(({ item, task }) => (task ? [{ item, task }] : []))
  const room = batching.fitting(laden.map(({ task }) => task))
  const left = laden.splice(room).map(({ item }) => item)
  leave(flight, left)
  setbacks.handBack(left.filter(isPending), 0)
  return laden
}

module.exports = { load }
