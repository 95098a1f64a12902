'use strict'

/**
 * Copies a large object below a prefix in parts, with the writer of single objects (lib/copy/parts.js). Its journal is
 * a part of the prefix's journal, and its parts share the queue of all objects.
 */

const { AGAIN } = require('../async')
const { abortEarlierUploads, copyProved, isReplaced, notePlan, planOne, readSourceAttributes } = require('../copy')
const { abortLeft, acceptGone, clearCreating } = require('../destination')
const { contextOf } = require('../job')
const { isSamePinned } = require('../integrity')
const { XferError, asXferError, rootOf } = require('../errors')
const { newObject } = require('../journal')
const { notice } = require('../notices')
const { unlessPart } = require('../verify')
const { checkPinned, placeOf } = require('./keys')
const { copiedOf } = require('./small')

/** @typedef {import('../job/open').Context} Context */
/** @typedef {import('../job/open').Run} Run */
/** @typedef {import('./writers').OpenWay} OpenWay */

/**
 * @param {object} how
 * @param {(notice: import('../types').Notice) => void} how.tell
 * @param {ReturnType<typeof import('../copy/attributes').createFirstLooks>} how.lookAt
 * @param {ReturnType<typeof import('./looks').createLooks>} how.looks
 * @param {ReturnType<typeof import('./tally').createTally>['assembling']} how.assembling
 */
function createLarge({ tell, lookAt, looks, assembling }) {
  /**
   * @param {OpenWay} way
   * @param {import('./writers').ObjectWork} work
   * @returns {Promise<import('./writers').WriteAttempt>}
   * @throws {import('../types').XferError}
   */
  return async (way, work) => {
    const { name, source: listed, restart, written } = work
    const beganMs = Date.now()
    const job = contextOfOne(way.job, work)
    const { source, destination, settings } = job
    const { journal, cancel: signal } = job.run
    if (destination.key === '') throw new XferError('NO_NAME', { key: source.key })
    /** What a read was refused for. @type {import('../types').ObjectHead | undefined} */
    let refused
    for (let changes = 1; ; changes++) {
      const { versionId } = source
      const found = await source.store.head(source.key, { signal, versionId }).catch(acceptGone)
      const same = found && refused && isSamePinned(found, refused)
      const object = found && source.store.pin(found, same)
      const rewrites = source.store.can.partTag === 'md5'
      if (isReplaced(journal.state.object, object, { versions: false, rewrites })) {
        await abortEarlierUploads(job)
        await clearCreating(job)
      }
      if (listed.pinned) checkPinned(listed, found)
      if (object && !way.inParts(object)) return { now: object }
      try {
        if (object) return await copyFound(way, job, object, { name, restart, onWritten: written, beganMs })
      } catch (cause) {
        const { code } = rootOf(cause)
        if (code === 'SOURCE_CHANGED' && changes <= AGAIN.CHANGED_SOURCE) {
          refused = object
          restart()
          continue
        }
        if (code !== 'DESTINATION_EXISTS' || !settings.condition.ifNoneMatch) throw cause
      } finally {
        assembling(name)
      }
      // The object was deleted after it was listed, or the destination's is left alone.
      await journal.over()
      return 'skipped'
    }
  }

  /**
   * @param {OpenWay} way
   * @param {Context} job of the object
   * @param {import('../types').ObjectHead} object
   * @param {{ name: string, restart: () => void, onWritten: () => void, beganMs: number }} how beganMs: when its source was asked for
   * @returns {Promise<import('./writers').Timed>}
   */
  async function copyFound(way, job, object, { name, restart, onWritten, beganMs }) {
    const { destination, settings } = job
    const { emit, cancel: signal } = job.run
    const { concurrency, limits, schedule, detached } = way
    /** What waits for the last look is not slow. @type {number | undefined} */
    let writtenMs
    const { attributes, notices } = await readSourceAttributes(job, object, settings.attributes, signal)
    const chunk = await way.chooseChunk(job, object, async () => limits)
    const plan = planOne(job, object, { ...chunk, whole: false })
    for (const notice of [...notices, ...plan.notices]) tell(notice)
    await notePlan(job, object, plan)
    /** @type {import('../types').WriteWork} */
    const work = {
      job,
      object,
      attributes,
      plan,
      concurrency,
      limits,
      schedule,
      detached,
      restart,
      looks,
      copies: way.copies?.(job, object),
      onWritten() {
        writtenMs = Date.now()
        onWritten()
      },
      // Bytes that are read to prove the copy do not count as moved.
      reading(ranges) {
        emit({ type: 'phase', phase: 'verifying', bytes: ranges.reduce((sum, { bytes }) => sum + bytes, 0) })
        return unlessPart(emit)
      },
    }
    const written = await copyProved(way, work, chunk)
    await lookAt(destination, attributes, { ...written, bytes: object.bytes, way: 'upload' }, signal)
    const copied = copiedOf({ ...written, bytes: object.bytes, read: object }, (writtenMs ?? Date.now()) - beganMs)
    // The journal forgets that it had failed, and the line comes later.
    job.run.manifestOut?.intend(settings.move ? 'move' : 'copy', name, copied)
    const known = object.etag !== '' && written.etag !== '' ? { from: object.etag, etag: written.etag } : undefined
    await way.job.run.journal.write({ type: 'over', name, copy: known })
    return copied
  }

  /**
   * The context of one object: its own ends, events and journal.
   *
   * @param {Context} all of the objects that take this way
   * @param {import('./writers').ObjectWork} work
   * @returns {Context}
   */
  function contextOfOne({ settings, source, destination, trust, engine, run }, { name, source: listed, moved }) {
    const journal = journalOf(run.journal, name)
    const ends = { source: placeOf(source, name, listed.versionId), destination: placeOf(destination, name) }
    /** @type {Run['emit']} */
    const emit = event => {
      if (event.type === 'notice') return tell(event)
      if (event.type === 'phase') assembling(name, event.phase === 'assembling' ? event.parts : undefined)
      if (event.type === 'part' || event.type === 'resume') moved(event.bytes, event.type === 'resume')
      // Events of an object below a prefix have its name.
      run.emit(/** @type {any} */ ({ ...event, name }))
    }
    const own = Object.freeze({ ...run, emit, journal })
    // If one object fails and the others continue, nobody resumes its upload.
    const keepsUploads = () => run.cancel?.aborted === true && journal.kept && settings.onFailure === 'keep'
    return contextOf({ settings, ...ends, trust }, { engine, run: own, keepsUploads })
  }
}

