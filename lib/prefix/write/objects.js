'use strict'

/**
 * The objects that are under way. Small ones go whole, a few thousand at once; large ones in parts, as many at once as their
 * parts keep the engine busy, for each holds an upload.
 */

const { XferError, asXferError } = require('../../errors')
const { createConceded, createRefusedTags } = require('../../object')
const { isConditional } = require('../../destination')
const { createPathKeys, foldedError, unreadable } = require('../keys')
const { createByStore } = require('./by-store')
const { compareStored } = require('./compare')
const { createCurrent } = require('./current')
const { createKept } = require('./kept')
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
/** gone: it is not at the source any more. @typedef {Copied | 'skipped' | 'gone'} Done */
/** @typedef {{ name: string, source: ListedObject, destination?: ListedObject }} Pair */

/** Small objects under way: queued for the most part, so that invocations are full. */
const MOST_SMALL = 4_096
/** For each invocation that may run at once. */
const SMALL_EACH = 64
const MOST_SMALL_OF_ALL = 20_000
/** Failures that are written down by name: of what fails beyond that another run finds the names in the lists again. */
const MOST_NAMED = 10_000
/** For each copy that the store may be asked for at once. */
const QUEUED_EACH = 4
/** Pairs that are asked for at once, before it is known whether they are copied. */
const MOST_COMPARED = 128
/** What leaves an object at the destination that may be a wrong one of ours: its time says nothing then. */
const UNSURE = new Set(
  'WRONG_COPY NOT_THE_COPY NOT_PROVED NOT_READ_BACK OUTCOME_UNKNOWN OBJECT_CHANGED INTEGRITY'.split(' '),
)
/** How often an object may turn from a small one into a large one and back while it is looked at. */
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
 */
