'use strict'

/**
 * Items are parts to copy; flights are the invocations in flight with their items. A hedged part is in two flights at once.
 *
 * @typedef {object} Item
 * @property {import('../types').Part} part
 * @property {import('./groups').Group} group
 * @property {number} attempt 1 for the first
 * @property {number} excused failures that it did not cause, and that did not count as attempts
 * @property {boolean} uncertain an invocation with an unknown outcome may have copied it
 * @property {import('../types').TaskSuccess | undefined} done
 * @property {boolean} gone its group failed: it will not be copied
 * @property {Set<Flight>} flights that it is in now
 *
 * @typedef {object} Flight
 * @property {Item[]} items
 * @property {number} open number of items that are not done
 * @property {number} takenMs epoch; when its items were taken from the queue
 * @property {number} startedMs epoch; when it was sent
 * @property {number} totalBytes of all its items
 * @property {boolean} mayHedge its pending items may be started a second time; false once they were, and if a group forbids it
 * @property {boolean} mayAsk the destination may be asked for its parts if it is late; false once it was, and if a group forbids
 *   hedging
 * @property {AbortController} controller aborts the invocation
 * @property {Promise<unknown>} [detached] settles when a function has ended that went on after its wait was aborted
 */

/** @param {import('../types').Part} part @param {import('./groups').Group} group @returns {Item} */
function itemOf(part, group) {
  return { part, group, attempt: 1, excused: 0, uncertain: false, done: undefined, gone: false, flights: new Set() }
}

/** @param {Item[]} items @param {number} takenMs @returns {Flight} */
function startFlight(items, takenMs) {
  const mayHedge = hedges(items)
  /** @type {Flight} */
  const flight = {
    items,
    open: items.length,
    takenMs,
    startedMs: takenMs,
    totalBytes: bytesOf(items),
    mayHedge,
    mayAsk: mayHedge,
    controller: new AbortController(),
  }
  for (const item of items) item.flights.add(flight)
  return flight
}

/** @param {Flight} flight @param {Item[]} [items] all of them if absent */
function leave(flight, items = flight.items) {
  for (const item of items) item.flights.delete(flight)
}

/** The twin of these items ended, and did not copy them: what they are still in may be hedged again. @param {Item[]} items */
function mayHedgeAgain(items) {
  for (const { flights } of items.filter(isPending)) {
    for (const flight of flights) flight.mayHedge = hedges(flight.items)
  }
}

/** @param {Item[]} items */
function hedges(items) {
  return items.every(({ group }) => group.how.hedge === true)
}

/** The items to start a second time if it is a straggler. @param {Flight} flight */
function hedgeable({ items, mayHedge }) {
  return mayHedge ? items.filter(isPending) : []
}

/** @param {Item} item */
function isPending({ done, gone }) {
  return !done && !gone
}

/** @param {Item[]} items */
function bytesOf(items) {
  return items.reduce((sum, { part }) => sum + part.bytes, 0)
}

module.exports = { itemOf, startFlight, leave, hedgeable, mayHedgeAgain, isPending, bytesOf }
