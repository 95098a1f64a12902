'use strict'

/**
 * Parts that succeed or fail as one.
 *
 * @typedef {import('../types').Part} Part
 * @typedef {import('../types').TaskSuccess} TaskSuccess
 * @typedef {import('../types').XferError} Failure
 * @typedef {import('./items').Item} Item
 *
 * @typedef {object} GroupHow
 * @property {(part: Part) => Promise<import('../types').Task>} sign called once an attempt, so that no retry carries a stale signature
 * @property {(error: import('../types').TaskError, part: Part) => Failure} explain
 * @property {(outcome: TaskSuccess, attempt: number) => Failure | undefined} [check] of a part that was written: whether it
 *   counts
 * @property {(parts: Part[], signal: AbortSignal) => Promise<TaskSuccess[]>} [settle] which of them the destination has, of
 *   parts that an invocation of which nothing is known may have copied
 * @property {boolean} [hedge] whether a part that is far behind may be started a second time
 * @property {(outcome: TaskSuccess) => void} [done] told of each part once it is done, before its event
 * @property {(event: import('../types').SchedulerEvent) => void} emit of its parts
 * @property {(part: Part) => number} [numberOf] by which the user knows a part; its own when absent
 * @property {0 | 1} [lane] 0: parts of large objects, which go first; 1: whole objects, many an invocation
 *
 * @typedef {object} Group
 * @property {GroupHow} how
 * @property {Item[]} items
 * @property {number} left that are not done
 * @property {number} flying flights that carry any of it
 * @property {number} asking questions that are open, of what the destination has of it
 * @property {boolean} settles whether there is any use in asking
 * @property {AbortController | undefined} over once something is: ends what is asked of the destination when there is nothing more to settle
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
