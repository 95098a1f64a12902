'use strict'

/**
 * Parts on their way, and the invocations that carry them. A part may be in two flights at once, when the first is far
 * behind.
 *
 * @typedef {object} Item
 * @property {import('../types').Part} part
 * @property {import('./groups').Group} group
 * @property {number} attempt 1 for the first
 * @property {number} excused failures that were no fault of its own, and counted as no attempt
 * @property {boolean} uncertain an invocation of which nothing is known may have copied it
 * @property {import('../types').TaskSuccess | undefined} done
 * @property {boolean} gone its group failed: it is not to be done any more
 * @property {Set<Flight>} flights that carry it now
 *
 * @typedef {object} Flight
 * @property {Item[]} items
 * @property {number} open how many of them are still to be done
 * @property {number} takenMs epoch, when it was taken from the queue
 * @property {number} startedMs epoch, when it was sent
 * @property {number} totalBytes of all of them
 * @property {boolean} hedged whether what was left of it was started again elsewhere, or may not be
 * @property {boolean} asked whether the destination was asked what it has of it, for it is far behind, or need not be
 * @property {AbortController} controller ends it
 */

/** @param {import('../types').Part} part @param {import('./groups').Group} group @returns {Item} */
function itemOf(part, group) {
  return { part, group, attempt: 1, excused: 0, uncertain: false, done: undefined, gone: false, flights: new Set() }
}

/** @param {Item[]} items @param {number} takenMs @returns {Flight} */
function takeOff(items, takenMs) {
  const once = !items.every(({ group }) => group.how.hedge)
  const flight = {
    items,
    open: items.length,
    takenMs,
    startedMs: takenMs,
    totalBytes: bytesOf(items),
    hedged: once,
    asked: once,
    controller: new AbortController(),
  }
  for (const item of items) item.flights.add(flight)
  return flight
}

/** @param {Flight} flight @param {Item[]} [items] all of them when absent */
function leave(flight, items = flight.items) {
  for (const item of items) item.flights.delete(flight)
}

/** What it carries that is not done, where none of it was started again. @param {Flight} flight */
function unhedged({ items, hedged }) {
  return hedged ? [] : items.filter(isPending)
}

/** @param {Item} item */
function isPending({ done, gone }) {
  return !done && !gone
}

/** @param {Item[]} items */
function bytesOf(items) {
  return items.reduce((sum, { part }) => sum + part.bytes, 0)
}

module.exports = { itemOf, takeOff, leave, unhedged, isPending, bytesOf }
