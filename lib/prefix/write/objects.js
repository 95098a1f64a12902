'use strict'

/** The objects in flight: each is compared if it has to be, waits for room and for others of its key, is written, and ends. */

const { XferError, asXferError } = require('../../errors')
const { invalidKey, unreadable } = require('../keys')
const { skipOf } = require('../report')
const { compareStored, finishMove, removeMoved } = require('./already')
const { createOutcomes } = require('./outcomes')
const { createRooms } = require('./rooms')
const { createWriters } = require('./writers')

/** @typedef {import('../../types').ListedObject} ListedObject */
/** @typedef {import('../selection/selection').Verdict} Verdict */
/** @typedef {{ name: string, source: ListedObject, destination?: ListedObject }} Pair */

/**
 * @typedef {object} How
 * @property {import('../../job/open').Context} job
 * @property {import('../selection/selection').Selection} selection
 * @property {ReturnType<typeof import('./ways').createWays>} ways
 * @property {import('./ways').Way} [server] where the store copies
 * @property {number} concurrency of the way that most go
 * @property {ReturnType<typeof import('../report/failures').createFailures>} failures
 * @property {ReturnType<typeof import('../report/tally').createTally>} tally
 * @property {ReturnType<typeof import('../report').createInOrder<import('../../types').JobEvent>>} inOrder
 * @property {(name: string, etag: string) => void} onCopied
 * @property {() => void} [onWait] called when an object has to wait for others
 *
 * @param {How} how
 */
