'use strict'

/** Asks the destination which parts it has, after an invocation whose outcome is unknown. */

const { setMaxListeners } = require('node:events')
const { byGroup, tried } = require('./items')

/** @typedef {import('../types').XferError} Failure */
/** @typedef {import('./items').Group} Group */
/** @typedef {import('./items').Item} Item */

/**
 * @param {object} how
 * @param {(item: Item, outcome: import('../types').TaskSuccess, elapsedMs: number) => void} how.finish
 * @param {(group: Group) => void} how.look settles the group if it is over
 */
function createSettling({ finish, look }) {
  /**
   * Asks the destination for these parts, and finishes those that it has.
   *
   * @param {Item[]} unsure
   * @returns {Promise<Map<Group, Failure>>} the groups for which it did not answer, and why
   */
  async function settleItems(unsure) {
    /** @type {Map<Group, Failure>} */
    const unsettled = new Map()
    const asked = [...byGroup(unsure)].map(async ([group, items]) => {
      group.asking++
      const error = await settleGroup(group, items).finally(() => group.asking--)
      if (error) unsettled.set(group, error)
      look(group)
    })
    await Promise.all(asked)
    return unsettled
  }

  /** @param {Group} group @param {Item[]} unsure @returns {Promise<Failure | undefined>} */
  async function settleGroup(group, unsure) {
    const { settle, check } = group.how
    if (!settle || !group.settles) return undefined
    const parts = unsure.map(({ part }) => part)
    group.over ??= createOver()
    const { signal } = group.over
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

  return settleItems
}

/** Aborted when the group is over. Every flight of it that asks listens to it. */
function createOver() {
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  return over
}

module.exports = { createSettling }
