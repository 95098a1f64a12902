'use strict'

/**
 * Opens the ways of lib/object/copy-object.js for many objects, each with one scheduler. The engine's way is opened when the first
 * object needs it: nobody needs an engine if the store copies everything.
 */

const { contextOf } = require('../../job')
const { copiesWhole, engineWay, serverWay } = require('../../object')
const { createScheduler } = require('../../schedule')
const { askLimits, trackDetached, shareRate } = require('../../transfer')
const { isLarge } = require('./large')

/** @typedef {import('../../job/open').Job} Job */

/**
 * @typedef {object} Opened
 * @property {import('../../job/open').Context} job of all objects
 * @property {number} concurrency invocations at once
 * @property {import('../../types').EngineLimits} limits
 * @property {ReturnType<typeof createScheduler>['run']} schedule the parts of an object
 * @property {ReturnType<typeof createScheduler>['runOne']} scheduleOne an object of one part
 * @property {import('../../types').DetachedCalls} detached
 * @property {(object: { bytes: number, etag: string }) => boolean} inParts whether more than one request writes it
 *
 * @typedef {import('../../object/copy-object').Way & Opened} Way
 */

/** After the job has failed or ended, invocations in flight may take this long to end. */
const DETACHED_LIMIT_MS = 15_000

/**
 * @param {Job} given of the prefix
 * @param {{ counting: (run: import('../../types').Engine['run']) => import('../../types').Engine['run'] }} watch
 */
function createWays(given, watch) {
  /** @type {Array<{ scheduler: ReturnType<typeof createScheduler>, detached: ReturnType<typeof trackDetached> }>} */
  const begun = []
  /** @type {Promise<Way> | undefined} */
  let engine
  /** @type {Promise<Way> | undefined} */
  let server

  /** @param {import('../../object/copy-object').Way} way @param {Way['inParts']} inParts @returns {Promise<Way>} */
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
    return {
      ...way,
      job,
      concurrency,
      limits,
      schedule: scheduler.run,
      scheduleOne: scheduler.runOne,
      detached: ofAll,
      inParts,
    }
  }

  return {
    /** @returns {Promise<Way>} */
    engine: () => (engine ??= open(engineWay(given), object => isLarge(object, given.settings))),
    /** @returns {Promise<Way>} */
    server: () => (server ??= open(serverWay(given), object => !copiesWhole(given, object))),

    /** The error that stopped one of them for all objects. @returns {import('../../types').XferError | undefined} */
    failure: () => begun.map(({ scheduler }) => scheduler.failure()).find(Boolean),

    /** Resolves once nothing is in flight. */
    async end() {
      await Promise.all(begun.map(({ scheduler }) => scheduler.end()))
    },

    /** Waits for what nobody waits for any more. */
    async settle() {
      await Promise.all(
        begun.map(({ detached }) => (detached.count() > 0 ? detached.ended(DETACHED_LIMIT_MS) : undefined)),
      )
    },
  }
}

module.exports = { createWays }