/**
 * The journal of one object's copy, which is a part of the journal of a prefix.
 *
 * @param {import('../types').JobJournal} journal of the prefix
 * @param {string} name of the object
 * @returns {import('../types').JobJournal}
 */
function journalOf(journal, name) {
  const nothing = newObject()
  return {
    kept: journal.kept,
    uploads: journal.uploads,
    // Without a journal file `nothing` stays as it is.
    get state() {
      return /** @type {any} */ ({ id: journal.state.id, ...(journal.state.prefix?.objects.get(name) ?? nothing) })
    },
    write: fact => journal.write({ type: 'of', name, fact: /** @type {any} */ (fact) }),
    note: fact => journal.note({ type: 'of', name, fact: /** @type {any} */ (fact) }),
    over: () => journal.write({ type: 'over', name }),
    takenOver: journal.takenOver,
    end: async error => error,
    async close() {},
  }
}

/**
 * Uploads of large objects that an earlier run of the job started and this run did not meet: the object is gone from
 * the source, no longer chosen, or at the destination by now. Nobody will complete these uploads, so they are aborted.
 * Aborts them; call it at the end, when nothing is in flight.
 *
 * @param {Pick<import('../job/open').Job, 'destination' | 'run'>} job of the prefix
 * @throws {import('../types').XferError} the store's error; the upload stays in the journal
 */
async function abortStaleUploads({ destination, run }) {
  const { journal, cancel: signal, emit } = run
  for (const [name, object] of [...(journal.state.prefix?.objects ?? [])]) {
    const own = placeOf(destination, name)
    await abortLeft({ destination: own, run }, object, signal, error => {
      // Without permission to abort, the job could never end.
      if (asXferError(error).code !== 'ACCESS_DENIED') throw error
      emit(notice('UPLOAD_NOT_ABORTED', { location: own.text }))
    })
    await journal.write({ type: 'over', name })
  }
}

module.exports = { abortStaleUploads, createLarge }
