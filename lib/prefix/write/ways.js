'use strict'

/**
 * Opens the ways of lib/object/ways.js for many objects, each with one scheduler. The engine's way is opened when the first
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
 * @property {ReturnType<typeof withOwnNumbers>['schedule']} schedule
 * @property {ReturnType<typeof withOwnNumbers>['scheduleOne']} scheduleOne
 * @property {import('../../types').DetachedCalls} detached
 * @property {(object: { bytes: number, etag: string }) => boolean} inParts whether more than one request writes it
 *
 * @typedef {import('../../object/ways').Way & Opened} Way
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

  /** @param {import('../../object/ways').Way} way @param {Way['inParts']} inParts @returns {Promise<Way>} */
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
    return { ...way, job, concurrency, limits, ...withOwnNumbers(scheduler), detached: ofAll, inParts }
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

/** @typedef {import('../../types').Part} Part */
/** @typedef {import('../../types').TaskSuccess} TaskSuccess */
/** @typedef {ReturnType<typeof import('../../schedule').createScheduler>} Scheduler */

/**
 * Runs the parts of many objects through one scheduler, which identifies parts by number. Inside an object the parts keep
 * their own numbers, which are in order; the scheduler gets them behind those of all objects before.
 *
 * @param {Scheduler} scheduler
 */
function withOwnNumbers(scheduler) {
  let last = 0

  /** As `runParts`, for one object. @param {Part[]} parts @param {import('../../schedule/items').GroupHow} how @returns {Promise<TaskSuccess[]>} */
  async function schedule(parts, how) {
    const base = last
    last += parts.at(-1)?.partNumber ?? 0
    /** @template {{ partNumber: number }} T @param {T} thing @returns {T} */
    const outward = thing => ({ ...thing, partNumber: thing.partNumber + base })
    /** @template {{ partNumber: number }} T @param {T} thing @returns {T} */
    const inward = thing => ({ ...thing, partNumber: thing.partNumber - base })
    const { sign, explain, check, settle, done, emit } = how
    const outcomes = await scheduler.run(parts.map(outward), {
      ...how,
      numberOf: ({ partNumber }) => partNumber - base,
      sign: async part => outward(await sign(inward(part))),
      explain: (error, part) => explain(error, inward(part)),
      ...(check && { check: (outcome, attempt) => check(inward(outcome), attempt) }),
      ...(settle && {
        settle: async (unsure, signal) => (await settle(unsure.map(inward), signal)).map(outward),
      }),
      ...(done && { done: outcome => done(inward(outcome)) }),
      emit: event => emit('partNumber' in event ? inward(event) : event),
    })
    return outcomes.map(inward)
  }

  return {
    schedule,

    /**
     * An object of one part. There are millions of them, so the numbers are not translated.
     *
     * @param {number} bytes
     * @param {import('../../schedule/items').GroupHow & { start?: number }} how start: offset of the part in the source
     * @returns {Promise<TaskSuccess>}
     */
    async scheduleOne(bytes, { start = 0, ...how }) {
      const [outcome] = await scheduler.run([{ partNumber: ++last, start, bytes }], { lane: 1, ...how })
      return outcome
    },
  }
}

module.exports = { createWays }
