'use strict'

/** The objects in flight. Each one is compared if necessary, waits for its limit and for other objects of the same key, is written, and ends. */

const { createSemaphore } = require('../async')
const { XferError, asXferError } = require('../errors')
const { hiddenFault, isFolderThere, markedFolder, placeOf, unreadable } = require('./keys')
const { createInFlight, createWriters } = require('./writers')

/** @typedef {import('../types').ListedObject} ListedObject */
/** @typedef {import('../types').Verdict} Verdict */
/** @typedef {{ name: string, source: ListedObject, destination?: ListedObject }} ChosenPair */

/** @typedef {import('./writers').CopiedPair} CopiedPair */
/** @typedef {import('../job/open').Context} Context */
/**
 * What an object takes of the limit that has let it in. large: it is written in parts; inside: false once it has left.
 *
 * @typedef {{ limit: ReturnType<typeof createSemaphore>, size: number, large: boolean, inside: boolean }} ObjectRoom
 */
/** The bytes of one object that were counted as they moved; `before`: those that an earlier run had moved. @typedef {import('./tally').Moved} Moved */

/** Failures that the journal has by name. */
const MOST_NAMED = 10_000
/** Written objects that may wait for the last look, beside those that are under way. */
const MOST_UNSEEN = 4_096
/** Sources that are removed at once. */
const MOST_REMOVALS = 128
/** Errors that may leave a wrong copy of ours at the destination, so that its time proves nothing. */
const UNSURE = new Set('WRONG_COPY NOT_PROVED NOT_READ_BACK OUTCOME_UNKNOWN OBJECT_CHANGED INTEGRITY'.split(' '))

/**
 * @typedef {object} ObjectsOptions
 * @property {import('../job/open').Context} job
 * @property {import('./selection').Selection} selection
 * @property {ReturnType<typeof import('./writers').createWays>} ways
 * @property {import('./writers').OpenWay} [server] where the store copies
 * @property {number} concurrency of the way that most go
 * @property {ReturnType<typeof import('./report').createFailures>} failures
 * @property {ReturnType<typeof import('./tally').createTally>} tally
 * @property {() => void} [onWait] called when an object has to wait for others
 *
 * @param {ObjectsOptions} how
 */
