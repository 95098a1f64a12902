'use strict'

/**
 * Opens the ways of lib/object/copy-object.js for many objects, each with one scheduler. The engine's way is opened when the first
 * object needs it: nobody needs an engine if the store copies everything.
 */

const { contextOf } = require('../job')
const { copiesWhole, engineWay, serverWay } = require('../object')
const { createScheduler } = require('../schedule')
const { askLimits, shareRate, trackDetached } = require('../transfer')
const { createRoom } = require('../async')
const { isLarge } = require('./large')

/** @typedef {import('../job/open').Job} Job */

/**
 * @typedef {object} Opened
 * @property {import('../job/open').Context} job of all objects
 * @property {number} concurrency invocations at once
 * @property {import('../types').EngineLimits} limits
 * @property {ReturnType<typeof createScheduler>['run']} schedule the parts of an object
 * @property {ReturnType<typeof createScheduler>['runOne']} scheduleOne an object of one part
 * @property {import('../types').DetachedCalls} detached
 * @property {(object: { bytes: number, etag: string }) => boolean} inParts whether more than one request writes it
 *
 * @typedef {import('../object/copy-object').Way & Opened} Way
 */

/** After the job has failed or ended, invocations in flight may take this long to end. */
const DETACHED_LIMIT_MS = 15_000

/**
 * @param {Job} given of the prefix
 * @param {{ counting: (run: import('../types').Engine['run']) => import('../types').Engine['run'] }} watch
 */
function createWays(given, watch) {
  /** @type {Array<{ scheduler: ReturnType<typeof createScheduler>, detached: ReturnType<typeof trackDetached> }>} */
  const begun = []
  /** @type {Promise<Way> | undefined} */
  let engine
  /** @type {Promise<Way> | undefined} */
  let server

  /** @param {import('../object/copy-object').Way} way @param {Way['inParts']} inParts @returns {Promise<Way>} */
  async function open(way, inParts) {
    const { engine, partsPerInvocation } = way
    const job = contextOf(given, { engine, run: given.run })
    const { settings, run } = job
    const allowed = await askLimits(job)
    const { concurrency, limits } = shareRate(job, {
      concurrency: Math.min(settings.concurrency, allowed.concurrent),
      limits: allowed,
      partBytes: settings.chunkBytes,
      mixed: true,
    })
    const detached = trackDetached(engine)
    const scheduler = createScheduler({
      ...{ limits, concurrency, partsPerInvocation },
      run: watch.counting(detached.run),
      startWith: engine.startWith,
      partBytes: settings.chunkBytes,
      retries: settings.retries,
      ...{ pressure: run.pressure, cancel: run.cancel, abort: run.abort, emit: run.emit },
    })
    begun.push({ scheduler, detached })
    // The calls are of all objects: one object cannot tell its own, so it only waits for them.
    const ofAll = { ...detached, ended: detached.settled }
    const { run: schedule, runOne: scheduleOne } = scheduler
    return { ...way, job, concurrency, limits, schedule, scheduleOne, detached: ofAll, inParts }
  }

  return {
    /** @returns {Promise<Way>} */
    engine: () => (engine ??= open(engineWay(given), object => isLarge(object, given.settings))),
    /** @returns {Promise<Way>} */
    server: () => (server ??= open(serverWay(given), object => !copiesWhole(given, object))),

    /** The error that stopped one of them for all objects. @returns {import('../types').XferError | undefined} */
    failure: () => begun.map(({ scheduler }) => scheduler.failure()).find(Boolean),

    /** Resolves once nothing is in flight. */
    async end() {
      await Promise.all(begun.map(({ scheduler }) => scheduler.end()))
    },

    /** Waits for what nobody waits for any more. */
    async settle() {
      const left = begun.filter(({ detached }) => detached.count() > 0)
      await Promise.all(left.map(({ detached }) => detached.ended(DETACHED_LIMIT_MS)))
    },
  }
}

/** How much may be in flight below a prefix. */

/** Small objects in flight, at least. Most of them wait in the queue, so that invocations are full. */
const MOST_SMALL = 4_096
/** Small objects in flight for each concurrent invocation, and their total limit. */
const SMALL_EACH = 64
/** The same on this machine: an invocation costs nothing, so twice as many as it copies at once are enough, and memory is less. */
const SMALL_EACH_HERE = 4
const LEAST_HERE = 128
const MOST_SMALL_OF_ALL = 20_000
/** Objects in flight for each concurrent server-side copy. */
const QUEUED_EACH = 4
/** Objects in parts in flight, as parts, for each concurrent invocation. */
const PARTS_EACH = 2
/** Pairs that are compared at once with `--checksum`. */
const MOST_COMPARED = 128

/**
 * How much of each kind may be in flight. Small objects are written in one request each, a few thousand at once. Large
 * ones are written in parts, only as many at once as keep the engine busy, because each has an open upload.
 *
 * @param {{ concurrency: number, server: boolean, here?: boolean, onWait?: () => void }} how of the way that most go; here: invocations run on this
 *   machine; onWait: called when work has to wait for room
 */
function createRooms({ concurrency, server, here = false, onWait }) {
  const mostSmall = (/** @type {number} */ most) =>
    here
      ? Math.max(LEAST_HERE, most * SMALL_EACH_HERE)
      : Math.min(MOST_SMALL_OF_ALL, Math.max(MOST_SMALL, most * SMALL_EACH))
  const compared = createRoom(MOST_COMPARED, onWait)
  // A server-side copy is one request: there is no invocation to fill.
  const small = createRoom(server ? QUEUED_EACH * concurrency : mostSmall(concurrency), onWait)
  const parts = createRoom(PARTS_EACH * concurrency, onWait)
  return {
    compared,
    small,
    parts,

    /** @param {number} more the concurrency of a way that is opened later */
    widen(more) {
      small.widen(mostSmall(more))
      parts.widen(PARTS_EACH * more)
    },

    /** Resolves once nothing is in flight. */
    async idle() {
      await compared.empty()
      await Promise.all([small.empty(), parts.empty()])
    },
  }
}

module.exports = { createWays, createRooms }
