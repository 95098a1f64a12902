'use strict'

/**
 * The objects in flight. Small objects are written in one request each, a few thousand at once. Large objects are written
 * in parts, only as many at once as keep the engine busy, because each has an open upload.
 */

const { XferError, asXferError } = require('../../errors')
const { createFallbacks, createRefusedTags } = require('../../object')
const { isConditional } = require('../../destination')
const { createPathKeys, foldedError, unreadable } = require('../keys')
const { createByStore } = require('./by-store')
const { compareStored } = require('./compare')
const { createCurrent } = require('./current')
const { createDroppedAttributes } = require('./dropped-attributes')
const { createLarge, isLarge } = require('./large')
const { createRoom } = require('./room')
const { createSizes } = require('./sizes')
const { createSlow } = require('./slow')
const { createSmall } = require('./small')
const { createNotifyOnce } = require('../report')

/** @typedef {import('../../types').ListedObject} ListedObject */
/** @typedef {import('../selection/selection').Verdict} Verdict */
/** @typedef {import('./small').Work} Work */
/** @typedef {import('./small').Copied & { byStore?: true }} Copied byStore: without the engine */
/** gone: the object is no longer at the source. @typedef {Copied | 'skipped' | 'gone'} Done */
/** @typedef {{ name: string, source: ListedObject, destination?: ListedObject }} Pair */

/** Small objects in flight, at least. Most of them wait in the queue, so that invocations are full. */
const MOST_SMALL = 4_096
/** Small objects in flight for each concurrent invocation, and their total limit. */
const SMALL_EACH = 64
const MOST_SMALL_OF_ALL = 20_000
/** Failures that the journal has by name; a resumed run finds the other ones by listing again. */
const MOST_NAMED = 10_000
/** Objects in flight for each concurrent server-side copy. */
const QUEUED_EACH = 4
/** Pairs that are compared at once with `--checksum`. */
const MOST_COMPARED = 128
/** Errors that may leave a wrong copy of ours at the destination, so that its time proves nothing. */
const UNSURE = new Set(
  'WRONG_COPY NOT_THE_COPY NOT_PROVED NOT_READ_BACK OUTCOME_UNKNOWN OBJECT_CHANGED INTEGRITY'.split(' '),
)
/** How often an object may be replaced, by a large one or by a small one, before its copy fails. */
const MOST_TURNS = 3

/**
 * @param {object} how
 * @param {import('../../job/open').Context} how.job
 * @param {import('../selection/selection').Selection} how.selection
 * @param {ReturnType<typeof import('./ways').createWays>} how.ways
 * @param {import('./ways').Way} [how.server] where the store copies
 * @param {number} how.concurrency of the way that most go
 * @param {ReturnType<typeof import('../report/failures').createFailures>} how.failures
 * @param {ReturnType<typeof import('../keys/folding').createFolding>} how.folding
 * @param {ReturnType<typeof import('../report/tally').createTally>} how.tally
 * @param {ReturnType<typeof import('../report').createInOrder<import('../../types').JobEvent>>} how.inOrder
 */