function createObjects({ job, selection, ways, server, concurrency, failures, folding, tally }) {
  const rooms = {
    compared: createRoom(MOST_COMPARED),
    // One request each is no invocation to be filled.
    small: createRoom(server ? QUEUED_EACH * concurrency : mostSmall(concurrency)),
    // Parts.
    large: createRoom(2 * concurrency),
  }
  /** The engine's, once it is. @type {import('./ways').Way | undefined} */
  let opened
  const notifyOnce = createNotifyOnce(job.run.emit)
  const refusedTags = createRefusedTags()
  const conceded = createConceded({ wish: job.settings.attributes, notifyOnce, emit: job.run.emit, refusedTags })
  const kept = createKept({
    notifyOnce,
    emit: job.run.emit,
    conceded,
    refusedTags,
    conditional: isConditional(job.settings.condition),
  })
  const { store, key: prefix } = job.destination
  const sizes = createSizes({ store, prefix, signal: job.run.cancel })
  const slow = createSlow()
  const large = slow.watchLarge(createLarge({ notifyOnce, conceded, kept }))
  const small = createSmall({
    job,
    selection,
    scheduleOne: slow.watch(async (bytes, how) => (opened ?? (await engineWay())).scheduleOne(bytes, how)),
    notifyOnce,
    conceded,
    kept,
    sizes,
  })
  const watched = server && { ...server, scheduleOne: slow.watch(server.scheduleOne) }
  const byStore = watched && createByStore({ way: watched, large, throughEngine, notifyOnce, conceded, kept, sizes })
  const copyCurrent = createCurrent({
    job,
    slow,
    skips: selection.ignoreExisting,
    copy: work => (byStore ? byStore.copy(work) : throughEngine(work)),
  })

  /** It may do more at once than the store that it stands in for. */
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
   * @param {boolean} roomy as of Work
   * @param {(write: () => Promise<Done>) => Promise<Done>} [way]
   * @returns {Promise<boolean>} whether no other run need look at it
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
      moved(-seen)
      before = 0
    }
    try {
      const work = { ...pair, verdict, moved, restart, roomy }
      const copied = await way(() => copyCurrent(work))
      if (copied === 'skipped' && verdict.unsure) throw leftUnproved(job.destination, name)
      if (named().has(name)) job.run.journal.note({ type: 'over', name })
      if (copied === 'skipped') {
        tally.passed({ bytes: source.bytes, seen })
        return true
      }
      if (copied === 'gone') {
        tally.gone({ bytes: source.bytes, seen })
        job.run.emit({ type: 'object', action: 'gone', name })
        return true
      }
      pathKeys.wrote(job.destination.key + name)
      folding.note(name)
      tally.copied({ ...copied, seen, before }, Date.now())
      const { bytes, etag, crc32, versionId, proof } = copied
      const lost = kept.lostBy(job.destination.text + name)
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
      return fail(name, asXferError(cause), seen)
    }
    return true
  }

  /**
   * A store that has listed its objects is one, whatever it says of one of them.
   *
   * @param {import('../../types').XferError} error
   */
  function ofOne(error) {
    const { code, facts } = error
    const listed = selection.filesFrom === undefined && (facts.side === 'source' || selection.compares)
    if (code !== 'NOT_A_STORE' || !(listed || tally.counts.copied > 0)) return error
    return new XferError('BAD_ANSWER', facts, { cause: error })
  }

  /** What failed, in this run of the job or in one before. @returns {Set<string>} */
  function named() {
    return job.run.journal.state.prefix?.failed ?? new Set()
  }

  /**
   * @param {string} name
   * @param {import('../../types').XferError} cause
   * @param {number} seen as of `tally.copied`
   * @returns {boolean} as `copy`
   */
  function fail(name, cause, seen) {
    const error = ofOne(cause)
    if (!failures.note(name, error, seen)) return false
    const { code, message, hint } = error
    job.run.emit({ type: 'failure', name, code, message, hint })
    if (named().size >= MOST_NAMED && !named().has(name)) return false
    job.run.journal.note({ type: 'failed', name, ...(UNSURE.has(code) && { unsure: /** @type {const} */ (true) }) })
    return true
  }

  /**
   * What is alike is left as it is, and the rest begun.
   *
   * @param {Pair} pair
   * @param {Verdict} verdict
   * @param {(done?: boolean) => void} over
   */
  async function compare(pair, verdict, over) {
    try {
      const found = await compareStored(job, pair.name)
      if (found === 'unlike') return await begin(pair, verdict, over)
      if (found === 'gone') {
        tally.chosen(0)
        tally.gone({ bytes: 0, seen: 0 })
        job.run.emit({ type: 'object', action: 'gone', name: pair.name })
      } else tally.skipped()
      over()
    } catch (cause) {
      tally.chosen(pair.source.bytes)
      over(fail(pair.name, asXferError(cause), 0))
    }
  }

  /** @param {Pair} pair @param {Verdict} verdict @param {(done?: boolean) => void} over */
  async function begin(pair, verdict, over) {
    const { bytes } = pair.source
    tally.chosen(bytes)
    if (job.settings.dryRun) {
      job.run.emit({ type: 'object', action: 'copy', name: pair.name, bytes, why: verdict.why })
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
    /** One that cannot even be asked for. @param {string} name @param {import('../../types').XferError} error */
    missing(name, error) {
      tally.chosen(0)
      fail(name, error, 0)
    },

    /** One that the destination takes for another one. @param {Pair} pair @param {(done?: boolean) => void} over as of `begin` */
    folded({ name, source }, over) {
      tally.chosen(source.bytes)
      over(fail(name, foldedError(job.destination, name), 0))
    },

    idle,

    /** One that is listed with a key that it has not. @param {import('../../types').OddStep} listed */
    odd({ name, object }) {
      tally.listed()
      if (selection.judge({ name, source: object }).filtered) return tally.filtered()
      tally.chosen(object.bytes)
      fail(name, unreadable(job.source.store, object.key), 0)
    },

    /**
     * Resolves once it has begun.
     *
     * @param {Pair} pair
     * @param {Verdict} verdict
     * @param {(done?: boolean) => void} over told once it is done, has failed, or is left to another run
     */
    async begin(pair, verdict, over) {
      if (verdict.action !== 'compare') return await begin(pair, verdict, over)
      await rooms.compared.enter(1)
      void compare(pair, verdict, over).finally(() => rooms.compared.leave(1))
    },

    /** @returns {Promise<void>} once nothing is under way */
    async ended() {
      await rooms.compared.empty()
      await idle()
      await pathKeys.end()
      await idle()
      conceded.tellAll()
      kept.tellAll()
    },
  }
}

/**
 * What exists is to be left, and may be what an earlier run wrote.
 *
 * @param {import('../../job/open').Job['destination']} destination
 * @param {string} name
 */
function leftUnproved({ store, text }, name) {
  const reason = 'an earlier run of the job may have written it, and what exists is left'
  const advice = 'Look at what is there; without --ignore-existing it is copied again. Nothing was removed.'
  return new XferError('NOT_PROVED', { ...store.facts, location: text + name, reason, advice })
}

/** @param {number} concurrency */
function mostSmall(concurrency) {
  return Math.min(MOST_SMALL_OF_ALL, Math.max(MOST_SMALL, concurrency * SMALL_EACH))
}

module.exports = { createObjects }
