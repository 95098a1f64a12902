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
 * @typedef {[pair: import('./objects').ChosenPair, verdict: import('../types').Verdict, room: import('./objects').ObjectRoom,
 *   over: (done?: import('./resumed').DoneOrLeft) => void]} Work as of `copy` in objects.js
 *
 * @param {object} of
 * @param {Pick<import('../job/open').Context, 'destination' | 'run'>} of.job of the prefix
 * @param {(...work: Work) => void} of.copy
 * @param {(name: string, cause: unknown, moved: import('./tally').Moved, last: true) => import('./resumed').DoneOrLeft} of.fail
 */
function createHeld({ job: { destination, run }, copy, fail }) {
  /** @type {Array<{ work: Work, cause: import('../types').XferError }>} */
  let held = []
  /** Names of those that were written a second time: there is no third. @type {Set<string>} */
  const again = new Set()

  /** @param {string} name */
  const removeFolder = async name => (await destination.store.removeFolder?.(destination.key + name)) === true

  /** @param {Work} work */
  async function write([pair, verdict, room, over]) {
    again.add(pair.name)
    await room.limit.enter(room.size)
    copy(pair, verdict, { ...room, inside: true }, over)
  }

  /** @param {typeof held} those */
  function failAll(those) {
    for (const { work, cause } of those) work[3](fail(work[0].name, cause, { seen: 0 }, true))
  }

  return {
    /** @param {any} cause @param {Work} work @returns {boolean} whether it waits: a deletion may make room */
    takes(cause, work) {
      const isInTheWay = cause.code === 'NOT_A_FILE' && cause.facts.side === 'destination'
      if (!isInTheWay || again.has(work[0].name) || held.length === MOST) return false
      held.push({ work, cause })
      return true
    },

    /**
     * Those for which no deletion makes room fail, before anything is deleted. A folder in which there is nothing but folders goes at once.
     *
     * @param {AsyncIterable<string>} deleted the names that are to be deleted
     */
    async sort(deleted) {
      if (held.length === 0) return
      const names = new Set(held.map(({ work }) => work[0].name))
      const above = new Set([...names].flatMap(foldersOf))
      /** @type {Set<string>} */
      const goes = new Set()
      for await (const name of deleted) {
        if (above.has(name)) goes.add(name)
        for (const folder of foldersOf(name)) if (names.has(folder)) goes.add(folder)
      }
      /** @param {typeof held[number]} one */
      const isFreed = ({ work: [{ name }] }) => goes.has(name) || foldersOf(name).some(folder => goes.has(folder))
      const others = held.filter(one => !isFreed(one))
      held = held.filter(isFreed)
      for (const one of others) {
        throwIfAborted(run.cancel)
        if (await removeFolder(one.work[0].name)) await write(one.work)
        else failAll([one])
      }
    },

    /** What is in the way of the others is deleted. */
    async write() {
      for (const { work } of held.splice(0)) {
        throwIfAborted(run.cancel)
        await removeFolder(work[0].name)
        await write(work)
      }
    },

    /** Nothing is deleted. */
    fail: () => failAll(held.splice(0)),
  }
}

module.exports = { createHeld }
