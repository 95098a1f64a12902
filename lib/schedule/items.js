'use strict'

/**
 * Parts on their way, and the invocations that carry them. A part may be in two flights at once, when the first is far
 * behind.
 *
 * @typedef {object} Item
 * @property {import('../types').Part} part
 * @property {number} attempt 1 for the first
 * @property {boolean} uncertain an invocation of which nothing is known may have copied it
 * @property {boolean} hedged it was started a second time
 * @property {import('../types').TaskSuccess | undefined} done
 * @property {Set<Flight>} flights that carry it now
 *
 * @typedef {object} Flight
 * @property {Item[]} items
 * @property {number} open how many of them are not done
 * @property {number} startedMs epoch
 * @property {number} totalBytes of all of them
 * @property {AbortController} controller ends it
 */

/** @param {import('../types').Part} part @returns {Item} */
function itemOf(part) {
  return { part, attempt: 1, uncertain: false, hedged: false, done: undefined, flights: new Set() }
}

/** @param {Item[]} items @param {number} startedMs @returns {Flight} */
function takeOff(items, startedMs) {
  const flight = { items, open: items.length, startedMs, totalBytes: bytesOf(items), controller: new AbortController() }
  for (const item of items) item.flights.add(flight)
  return flight
}

/** @param {Flight} flight */
function leave(flight) {
  for (const item of flight.items) item.flights.delete(flight)
}

/** What it carries that is neither done nor started a second time. @param {Flight} flight */
function unhedged({ items }) {
  return items.filter(item => !item.done && !item.hedged)
}

/** @param {Item[]} items */
function bytesOf(items) {
  return items.reduce((sum, { part }) => sum + part.bytes, 0)
}

module.exports = { itemOf, takeOff, leave, unhedged, bytesOf }
