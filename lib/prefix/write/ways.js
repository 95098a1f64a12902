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
 * @property {boolean} ready false: in a dry run, the engine could not copy now
 * @property {import('../../types').EngineLimits} limits
 * @property {ReturnType<typeof withOwnNumbers>['schedule']} schedule
 * @property {ReturnType<typeof withOwnNumbers>['scheduleOne']} scheduleOne
 * @property {import('../../types').DetachedCalls} detached
 * @property {(object: { bytes: number, etag: string }) => boolean} inParts whether more than one request writes it
 *
 * @typedef {import('../../object/ways').Way & Opened} Way
 */

/**
 * @param {Job} job of the prefix
 * @param {{ counting: (run: import('../../types').Engine['run']) => import('../../types').Engine['run'] }} watch
 */
function createWays(job, watch) {
  /** @type {Array<{ scheduler: ReturnType<typeof createScheduler>, detached: ReturnType<typeof trackDetached> }>} */
  const begun = []
  /** @type {Promise<Way> | undefined} */
  let engine
  /** @type {Promise<Way> | undefined} */
  let server

  /** @param {Job} given @param {import('../../object/ways').Way} way */
  async function open(given, way) {
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
      run: watch.counting(detached.run),
      limits,
      concurrency,
      startWith: engine.startWith,
      partBytes: settings.chunkBytes,
      partsPerInvocation,
      retries: settings.retries,
      pressure: run.pressure,
      cancel: run.cancel,
      abort: run.abort,
      emit: run.emit,
    })
    begun.push({ scheduler, detached })
    // The calls are of all objects: one object cannot tell its own, so it only waits for them.
    const ofAll = { ...detached, ended: detached.settled }
    return { ...way, job, concurrency, limits, ...withOwnNumbers(scheduler), detached: ofAll, ready: !allowed.notReady }
  }

  /** @returns {Promise<Way>} */
  async function openEngine() {
    const opened = await open(job, engineWay(job))
    return { ...opened, inParts: object => isLarge(object, job.settings) }
  }

  /** @returns {Promise<Way>} */
  async function openServer() {
    const opened = await open(job, serverWay(job))
    return { ...opened, inParts: object => !copiesWhole(job, object) }
  }

  return {
    /** @returns {Promise<Way>} */
    engine: () => (engine ??= openEngine()),
    /** @returns {Promise<Way>} */
    server: () => (server ??= openServer()),

    /** The error that stopped one of them for all objects. @returns {import('../../types').XferError | undefined} */
    failure: () => begun.map(({ scheduler }) => scheduler.failure()).find(Boolean),

    /** Resolves once nothing is in flight. */
    async end() {
      await Promise.all(begun.map(({ scheduler }) => scheduler.end()))
    },

    /** Waits for what nobody waits for any more. @param {number} limitMs */
    async settle(limitMs) {
      await Promise.all(begun.map(({ detached }) => (detached.count() > 0 ? detached.ended(limitMs) : undefined)))
    },
  }
}

/** @typedef {import('../../types').Part} Part */
/** @typedef {import('../../types').TaskSuccess} TaskSuccess */
/** @typedef {ReturnType<typeof import('../../schedule').createScheduler>} Scheduler */

/**
 * Runs the parts of many objects through one scheduler, which identifies parts by number. Inside an object the parts keep
 * their own numbers; the scheduler gets a number that is unique among all objects.
 *
 * @param {Scheduler} scheduler
 */
function withOwnNumbers(scheduler) {
  let last = 0

  /** As `runParts`, for one object. @param {Part[]} parts @param {import('../../schedule/items').GroupHow} how @returns {Promise<TaskSuccess[]>} */
  async function schedule(parts, how) {
    /** @type {Map<number, Part>} */
    const own = new Map()
    const given = parts.map(part => {
      const partNumber = ++last
      own.set(partNumber, part)
      return { ...part, partNumber }
    })
    /** @param {number} partNumber */
    const partOf = partNumber => /** @type {Part} */ (own.get(partNumber))
    /** @template {{ partNumber: number }} T @param {T} thing @returns {T} */
    const inward = thing => ({ ...thing, partNumber: partOf(thing.partNumber).partNumber })
    const outwardOf = new Map(given.map(({ partNumber }) => [partOf(partNumber).partNumber, partNumber]))
    const { sign, explain, check, settle, done, emit } = how
    const outcomes = await scheduler.run(given, {
      ...how,
      numberOf: ({ partNumber }) => partOf(partNumber).partNumber,
      sign: async ({ partNumber }) => ({ ...(await sign(partOf(partNumber))), partNumber }),
      explain: (error, { partNumber }) => explain(error, partOf(partNumber)),
      ...(check && { check: (outcome, attempt) => check(inward(outcome), attempt) }),
      ...(settle && {
        async settle(unsure, signal) {
          const found = await settle(
            unsure.map(({ partNumber }) => partOf(partNumber)),
            signal,
          )
          return found.map(outcome => ({ ...outcome, partNumber: Number(outwardOf.get(outcome.partNumber)) }))
        },
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