function createObjects(how) {
  const { job, selection, server, concurrency, tally, inOrder, onWait } = how
  const here = job.engine.runsOn === 'machine'
  const rooms = createRooms({ concurrency, server: server !== undefined, here, onWait })
  const writers = createWriters({ ...how, rooms })
  const outcomes = createOutcomes(how)

  /**
   * @param {Pair} pair
   * @param {Verdict} verdict
   * @param {boolean} roomy as in Work
   * @returns {Promise<boolean>} false: a resumed run has to process it again
   */
  async function copy(pair, verdict, roomy) {
    const { name, source } = pair
    const moved = { seen: 0, before: 0 }
    const move = (/** @type {number} */ bytes, earlier = false) => {
      moved.seen += bytes
      if (earlier) moved.before += bytes
      tally.moved(bytes, Date.now(), earlier)
    }
    const restart = () => {
      // What an earlier run moved is moved again, too.
      move(-moved.before, true)
      move(-moved.seen)
    }
    try {
      const copied = await writers.write({ name, source, moved: move, restart, roomy })
      if (copied === 'skipped') outcomes.left(name, { bytes: source.bytes, ...moved }, verdict.unsure === true)
      else if (copied === 'gone') outcomes.gone(name, { bytes: source.bytes, ...moved })
      else {
        if (job.settings.move) await removeMoved(job, name, copied)
        outcomes.copied(name, copied, moved)
      }
    } catch (cause) {
      return outcomes.fail(name, asXferError(cause), moved)
    }
    return true
  }

  /**
   * Of a move, if the destination has an object of that size: copies nothing if both stores prove that it is the same.
   *
   * @param {Pair} pair
   * @param {Verdict} verdict
   * @param {(done?: boolean) => void} over
   * @param {(event: import('../../types').JobEvent) => void} tell
   */
  async function moveThere(pair, verdict, over, tell) {
    const { name } = pair
    const moved = await finishMove(job, name)
    if (moved) {
      const { bytes } = moved
      tally.chosen(bytes)
      tally.moved(bytes, Date.now(), true)
      outcomes.copied(name, moved, { seen: bytes, before: bytes })
      return over()
    }
    if (!selection.ignoreExisting) return await begin(pair, verdict, over, tell)
    tally.left('skipped')
    if (job.settings.dryRun) tell(skipOf(pair, 'exists'))
    over()
  }

  /**
   * Skips the pair if both objects are equal, else starts its copy.
   *
   * @param {Pair} pair
   * @param {Verdict} verdict
   * @param {(done?: boolean) => void} over
   */
  async function compare(pair, verdict, over) {
    const { name } = pair
    const { dryRun, move } = job.settings
    const place = dryRun ? inOrder.place() : undefined
    const tell = place ?? inOrder.emit
    try {
      if (move) return await moveThere(pair, verdict, over, tell)
      const byTime = verdict.why === 'near' || verdict.why === 'other-time'
      const found = await compareStored(job, name, { byTime })
      if (found === 'unknown' || found === 'different') {
        const why = found === 'unknown' || verdict.why === 'other-time' ? verdict.why : 'content'
        return await begin(pair, { ...verdict, why }, over, tell)
      }
      if (found === 'gone') {
        tally.chosen(0)
        outcomes.gone(name, { bytes: 0, seen: 0 }, tell)
      } else {
        tally.left('skipped')
        if (dryRun) tell(skipOf(pair, byTime ? 'same-time' : 'same-content'))
      }
      over()
    } catch (cause) {
      tally.chosen(pair.source.bytes)
      over(outcomes.fail(name, asXferError(cause), { seen: 0 }, tell))
    } finally {
      place?.()
    }
  }

  /**
   * @param {Pair} pair
   * @param {Verdict} verdict
   * @param {(done?: boolean) => void} over
   * @param {(event: import('../../types').JobEvent) => void} [tell] of a dry run
   */
  async function begin(pair, verdict, over, tell = inOrder.emit) {
    const { name, source, destination } = pair
    if (source.bytes === 0 && name.endsWith('/') && job.destination.store.makeFolder) {
      return over(await makeFolder(pair, job.destination.store.makeFolder, tell))
    }
    tally.chosen(source.bytes)
    // By then its server has told its name, and so which keys it takes.
    if (!job.settings.dryRun) await job.trust.known({ prefix: job.destination.key, signal: job.run.cancel })
    const invalid = invalidKey(job.destination, name)
    if (invalid) return over(outcomes.fail(name, invalid, { seen: 0 }, tell))
    if (job.settings.dryRun) {
      const there = destination && { bytesThere: destination.bytes }
      const action = job.settings.move ? 'move' : 'copy'
      tell({ type: 'object', action, name, bytes: source.bytes, why: verdict.why, ...there })
      return over()
    }
    await start(pair, verdict, over)
  }

  /**
   * An empty object that marks a folder, where the destination has folders.
   *
   * @param {Pair} pair
   * @param {NonNullable<import('../../types').Store['makeFolder']>} make
   * @param {(event: import('../../types').JobEvent) => void} tell of a dry run
   */
  async function makeFolder({ name, source }, make, tell) {
    try {
      if (!job.settings.dryRun) await make(job.destination.key + name)
      else tell(skipOf({ name, source }, 'made-folder'))
      tally.left('skipped')
      return true
    } catch (cause) {
      tally.chosen(0)
      return outcomes.fail(name, asXferError(cause), { seen: 0 }, tell)
    }
  }

  /** @param {Pair} pair @param {Verdict} verdict @param {(done?: boolean) => void} over */
  async function start(pair, verdict, over) {
    const parts = writers.partsOf(pair.source)
    const room = parts === undefined ? rooms.small : rooms.parts
    const size = parts ?? 1
    await room.enter(size)
    void copy(pair, verdict, parts !== undefined).then(settled => {
      over(settled)
      room.leave(size)
    })
  }

  return {
    /** An object that cannot be looked up. @param {string} name @param {import('../../types').XferError} error */
    missing(name, error) {
      tally.chosen(0)
      outcomes.fail(name, error)
    },

    /** An object whose name the destination treats as that of another one. @param {Pair} pair @param {(done?: boolean) => void} over as in `begin` */
    folded({ name, source }, over) {
      tally.chosen(source.bytes)
      const { store, key } = job.destination
      over(outcomes.fail(name, new XferError('NAMES_FOLDED', { ...store.facts, key: key + name })))
    },

    /** An object that is listed under a wrong key. @param {import('../../types').OddStep} listed */
    odd({ name, object }) {
      tally.listed()
      if (selection.judge({ name, source: object }).filtered) return tally.left('filtered')
      tally.chosen(object.bytes)
      outcomes.fail(name, unreadable(job.source.store, object.key))
    },

    /**
     * Resolves once the copy has started.
     *
     * @param {Pair} pair
     * @param {Verdict} verdict
     * @param {(done?: boolean) => void} over called once it is done, has failed, or is left to a resumed run
     */
    async begin(pair, verdict, over) {
      if (verdict.action !== 'compare') return await begin(pair, verdict, over)
      await rooms.compared.enter(1)
      void compare(pair, verdict, over).finally(() => rooms.compared.leave(1))
    },

    /** Resolves once nothing is in flight. */
    ended: rooms.idle,
  }
}

module.exports = { createObjects }
