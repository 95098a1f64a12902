'use strict'

/**
 * Groups of parts that succeed or fail together.
 *
 * @typedef {import('../types').Part} Part
 * @typedef {import('../types').TaskSuccess} TaskSuccess
 * @typedef {import('../types').XferError} Failure
 * @typedef {import('./items').Item} Item
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
 * @property {(part: Part) => number} [numberOf] the part number to show to the user; the part's own if absent
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
 * @property {(outcomes: TaskSuccess[]) => void} resolve
 * @property {(error: Failure) => void} reject
 */

/** @param {GroupHow} how @returns {{ group: Group, over: Promise<TaskSuccess[]> }} */
function createGroup(how) {
  /** @type {any} */
  const end = {}
  /** @type {Promise<TaskSuccess[]>} */
  const over = new Promise((resolve, reject) => Object.assign(end, { resolve, reject }))
  const group = {
    how,
    items: [],
    left: 0,
    flying: 0,
    asking: 0,
    settles: true,
    over: undefined,
    failure: undefined,
    ...end,
  }
  return { group, over }
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

module.exports = { byGroup, createGroup }
