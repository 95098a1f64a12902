'use strict'

/**
 * Items are parts to copy; flights are the invocations in flight with their items. A hedged part is in two flights at once.
 *
 * @typedef {object} Item
 * @property {import('../types').Part} part
 * @property {Group} group
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

/** Those of its items that are in it. @param {Flight} flight */
function carriedBy(flight) {
  return flight.items.filter(({ flights }) => flights.has(flight))
}

/** @param {Item[]} items */
function hedges(items) {
  return items.every(({ group }) => group.how.hedge === true)
}

/** @param {Item} item */
function isPending({ done, gone }) {
  return !done && !gone
}

/** 0: parts of large objects; 1: small objects. @param {Item} item */
function laneOf({ group }) {
  return group.how.lane ?? 0
}

/** @param {Item[]} items */
function bytesOf(items) {
  return items.reduce((sum, { part }) => sum + part.bytes, 0)
}

/**
 * Groups of parts that succeed or fail together.
 *
 * @typedef {import('../types').Part} Part
 * @typedef {import('../types').TaskSuccess} TaskSuccess
 * @typedef {import('../types').XferError} Failure
 *
 * @typedef {object} GroupHow
 * @property {(part: Part) => Promise<import('../types').Task>} sign called for each attempt, so that no retry has an expired signature
 * @property {(error: import('../types').TaskError, part: Part) => Failure} explain
 * @property {(outcome: TaskSuccess, attempt: number) => Failure | undefined} [check] checks the outcome of a
 *   written part; an error means that it does not count
 * @property {(parts: Part[], signal: AbortSignal) => Promise<TaskSuccess[]>} [settle] asks the destination which of these
 *   parts it has, after an invocation whose outcome is unknown may have copied them
 * @property {boolean} [hedge] whether a straggler of it may be hedged: started a second time
 * @property {(outcome: TaskSuccess) => void} [done] is called for each part once it is done, before its event
 * @property {(event: import('../types').SchedulerEvent) => void} emit for events about its parts
 * @property {0 | 1} [lane] 0: parts of large objects, which go first; 1: small objects, many in an invocation
 *
 * @typedef {object} Group
 * @property {GroupHow} how
 * @property {Item[]} items
 * @property {number} left parts that are not done
 * @property {number} flying flights with any of its parts
 * @property {number} asking open requests for which of its parts the destination has
 * @property {boolean} settles false once the destination refused to say which parts it has
 * @property {AbortController | undefined} over aborts those requests once the group is over; created for the first
 * @property {Failure | undefined} failure
 * @property {Promise<TaskSuccess[]>} ended
 * @property {(outcomes: TaskSuccess[]) => void} resolve
 * @property {(error: Failure) => void} reject
 */

/** @param {GroupHow} how @param {Part[]} parts @returns {Group} */
function createGroup(how, parts) {
  /** @type {any} */
  const group = {
    how,
    left: parts.length,
    flying: 0,
    asking: 0,
    settles: true,
    over: undefined,
    failure: undefined,
  }
  group.ended = new Promise((resolve, reject) => Object.assign(group, { resolve, reject }))
  const fresh = { group, attempt: 1, excused: 0, uncertain: false, done: undefined, gone: false }
  group.items = parts.map(part => ({ ...fresh, part, flights: new Set() }))
  return group
}

/** @param {Item[]} items @returns {Map<Group, Item[]>} */
function byGroup(items) {
  /** @type {Map<Group, Item[]>} */
  const groups = new Map()
  for (const item of items) {
    const known = groups.get(item.group)
    if (known) known.push(item)
    else groups.set(item.group, [item])
  }
  return groups
}

module.exports = { hedges, startFlight, leave, carriedBy, isPending, bytesOf, laneOf, byGroup, createGroup }
