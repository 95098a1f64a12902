'use strict'

/**
 * Objects in whose way is what a sync deletes at its end: a file whose name a folder has now, or the other way round. They wait, and are
 * written once it is gone. Until then the journal has them as not begun.
 */

const { throwIfAborted } = require('../errors')
const { foldersOf } = require('./keys')

/** Those beyond this many fail at once. */
const MOST = 10_000

/**
 * What `copy` in objects.js is given, and why it has failed.
 *
 * @typedef {object} HeldObject
 * @property {import('./objects').ChosenPair} pair
 * @property {import('../types').Verdict} verdict
 * @property {import('./objects').ObjectRoom} room that it has left
 * @property {(done?: import('./resumed').DoneOrLeft) => void} over
 * @property {any} cause
 */

/**
 * @param {object} of
 * @param {Pick<import('../job/open').Context, 'destination' | 'run'>} of.job of the prefix
 * @param {(pair: HeldObject['pair'], verdict: HeldObject['verdict'], room: HeldObject['room'], over: HeldObject['over']) => void} of.copy
 * @param {(name: string, cause: unknown, moved: import('./tally').Moved, last: true) => import('./resumed').DoneOrLeft} of.fail
 */
function createHeld({ job: { destination, run }, copy, fail }) {
  /** @type {HeldObject[]} */
  let held = []
  /** Names of those that were written a second time: there is no third. @type {Set<string>} */
  const again = new Set()

  /** @param {string} name @returns {Promise<boolean | undefined>} whether nothing but folders was there */
  const removeFolder = async name => await destination.store.removeFolder?.(destination.key + name)

  /** @param {HeldObject} one */
  async function write({ pair, verdict, room, over }) {
    again.add(pair.name)
    await room.limit.enter(room.size)
    copy(pair, verdict, { ...room, inside: true }, over)
  }

  /** @param {HeldObject} one */
  const giveUp = ({ pair, over, cause }) => over(fail(pair.name, cause, { seen: 0 }, true))

  return {
    /** @param {HeldObject} one @returns {boolean} whether it waits: a deletion may make room */
    takes(one) {
      const { pair, cause } = one
      const isInTheWay = cause.code === 'NOT_A_FILE' && cause.facts.side === 'destination'
      if (!isInTheWay || again.has(pair.name) || held.length === MOST) return false
      held.push(one)
      return true
    },

    /**
     * Those for which no deletion makes room fail, before anything is deleted. A folder in which there is nothing but folders goes at once.
     *
     * @param {AsyncIterable<string>} deleted the names that are to be deleted
     */
    async sort(deleted) {
      if (held.length === 0) return
      const names = new Set(held.map(({ pair }) => pair.name))
      const above = new Set([...names].flatMap(foldersOf))
      /** Names that are free once the deletions are done. @type {Set<string>} */
      const freed = new Set()
      for await (const name of deleted) {
        if (above.has(name)) freed.add(name)
        for (const folder of foldersOf(name)) if (names.has(folder)) freed.add(folder)
      }
      /** @param {HeldObject} one */
      const isFreed = ({ pair: { name } }) => [name, ...foldersOf(name)].some(each => freed.has(each))
      const others = held.filter(one => !isFreed(one))
      held = held.filter(isFreed)
      for (const one of others) {
        throwIfAborted(run.cancel)
        if (await removeFolder(one.pair.name)) await write(one)
        else giveUp(one)
      }
    },

    /** What is in the way of the others is deleted. */
    async write() {
      for (const one of held.splice(0)) {
        throwIfAborted(run.cancel)
        await removeFolder(one.pair.name)
        await write(one)
      }
    },

    /** Nothing is deleted. */
    fail: () => held.splice(0).forEach(giveUp),
  }
}

module.exports = { createHeld }