function createObjects(how) {
  const { job, selection, server, concurrency, failures, tally, onWait } = how
  const { dryRun, move: moves } = job.settings
  const { emit, manifestOut } = job.run
  const here = job.engine.runsOn === 'machine'
  const inFlight = createInFlight({ concurrency, server: server !== undefined, here, onWait })
  const writers = createWriters({ ...how, inFlight })
  /** Written objects that wait for the last look. */
  const looked = createSemaphore(MOST_UNSEEN)
  /** Not those of pairs that are compared: these may wait for the room of objects that wait for their removal. */
  const removals = createSemaphore(MOST_REMOVALS)
  /** Of a file that names the objects: those under way, because it may name one twice. @type {Set<string>} */
  const underWay = new Set()
  /** Loaded lazily, because most jobs delete nothing. @type {ReturnType<typeof import('./held').createHeld> | undefined} */
  const held = selection.deletes ? require('./held').createHeld({ job, copy, fail }) : undefined
  /** Of a dry run: how the objects would be written. */
  const planned = { objects: 0, inParts: 0, parts: 0, bytes: 0, concurrency, byStore: server !== undefined }
  /**
   * Makes NOT_A_STORE the error of one object if the store has listed or taken other objects.
   *
   * @param {import('../types').XferError} error
   */
  function ofOne(error) {
    const { code, facts } = error
    const listed = selection.filesFrom === undefined && (facts.side === 'source' || selection.compares)
    if (code !== 'NOT_A_STORE' || !(listed || tally.counts.copied > 0)) return error
    return new XferError('BAD_ANSWER', facts, { cause: error })
  }

  /**
   * @param {string} name
   * @param {unknown} cause
   * @param {Moved} moved
   * @param {boolean} [last] all others are done
   * @returns {import('./resumed').DoneOrLeft}
   */
  function fail(name, cause, moved, last) {
    const error = ofOne(asXferError(cause))
    if (!failures.note(name, error, moved, last)) return false
    const { code, message, hint } = error
    emit({ type: 'failure', name, code, message, hint })
    manifestOut?.failed(name, code)
    const named = job.run.journal.state.prefix?.failed
    // The next run would take it for done.
    if (named && named.size >= MOST_NAMED && !named.has(name)) return false
    job.run.journal.note({ type: 'failed', name, ...(UNSURE.has(code) && { unsure: true }) })
    return true
  }

  /** An object fails before its copy has begun. @param {string} name @param {number} bytes @param {unknown} cause */
  function failAtOnce(name, bytes, cause) {
    tally.chosen(bytes)
    return fail(name, cause, { seen: 0 })
  }

  /** The failure of an earlier run is over. @param {string} name */
  function noteOver(name) {
    const failed = job.run.journal.state.prefix?.failed.has(name)
    if (failed && manifestOut?.flush() !== false) job.run.journal.note({ type: 'over', name })
  }

  /** @param {ChosenPair} pair @param {CopiedPair} copied @param {Moved} moved */
  function isCopied({ name, source }, copied, moved) {
    manifestOut?.copied(moves ? 'move' : 'copy', name, copied, source)
    noteOver(name)
    tally.copied(copied, moved, Date.now())
    const { bytes, etag, crc32, sums, versionId, proof, tookMs } = copied
    /** @type {any} */
    const event = { type: 'object', action: moves ? 'move' : 'copy', name, bytes, etag }
    if (crc32 !== undefined) event.crc32 = crc32
    if (sums) event.sums = sums
    if (versionId !== undefined) event.versionId = versionId
    event.proof = proof
    if (tookMs !== undefined) event.elapsedMs = Math.round(tookMs)
    emit(event)
  }

  /**
   * The destination's object was left alone: with --ignore-existing, or --no-clobber, its other name.
   *
   * @param {string} name
   * @param {Moved & { bytes: number }} sizes
   * @param {boolean} unsure whether it may be an unproved copy of an earlier run
   * @throws {XferError} NOT_PROVED
   */
  function isLeft(name, sizes, unsure) {
    if (unsure) {
      const { store, text } = job.destination
      const reason =
        'an earlier run of the job may have written it, and --ignore-existing or --no-clobber leaves it alone'
      const advice = 'Check the object; without that option it is copied again. Nothing was removed.'
      throw new XferError('NOT_PROVED', { ...store.facts, location: text + name, reason, advice })
    }
    noteOver(name)
    tally.notCopied('skipped', sizes)
    manifestOut?.skipped({ name, destination: { key: name, etag: '' } }, 'exists')
  }

  /** It is no longer at the source. @param {string} name @param {Moved & { bytes: number }} sizes */
  function isGone(name, sizes) {
    noteOver(name)
    tally.notCopied('gone', sizes)
    emit({ type: 'object', action: 'gone', name })
  }

  /** A listed object is left out. @param {ChosenPair} pair @param {string} why @param {'skipped' | 'filtered' | 'earlier'} [as] */
  function leave(pair, why, as = 'skipped') {
    const { name, source, destination } = pair
    tally.left(as, source.bytes)
    if (as !== 'filtered') manifestOut?.skipped(pair, why)
    // One that is named twice is under way, and the upload that an earlier run has left is still to be aborted.
    const isOver = as !== 'filtered' && why !== 'named-twice' && !job.run.journal.state.prefix?.objects.has(name)
    if (isOver) noteOver(name)
    const there = destination && { bytesThere: destination.bytes }
    if (dryRun) emit({ type: 'object', action: 'skip', name, bytes: source.bytes, why, ...there })
  }

  /**
   * @param {ChosenPair} pair
   * @param {Verdict} verdict
   * @param {ObjectRoom} room
   * @param {(done?: import('./resumed').DoneOrLeft) => void} over
   */
  async function copy(pair, verdict, room, over) {
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
    let done = true
    let waits = false
    try {
      const written = () => {
        if (!room.large) {
          tally.moved(source.bytes - moved.seen, Date.now(), false)
          moved.seen = source.bytes
        }
        // Those that only wait for the last look do not keep others from starting, unless they are many.
        if (!room.inside || !looked.enterAtOnce(1)) return
        room.inside = false
        room.limit.leave(room.size)
      }
      const copied = await writers.write({ name, source, moved: move, restart, large: room.large, written })
      if (copied === 'skipped') isLeft(name, { bytes: source.bytes, ...moved }, verdict.unsure === true)
      else if (copied === 'gone') isGone(name, { bytes: source.bytes, ...moved })
      else {
        if (moves) {
          manifestOut?.intend('move', name, copied, source)
          const { read, ...there } = /** @type {CopiedPair & { read: import('./writers').KnownSource }} */ (copied)
          // Many have waited for the same look.
          await removals.enter(1)
          const removed = require('../copy').removeSource(jobOfOne(job, name), { read, copied: there, apart: false })
          await removed.finally(() => removals.leave(1))
        }
        isCopied(pair, copied, moved)
        if (verdict.newerThere) tally.replacedNewer(name)
      }
    } catch (cause) {
      if (source.marksFolder && (await isFolderThere(jobOfOne(job, name)))) {
        noteOver(name)
        tally.notCopied('skipped', { bytes: 0, ...moved })
      } else if (held?.takes({ pair, verdict, room, over, cause })) {
        restart()
        waits = true
      } else done = fail(name, cause, moved)
    }
    if (!waits) over(done)
    if (room.inside) room.limit.leave(room.size)
    else looked.leave(1)
  }

  /**
   * Of a move, if the destination has an object of that size: copies nothing if both stores prove that it is the same.
   *
   * @param {ChosenPair} pair
   * @param {Verdict} verdict
   * @returns {Promise<Verdict>}
   */
  async function moveThere(pair, verdict) {
    const { name } = pair
    const one = jobOfOne(job, name)
    // An upload that is under way has to be completed, or aborted.
    const copies = dryRun || job.run.journal.state.prefix?.objects.has(name)
    const { findAlready, removeSource } = require('../copy')
    const { already, apart = false } = copies ? {} : await findAlready(one)
    if (!already) return { ...verdict, action: verdict.why === 'all' ? 'copy' : 'skip' }
    const { read, proof } = already
    const { bytes, etag, versionId } = already.there
    const copied = { bytes, etag, ...(versionId !== undefined && { versionId }), proof }
    manifestOut?.intend('move', name, { ...copied, read })
    await removeSource(one, { read, copied, apart })
    tally.chosen(bytes)
    tally.moved(bytes, Date.now(), true)
    isCopied(pair, copied, { seen: bytes, before: bytes })
    return { ...verdict, action: 'none' }
  }

  /** What becomes of a pair of which the lists do not show whether both objects are equal. @type {typeof moveThere} */
  async function compare(pair, verdict) {
    try {
      if (moves) return await moveThere(pair, verdict)
      return await require('./contents').judgeByHeads(job, pair, verdict)
    } catch (cause) {
      return { ...verdict, action: 'fail', cause }
    }
  }

  /**
   * Compares a pair once the limit has let it in, and begins what that has decided.
   *
   * @param {ChosenPair} pair
   * @param {Verdict} verdict
   * @param {(done?: import('./resumed').DoneOrLeft) => void} over as in `begin`
   */
  async function beginCompared(pair, verdict, over) {
    await inFlight.compared.enter(1)
    void compare(pair, verdict)
      .then(found => begin(pair, found, over))
      .catch(cause => over(failAtOnce(pair.name, pair.source.bytes, cause)))
      .finally(() => inFlight.compared.leave(1))
  }

  /**
   * Does what was decided. Resolves once the copy has started.
   *
   * @param {ChosenPair} pair
   * @param {Verdict} verdict
   * @param {(done?: import('./resumed').DoneOrLeft) => void} over called once it is done, has failed, or is left to a resumed run
   */
  async function begin(pair, verdict, over) {
    const { name, source } = pair
    const { action, why, cause } = verdict
    if (action === 'compare') return await beginCompared(pair, verdict, over)
    if (action === 'fail') return over(failAtOnce(name, source.bytes, cause))
    if (action === 'skip') leave(pair, why)
    if (action === 'gone') {
      tally.chosen(0)
      isGone(name, { bytes: 0, seen: 0 })
    }
    if (action !== 'copy') return over()
    const marked = source.bytes === 0 ? markedFolder(name, source) : undefined
    const { store, key: prefix } = job.destination
    const { makeFolder } = store
    if (marked && makeFolder) return over(await folder(pair, () => makeFolder(prefix + marked)))
    // By then its server has told its name, and so which keys it takes.
    if (!dryRun && !job.trust.isNamed) await job.trust.known({ prefix, signal: job.run.cancel })
    const above = store.can.hidesBelow ? await verdict.askAbove?.() : undefined
    tally.chosen(source.bytes)
    const key = prefix + name
    const reason = above === undefined ? store.keyFault?.(key) : hiddenFault(key, prefix + above)
    if (reason !== undefined) {
      const invalid = new XferError('KEY_INVALID', { ...store.facts, key, reason })
      return over(fail(name, invalid, { seen: 0 }))
    }
    const parts = writers.partsOf(source)
    if (dryRun) {
      plan(pair, verdict, parts)
      return over()
    }
    const large = parts !== undefined
    const room = { limit: large ? inFlight.parts : inFlight.small, size: parts ?? 1, large, inside: true }
    await room.limit.enter(room.size)
    void copy(pair, verdict, room, over)
  }

  /** As `begin`, of objects that come in no order. @type {typeof begin} */
  async function beginNamed(pair, verdict, over) {
    const { name } = pair
    if (underWay.has(name)) {
      leave(pair, 'named-twice')
      return over()
    }
    underWay.add(name)
    await begin(pair, verdict, done => {
      // A dry run has nothing under way, and counts it once all the same.
      if (!dryRun) underWay.delete(name)
      over(done)
    })
  }

  /** What a dry run tells of a copy. @param {ChosenPair} pair @param {Verdict} verdict @param {number | undefined} parts undefined: it is written in one request */
  function plan({ name, source, destination }, { why, newerThere }, parts) {
    planned.bytes += source.bytes
    planned.parts += parts ?? 0
    planned[parts === undefined ? 'objects' : 'inParts']++
    const there = destination && { bytesThere: destination.bytes, ...(newerThere && { newerThere }) }
    if (newerThere) tally.replacedNewer(name)
    emit({ type: 'object', action: moves ? 'move' : 'copy', name, bytes: source.bytes, why, ...there })
  }

  /** An empty object that marks a folder, where the destination has folders. @param {ChosenPair} pair @param {() => Promise<void>} make */
  async function folder({ name, source }, make) {
    try {
      if (!dryRun) await make()
      leave({ name, source }, 'made-folder')
      return true
    } catch (cause) {
      return failAtOnce(name, 0, cause)
    }
  }

  return {
    leave,
    held,

    /** An object that cannot be looked up. @param {string} name @param {import('../types').XferError} error */
    missing: (name, error) => failAtOnce(name, 0, error),

    /** An object whose name the destination treats as that of another one. @param {ChosenPair} pair @param {(done?: import('./resumed').DoneOrLeft) => void} over as in `begin` */
    folded({ name, source }, over) {
      const { store, key } = job.destination
      over(failAtOnce(name, source.bytes, new XferError('NAMES_FOLDED', { ...store.facts, key: key + name })))
    },

    /** An object that is listed under a wrong key, or cannot be listed. @param {import('../types').OddStep} listed */
    odd({ name, object }) {
      tally.listed()
      if (selection.judge({ name, source: object }).filtered) return tally.left('filtered')
      failAtOnce(name, object.bytes, unreadable(job.source.store, object))
    },

    /** Resolves once the limit has let the pair in, and it is compared. @param {ChosenPair} pair @param {Verdict} verdict @returns {Promise<Verdict>} */
    async compared(pair, verdict) {
      await inFlight.compared.enter(1)
      return await compare(pair, verdict).finally(() => inFlight.compared.leave(1))
    },

    begin: selection.filesFrom === undefined && selection.manifest === undefined ? begin : beginNamed,
    planned,
    /** Resolves once nothing is in flight. */
    async ended() {
      await inFlight.idle()
      writers.looks.hurry()
      await looked.empty()
      writers.looks.close()
    },
  }
}

/** One object. @param {Context} job of the prefix @param {string} name */
function jobOfOne({ source, destination, settings, run }, name) {
  return { source: placeOf(source, name), destination: placeOf(destination, name), settings, run }
}

module.exports = { createObjects }