function createObjects({ job, selection, ways, server, concurrency, failures, folding, tally, inOrder }) {
  const rooms = {
    compared: createRoom(MOST_COMPARED),
    // A server-side copy is one request: there is no invocation to fill.
    small: createRoom(server ? QUEUED_EACH * concurrency : mostSmall(concurrency)),
    // Parts.
    large: createRoom(2 * concurrency),
  }
  /** The engine's way, once it is open. @type {import('./ways').Way | undefined} */
  let opened
  const notifyOnce = createNotifyOnce(job.run.emit)
  const refusedTags = createRefusedTags()
  const fallbacks = createFallbacks({ wish: job.settings.attributes, notifyOnce, emit: job.run.emit, refusedTags })
  const dropped = createDroppedAttributes({
    notifyOnce,
    emit: job.run.emit,
    fallbacks,
    refusedTags,
    conditional: isConditional(job.settings.condition),
  })
  const { store, key: prefix } = job.destination
  const sizes = createSizes({ store, prefix, signal: job.run.cancel })
  const slow = createSlow()
  const large = slow.watchLarge(createLarge({ notifyOnce, fallbacks, dropped, assembling: tally.assembling }))
  const small = createSmall({
    job,
    selection,
    scheduleOne: slow.watch(async (bytes, how) => (opened ?? (await engineWay())).scheduleOne(bytes, how)),
    notifyOnce,
    fallbacks,
    dropped,
    sizes,
  })
  const watched = server && { ...server, scheduleOne: slow.watch(server.scheduleOne) }
  const byStore =
    watched && createByStore({ way: watched, large, throughEngine, notifyOnce, fallbacks, dropped, sizes })
  const copyCurrent = createCurrent({
    job,
    slow,
    skips: selection.ignoreExisting,
    copy: work => (byStore ? byStore.copy(work) : throughEngine(work)),
  })

  /** Opens the engine's way, which may have a higher concurrency than the store's. */
  async function engineWay() {
    const way = await ways.engine()
    opened = way
    rooms.small.widen(mostSmall(way.concurrency))
    rooms.large.widen(2 * way.concurrency)
    return way
  }

  /** @param {Work} given @returns {Promise<Copied | 'skipped'>} */
  async function throughEngine(given) {
    let work = given
    for (let turn = 1; turn <= MOST_TURNS; turn++) {
      const done = isLarge(work.source, job.settings) ? await copyLarge(work) : await small.copy(work)
      if (done === 'skipped' || !('now' in done)) return done
      work = { ...work, source: { ...work.source, ...done.now } }
    }
    throw new XferError('SOURCE_CHANGED', job.source.store.facts)
  }

  /** @param {Work} work */
  async function copyLarge(work) {
    const way = await engineWay()
    if (work.roomy) return await large.copy(way, work)
    const size = partsOf(work.source)
    await rooms.large.enter(size)
    try {
      return await large.copy(way, { ...work, roomy: true })
    } finally {
      rooms.large.leave(size)
    }
  }

  /** @param {{ bytes: number }} object */
  function partsOf({ bytes }) {
    return Math.max(1, Math.ceil(bytes / job.settings.chunkBytes))
  }

  /**
   * @param {Pair} pair
   * @param {Verdict} verdict
   * @param {boolean} roomy as in Work
   * @param {(write: () => Promise<Done>) => Promise<Done>} [way]
   * @returns {Promise<boolean>} false: a resumed run has to process it again
   */
  async function copy(pair, verdict, roomy, way = write => write()) {
    const { name, source } = pair
    let seen = 0
    let before = 0
    const moved = (/** @type {number} */ bytes, earlier = false) => {
      seen += bytes
      if (earlier) before += bytes
      tally.moved(bytes, Date.now(), earlier)
    }
    const restart = () => {
      // What an earlier run moved is moved again, too.
      moved(-before, true)
      moved(-seen)
    }
    try {
      const work = { ...pair, verdict, moved, restart, roomy }
      const copied = await way(() => copyCurrent(work))
      if (copied === 'skipped' && verdict.unsure) throw leftUnproved(job.destination, name)
      if (named().has(name)) job.run.journal.note({ type: 'over', name })
      if (copied === 'skipped') {
        tally.passed({ bytes: source.bytes, seen, before })
        return true
      }
      if (copied === 'gone') {
        tally.gone({ bytes: source.bytes, seen, before })
        job.run.emit({ type: 'object', action: 'gone', name })
        return true
      }
      pathKeys.wrote(job.destination.key + name)
      folding.note(name)
      tally.copied({ ...copied, seen, before }, Date.now())
      const { bytes, etag, crc32, versionId, proof } = copied
      const lost = dropped.lostBy(job.destination.text + name)
      job.run.emit({
        type: 'object',
        action: 'copy',
        name,
        bytes,
        etag,
        ...(crc32 !== undefined && { crc32 }),
        ...(versionId !== undefined && { versionId }),
        proof,
        ...(lost.length > 0 && { lost }),
      })
    } catch (cause) {
      return fail(name, asXferError(cause), { seen, before })
    }
    return true
  }

  /**
   * Makes NOT_A_STORE the error of one object if the store has listed or taken other objects.
   *
   * @param {import('../../types').XferError} error
   */
  function ofOne(error) {
    const { code, facts } = error
    const listed = selection.filesFrom === undefined && (facts.side === 'source' || selection.compares)
    if (code !== 'NOT_A_STORE' || !(listed || tally.counts.copied > 0)) return error
    return new XferError('BAD_ANSWER', facts, { cause: error })
  }

  /** Names that failed, in this run of the job or an earlier one. @returns {Set<string>} */
  function named() {
    return job.run.journal.state.prefix?.failed ?? new Set()
  }

  /**
   * @param {string} name
   * @param {import('../../types').XferError} cause
   * @param {import('../report/tally').Moved} [moved]
   * @param {(event: import('../../types').JobEvent) => void} [tell]
   * @returns {boolean} as `copy`
   */
  function fail(name, cause, moved = { seen: 0 }, tell = inOrder.emit) {
    const error = ofOne(cause)
    if (!failures.note(name, error, moved)) return false
    const { code, message, hint } = error
    tell({ type: 'failure', name, code, message, hint })
    if (named().size >= MOST_NAMED && !named().has(name)) return false
    job.run.journal.note({ type: 'failed', name, ...(UNSURE.has(code) && { unsure: /** @type {const} */ (true) }) })
    return true
  }

  /**
   * Skips the pair if both objects are equal, else starts its copy.
   *
   * @param {Pair} pair
   * @param {Verdict} verdict
   * @param {(done?: boolean) => void} over
   */
  async function compare(pair, verdict, over) {
    const { name, source, destination } = pair
    const { dryRun } = job.settings
    const place = dryRun ? inOrder.place() : undefined
    const tell = place ?? inOrder.emit
    try {
      const found = await compareStored(job, name)
      if (found === 'unlike') return await begin(pair, verdict, over, tell)
      if (found === 'gone') {
        tally.chosen(0)
        tally.gone({ bytes: 0, seen: 0 })
        tell({ type: 'object', action: 'gone', name })
      } else {
        tally.skipped()
        const sizes = { bytes: source.bytes, bytesThere: destination?.bytes }
        if (dryRun) tell({ type: 'object', action: 'skip', name, why: 'same-content', ...sizes })
      }
      over()
    } catch (cause) {
      tally.chosen(pair.source.bytes)
      over(fail(pair.name, asXferError(cause), { seen: 0 }, tell))
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
    tally.chosen(source.bytes)
    if (job.settings.dryRun) {
      const there = destination && { bytesThere: destination.bytes }
      tell({ type: 'object', action: 'copy', name, bytes: source.bytes, why: verdict.why, ...there })
      return over()
    }
    await pathKeys.begin({ pair, verdict, over })
  }

  /** @param {import('../keys/path-keys').Entry} entry */
  async function start({ pair, verdict, over }) {
    const big = server ? server.inParts(pair.source) : isLarge(pair.source, job.settings)
    const room = big ? rooms.large : rooms.small
    const size = big ? partsOf(pair.source) : 1
    await room.enter(size)
    void copy(pair, verdict, big).then(settled => {
      over(settled)
      room.leave(size)
    })
  }

  async function idle() {
    await Promise.all([rooms.small.empty(), rooms.large.empty()])
  }

  const pathKeys = createPathKeys({
    destination: job.destination,
    signal: job.run.cancel,
    start,
    async copy({ pair, verdict, over }, way) {
      over(await copy(pair, verdict, false, way))
    },
    idle,
  })

  return {
    /** An object that cannot be looked up. @param {string} name @param {import('../../types').XferError} error */
    missing(name, error) {
      tally.chosen(0)
      fail(name, error)
    },

    /** An object whose name the destination treats as that of another one. @param {Pair} pair @param {(done?: boolean) => void} over as in `begin` */
    folded({ name, source }, over) {
      tally.chosen(source.bytes)
      over(fail(name, foldedError(job.destination, name)))
    },

    idle,

    /** An object that is listed under a wrong key. @param {import('../../types').OddStep} listed */
    odd({ name, object }) {
      tally.listed()
      if (selection.judge({ name, source: object }).filtered) return tally.filtered()
      tally.chosen(object.bytes)
      fail(name, unreadable(job.source.store, object.key))
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

    /** @returns {Promise<void>} resolves once nothing is in flight */
    async ended() {
      await rooms.compared.empty()
      await idle()
      await pathKeys.end()
      await idle()
      fallbacks.tellAll()
      dropped.tellAll()
    },
  }
}

/**
 * With --ignore-existing (or --no-clobber, its other name) the destination's object is left alone, but it may be an unproved copy of an earlier run.
 *
 * @param {import('../../job/open').Job['destination']} destination
 * @param {string} name
 */
function leftUnproved({ store, text }, name) {
  const reason = 'an earlier run of the job may have written it, and --ignore-existing or --no-clobber leaves it alone'
  const advice = 'Check the object; without that option it is copied again. Nothing was removed.'
  return new XferError('NOT_PROVED', { ...store.facts, location: text + name, reason, advice })
}

/** @param {number} concurrency */
function mostSmall(concurrency) {
  return Math.min(MOST_SMALL_OF_ALL, Math.max(MOST_SMALL, concurrency * SMALL_EACH))
}

module.exports = { createObjects }
