'use strict'

/**
 * How one object is written: by the store itself or through the engine, in one request or in parts. Objects that the store
 * refuses to copy go through the engine; after too many refusals the store is not asked any more. If the source was replaced
 * after it was read, it is copied again. If it is missing, it was deleted, unless the store still lists it: then the store
 * failed to return it.
 * Opens the ways of lib/copy/copy.js for many objects, each with one scheduler. The engine's way is opened when the first
 * object needs it: nobody needs an engine if the store copies everything.
 */

const { AGAIN, createSemaphore } = require('../async')
const { abortLimitMs, acceptGone } = require('../destination')
const { XferError, asXferError } = require('../errors')
const { isSamePinned } = require('../integrity')
const { contextOf } = require('../job')
const { notice } = require('../notices')
const { createFirstLooks, engineWay, needsParts } = require('../copy')
const { askLimits, createScheduler, shareRate, trackDetached } = require('../schedule')
const { LONGEST_COPY_S, wholeSeconds } = require('./select')
const { asPinnedError, placeOf } = require('./keys')
const { createNotifyOnce } = require('./report')
const { createLooks } = require('./looks')
const { createFirstAlone, smallByStore, smallThroughEngine } = require('./small')

/** @typedef {import('../job/open').Job} Job */

/**
 * @typedef {object} OpenedWay
 * @property {import('../job/open').Context} job of all objects
 * @property {number} concurrency invocations at once
 * @property {import('../types').EngineLimits} limits
 * @property {ReturnType<typeof createScheduler>['run']} schedule the parts of an object
 * @property {import('../types').DetachedCalls} detached
 * @property {(object: { bytes: number, etag: string }) => boolean} inParts whether more than one request writes it
 *
 * @typedef {import('../copy/copy').CopyWay & OpenedWay} OpenWay
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
  /** @type {Promise<OpenWay> | undefined} */
  let engine
  /** @type {Promise<OpenWay> | undefined} */
  let server

  /** @param {import('../copy/copy').CopyWay} way @param {OpenWay['inParts']} inParts @returns {Promise<OpenWay>} */
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
      limits,
      concurrency,
      partsPerInvocation,
      run: watch.counting(detached.run),
      startWith: engine.startWith,
      roundTripMs: () => Math.max(...[job.source, job.destination].map(({ store }) => store.roundTripMs?.() ?? 0)),
      partBytes: settings.chunkBytes,
      retries: settings.retries,
      pressure: run.pressure,
      cancel: run.cancel,
      abort: run.abort,
      emit: run.emit,
    })
    begun.push({ scheduler, detached })
    // The calls are of all objects: one object cannot tell its own, so it only waits for them.
    const ofAll = { ...detached, ended: detached.settled }
    return { ...way, job, concurrency, limits, schedule: scheduler.run, detached: ofAll, inParts }
  }

  return {
    /** @returns {Promise<OpenWay>} */
    engine: () => (engine ??= open(engineWay(given), object => needsParts(object, given.settings))),
    /** @returns {Promise<OpenWay>} */
    server() {
      const { copiesWhole, serverWay } = require('../copy')
      server ??= open(serverWay(given), object => !copiesWhole(given, object))
      return server
    },

    /** The error that stopped one of them for all objects. @returns {import('../types').XferError | undefined} */
    failure: () => begun.map(({ scheduler }) => scheduler.failure()).find(Boolean),

    /** Resolves once nothing is in flight. */
    async end() {
      await Promise.all(begun.map(({ scheduler }) => scheduler.end()))
    },

    /** Waits for what nobody waits for any more. */
    async settle() {
      const left = begun.filter(({ detached }) => detached.count() > 0)
      const limitMs = Math.min(DETACHED_LIMIT_MS, abortLimitMs(given.run))
      await Promise.all(left.map(({ detached }) => detached.ended(limitMs)))
    },
  }
}

/** How much may be in flight below a prefix. */

/** Small objects in flight, at least. Most of them wait in the queue, so that invocations are full. */
const MOST_SMALL = 4_096
/** Small objects in flight for each concurrent invocation, and their total limit. */
const SMALL_EACH = 64
/**
 * The same on this machine, where an invocation costs nothing. 512 in all: behind 100 ms a prefix takes a sixth less time than with 256,
 * near by and behind 30 ms the same.
 */
const SMALL_EACH_HERE = 8
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
 *   machine; onWait: called when work has to wait
 */
