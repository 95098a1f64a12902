'use strict'

/**
 * Objects in whose way is what a sync deletes at its end: a file whose name a folder has now, or the other way round. They wait, are
 * written once it is gone, and fail if it stays. Until then the journal has them as not begun.
 */

/** Of more the rest fails at once: the next sync copies them. */
const MOST = 10_000

/**
 * @typedef {import('./objects').ChosenPair} ChosenPair
 * @typedef {Parameters<(pair: ChosenPair, verdict: import('../types').Verdict, room: import('./objects').ObjectRoom, over: (done?: import('./resumed').DoneOrLeft) => void) => void>} Copy
 *   as of `copy` in objects.js
 *
 * @param {import('../job/open').Context['destination']} destination of the prefix
 */
function createHeld({ store, key: prefix }) {
  /** @type {Copy[]} */
  const held = []
  return {
    /** @param {any} error @param {Copy} work @returns {boolean} whether it waits: a deletion may make room */
    takes({ code, facts }, work) {
      if (code !== 'NOT_A_FILE' || facts.side !== 'destination' || held.length === MOST) return false
      held.push(work)
      return true
    },

    /** Begins those that wait. @param {(...work: Copy) => void} copy @param {AbortSignal} cancel */
    async begin(copy, cancel) {
      for (const [pair, verdict, room, over] of held.splice(0)) {
        if (cancel.aborted) return
        await store.removeFolder?.(prefix + pair.name)
        await room.limit.enter(room.size)
        copy(pair, verdict, { ...room, inside: true }, over)
      }
    },
  }
}

module.exports = { createHeld }