function createInFlight({ concurrency, server, here = false, onWait }) {
  const mostSmall = (/** @type {number} */ most) =>
    here
      ? Math.max(LEAST_HERE, most * SMALL_EACH_HERE)
      : Math.min(MOST_SMALL_OF_ALL, Math.max(MOST_SMALL, most * SMALL_EACH))
  const compared = createSemaphore(MOST_COMPARED, onWait)
  // A server-side copy is one request: there is no invocation to fill.
  const small = createSemaphore(server ? QUEUED_EACH * concurrency : mostSmall(concurrency), onWait)
  const parts = createSemaphore(PARTS_EACH * concurrency, onWait)
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

/**
 * @typedef {object} ObjectWork
 * @property {string} name
 * @property {import('../types').ListedObject} source
 * @property {(bytes: number, earlier?: boolean) => void} moved earlier: by an earlier run of the job
 * @property {() => void} restart the moved bytes do not count: they have to be moved again
 * @property {boolean} [alone] others wait for it
 * @property {() => void} written nothing is left to do but the last look
 * @property {boolean} large whether it counts in `inFlight.parts` already
 *
 * @typedef {import('../copy/small').KnownSource} KnownSource
 * @typedef {{ bytes: number, etag: string, crc32?: string, sums?: import('../types').Sums, versionId?: string, proof: import('../types').Proof[], read?: KnownSource, byStore?: true, tookMs?: number }} CopiedPair
 *   read: the source as it was read; byStore: without the engine; tookMs: from the start of its read to the end of its write
 * @typedef {CopiedPair & { tookMs: number }} Timed
 * @typedef {Timed | 'skipped' | { now: KnownSource }} WriteAttempt skipped: the source reported it missing, or the destination's object was
 *   left alone; now: the source was replaced by an object that goes another way
 */

/** Refusals in a row, by a store that has copied other objects: it may refuse only these objects. */
const MOST_REFUSALS = 20
const LISTED = 'it lists the object, and says that there is no such object where it is to be read'

/**
 * @param {object} how
 * @param {import('../job/open').Context} how.job
 * @param {import('./selection').Selection} how.selection
 * @param {ReturnType<typeof createWays>} how.ways
 * @param {OpenWay} [how.server] where the store copies
 * @param {ReturnType<typeof createInFlight>} how.inFlight
 * @param {ReturnType<typeof import('./tally').createTally>} how.tally
 */
function createWriters({ job, selection, ways, server, inFlight, tally }) {
  const { source, destination, settings, run } = job
  const { cancel: signal } = run
  const tell = createNotifyOnce(run.emit)
  const lookAt = createFirstLooks(tell)
  const looks = createLooks(destination, run, selection)
  /** @type {ReturnType<typeof import('./large').createLarge> | undefined} */
  let large
  /** @param {OpenWay} way @param {ObjectWork} work @returns {Promise<WriteAttempt>} */
  async function copyLarge(way, work) {
    // Loaded on use: most objects are small.
    large ??= require('./large').createLarge({ tell, lookAt, looks, assembling: tally.assembling })
    return await large(way, work)
  }
  /** Opened with the engine's way. @type {Promise<ReturnType<typeof smallThroughEngine>> | undefined} */
  let copySmall
  const copySmallByStore = server && smallByStore({ way: server, tell, lookAt, looks })
  /** A store may copy objects in one request and refuse to copy parts. One refusal is too many if it has copied nothing yet. */
  const refusals = { whole: { most: 1, count: 0 }, parts: { most: 1, count: 0 } }
  const countParts = (/** @type {{ bytes: number }} */ { bytes }) => Math.max(1, Math.ceil(bytes / settings.chunkBytes))
  /** The others wait for the first copy by the store: otherwise many would be refused before its outcome is known. */
  const alone = createFirstAlone()

  /** @type {Promise<OpenWay> | undefined} */
  let engineWay

  /** The engine's way, which may have a higher concurrency than the store's. @returns {Promise<OpenWay>} */
  function openEngine() {
    engineWay ??= ways.engine().then(way => {
      inFlight.widen(way.concurrency)
      return way
    })
    return engineWay
  }

  /** @param {ObjectWork} work @returns {Promise<WriteAttempt>} */
  async function throughEngine(work) {
    if (!needsParts(work.source, settings)) {
      copySmall ??= openEngine().then(way => smallThroughEngine({ way, tell, lookAt, looks }))
      return await (await copySmall)(work)
    }
    const way = await openEngine()
    if (work.large) return await copyLarge(way, work)
    const size = countParts(work.source)
    await inFlight.parts.enter(size)
    return await copyLarge(way, work).finally(() => inFlight.parts.leave(size))
  }

  /** @param {ObjectWork} work @param {OpenWay} way @returns {Promise<WriteAttempt>} */
  async function byStore(work, way) {
    const inParts = way.inParts(work.source)
    const refused = inParts ? refusals.parts : refusals.whole
    if (refused.count >= refused.most) return await throughEngine(work)
    try {
      const done = inParts || !copySmallByStore ? await copyLarge(way, work) : await copySmallByStore(work)
      if (done === 'skipped' || 'now' in done) return done
      Object.assign(refused, { most: MOST_REFUSALS, count: 0 })
      return { ...done, byStore: /** @type {const} */ (true) }
    } catch (cause) {
      const own = { source: placeOf(source, work.name), settings, run }
      const reason = await require('../copy').refusalOf(own, work.source, cause)
      refused.count++
      tell(notice('SERVER_COPY_REFUSED', { reason }))
      work.restart()
    }
    return await throughEngine(work)
  }

  /** As `byStore`, the first object alone. @param {ObjectWork} work @param {OpenWay} way @returns {Promise<WriteAttempt>} */
  async function firstByStore(work, way) {
    const start = (/** @type {boolean} */ isFirst) => byStore(isFirst ? { ...work, alone: true } : work, way)
    // A large object may take a minute: too long to wait for.
    return await (work.source.bytes > settings.chunkBytes ? start(false) : alone(start))
  }

  /** @param {string} name @returns {Promise<import('../types').ObjectHead | undefined>} */
  async function head(name) {
    return await source.store.head(source.key + name, { signal }).catch(acceptGone)
  }

  /** @param {string} name */
  async function isListed(name) {
    const key = source.key + name
    // Without permission to list, the answer of the HEAD counts.
    const page = await source.store.list?.({ prefix: key, most: 1 }, { signal }).catch(cause => {
      if (asXferError(cause).code !== 'ACCESS_DENIED') throw cause
    })
    return page?.objects[0]?.key === key
  }

  /**
   * After a copy that took so long that a later sync could not see from the times whether the source was replaced between its
   * read and the end of the write.
   *
   * @param {ObjectWork} work a finished copy
   * @returns {Promise<import('../types').ObjectHead | undefined>} the new source, if it was replaced
   */
  async function replaced({ name, source: before }) {
    const now = await head(name)
    if (!now) return undefined
    const same = isSamePinned(now, { ...before, etag: before.etag || now.etag })
    // Some stores report milliseconds.
    const sameTime = wholeSeconds(now.lastModifiedMs ?? 0) === wholeSeconds(before.lastModifiedMs ?? 0)
    return same && sameTime ? undefined : now
  }

  return {
    looks,

    /**
     * @param {ObjectWork} given
     * @returns {Promise<CopiedPair | 'skipped' | 'gone'>} skipped: the destination's object is left alone; gone: the object is no longer at
     *   the source
     * @throws {XferError} SOURCE_CHANGED, BAD_ANSWER; the stores' errors
     */
    async write(given) {
      let work = given
      for (let turn = 1; ; turn++) {
        let done
        try {
          done = await (server ? firstByStore(work, server) : throughEngine(work))
        } catch (cause) {
          throw asPinnedError(work.source, cause)
        }
        if (done === 'skipped') {
          // A source that is gone is an error then.
          if (work.source.pinned) return done
          if (settings.condition.ifNoneMatch && (await head(work.name))) return done
          if (!(await isListed(work.name))) return 'gone'
          if (turn > AGAIN.CHANGED_SOURCE) throw new XferError('BAD_ANSWER', { ...source.store.facts, reason: LISTED })
          continue
        }
        const isSlow = !work.source.pinned && 'tookMs' in done && done.tookMs > LONGEST_COPY_S * 1000
        const now = 'now' in done ? done.now : isSlow ? await replaced(work) : undefined
        if (!now) return /** @type {CopiedPair} */ (done)
        if (turn > AGAIN.CHANGED_SOURCE) throw new XferError('SOURCE_CHANGED', source.store.facts)
        work.restart()
        work = { ...work, source: { ...work.source, ...now } }
      }
    },

    /** The number of its parts; undefined if it is written in one request. @param {{ bytes: number, etag: string }} object @returns {number | undefined} */
    partsOf: object =>
      (server ? server.inParts(object) : needsParts(object, settings)) ? countParts(object) : undefined,
  }
}

module.exports = { createInFlight, createWays, createWriters }
