'use strict'

/**
 * The copy of one object: head → plan → write → prove. If both ends are in one store, or `--route server` says so, a store is
 * asked first to copy by itself; else, and if it refuses, the object goes through the engine: these are the ways. Journal, plan,
 * uploads, conditions and events do not depend on them, and the copies below a prefix go the same.
 */

const { abortLimitMs, abortOwnUpload, checkDestination, judgeCondition } = require('../destination')
const { XferError, rootOf } = require('../errors')
const { hasCrc, isSamePinned } = require('../integrity')
const { contextOf, headObject } = require('../job')
const { watchProgress } = require('../progress')
const { notice } = require('../notices')
const { checkKey } = require('../stores')
const { agreeConcurrency, askLimits, shareRate } = require('../schedule')
const { checkAttributes, readSourceAttributes } = require('./attributes')
const { engineWay, needsParts } = require('./plan')
const { abortEarlierUploads, copyProved, isReplaced, noteObject, notePlan, planOne } = require('./write')
const { announce, summarize, summarizeMoved } = require('./report')

/** @typedef {import('../types').Summary} Summary */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Plan} Plan */
/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../job/open').Context} Context */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').Proof} Proof */
/** apart: both ends are known not to be one object. @typedef {{ object: ObjectHead, there?: import('../destination/conditions').Looked, apart?: boolean, carried: Awaited<ReturnType<typeof readSourceAttributes>>, startedMs: number }} Prepared */

/**
 * Copies one object, or resumes the copy in its journal. `--on-failure abort` also aborts the uploads of earlier runs, even
 * if this run fails before it uses them.
 *
 * @param {Job} job
 * @param {object} [how]
 * @param {boolean} [how.sameSource] a resumed copy fails if its source was replaced; else it starts over with the new source
 * @param {(object: ObjectHead) => Promise<ObjectHead>} [how.judge] looks at the source before anything is written; resolves to it
 *   with what it learned
 * @returns {Promise<Summary>}
 * @throws {import('../types').XferError}
 */
async function copyObject(job, { sameSource = false, judge } = {}) {
  try {
    return await copyFound(job, { sameSource, judge })
  } catch (error) {
    const { upload } = job.run.journal.state
    if (job.settings.onFailure === 'abort' && !job.settings.dryRun && upload) {
      // If that fails, the job stays.
      await abortOwnUpload(job, upload, AbortSignal.timeout(abortLimitMs(job.run))).catch(() => {})
    }
    throw error
  }
}

/**
 * @param {Job} job
 * @param {{ sameSource: boolean, judge?: (object: ObjectHead) => Promise<ObjectHead> }} how
 * @returns {Promise<Summary>}
 */
async function copyFound(job, { sameSource, judge }) {
  const startedMs = Date.now()
  const { source, destination, engine, settings } = job
  const { journal, cancel: signal, emit } = job.run
  const moves = settings.move && !settings.dryRun
  const { moved, apart = false } = moves ? await moveWithoutCopy(job) : {}
  if (moved) {
    job.run.manifestOut?.copied('move', '', moved)
    return summarizeMoved(job, moved, { startedMs })
  }
  const head = await headObject(source, signal)
  const { object: begun, upload } = journal.state
  const rewrites = source.store.can.partTag === 'md5'
  if (upload && isReplaced(begun, head, { versions: true, rewrites })) {
    if (sameSource && begun) {
      const { commandLine } = require('../options')
      throw new XferError('SOURCE_CHANGED', { begunBy: commandLine(journal.state) })
    }
    await abortEarlierUploads(job)
    emit(notice('UPLOAD_REPEATED', { why: begun ? 'replaced' : 'untold' }))
  }
  const inParts = needsParts(head, settings) || (head.bytes > 0 && !engine.can.cancel)
  const there = await checkDestination(job, { inParts })
  checkKey(destination)
  if (journal.goesOn && !settings.dryRun) await destination.store.leftovers?.sweep(destination.key, { signal })
  const carried = await readSourceAttributes(job, head, settings.attributes, signal).catch(error => {
    // The source existed a moment ago.
    throw error.code === 'NO_SUCH_KEY' ? new XferError('SOURCE_CHANGED', source.store.facts, { cause: error }) : error
  })
  const object = (await judge?.(head)) ?? head
  const found = { object, there, apart, carried, startedMs }
  try {
    return await copyByAny(job, found)
  } catch (cause) {
    const { store, key, versionId } = source
    const pinned = store.pin(object, true)
    if (rootOf(cause).code !== 'SOURCE_CHANGED' || pinned.etag === object.etag) throw cause
    const now = await store.head(key, { signal, versionId }).catch(() => undefined)
    // A HEAD that shows the same ETag shows that it could not be compared.
    if (!now || !isSamePinned(now, object)) throw cause
    return await copyByAny(job, { ...found, object: pinned })
  }
}

/**
 * By its store, if that is asked and does not refuse; else by the engine.
 *
 * @param {Job} job
 * @param {Prepared} found
 * @returns {Promise<Summary>}
 */
async function copyByAny(job, found) {
  const { object } = found
  const { engine } = job
  const pulls = job.asksServer === 'pulls'
  // An empty object has no parts to read.
  if (job.asksServer && !(pulls && object.bytes === 0)) {
    const { refusalOf, serverWay, whyNotPulled } = require('./store')
    let reason = pulls ? whyNotPulled(job) : undefined
    try {
      if (reason === undefined) return await copyBy(serverWay(job), job, found)
    } catch (cause) {
      reason = await refusalOf(job, object, cause)
    }
    job.run.emit(notice('SERVER_COPY_REFUSED', { reason, engine: engine.name }))
  }
  return await copyBy(engineWay(job), job, found)
}

/**
 * Copies in one of the ways. The writers get a part of the job (a `Context`), with the engine of this way; what passes that engine and
 * those events is counted.
 *
 * @param {CopyWay} way
 * @param {Job} opened
 * @param {Prepared} found
 * @returns {Promise<Summary>}
 */
async function copyBy(way, opened, { object, there, apart = false, carried: { attributes, notices }, startedMs }) {
  const job = contextOf(opened, { engine: way.engine, run: opened.run })
  const { destination, engine, run, settings } = job
  const allowed = way.limits ?? (await askLimits(job))
  const chunk = await way.chooseChunk(job, object, async () => allowed)
  const plan = way.plan ?? planOne(job, object, chunk)
  plan.notices.push(...(object.notices?.all ?? []))
  if (plan.parts.length > 1) plan.notices.push(...(object.notices?.ofParts ?? []))
  plan.notices.push(...notices)
  const { concurrency, limits } = shareRate(job, {
    concurrency: agreeConcurrency(job, plan, allowed),
    limits: allowed,
    partBytes: plan.partBytes,
  })
  if (!settings.dryRun) {
    // What is copied without a thread, or a function, of its own needs none that starts early.
    const { signsLate = -1 } = engine.can
    if (plan.partBytes > signsLate && (plan.growing || plan.bytes > signsLate)) {
      engine.warm?.(concurrency)
    }
    await notePlan(job, object, plan)
  }
  announce(job, way, plan, { attributes, concurrency, limits: allowed })
  const watch = watchProgress(job, plan, { startMs: startedMs })
  try {
    const facts = () => ({ plan, object, counts: watch.counts(), elapsedMs: Date.now() - startedMs })
    if (settings.dryRun) {
      const earlier = resumable(job)
      if (earlier) run.emit(earlier)
      planUse(job, object, plan, { concurrency, earlier })
      return summarize(job, way, { ...facts(), attributes, there: there?.object })
    }
    const { restart, reading } = watch
    const { partsPerInvocation, schedule, scheduleWhole } = way
    const work = {
      object,
      attributes,
      plan,
      concurrency,
      limits,
      partsPerInvocation,
      schedule,
      scheduleWhole,
      restart,
      reading,
      job: contextOf(opened, { engine: watch.engine, run }),
      before: there,
      copies: way.copies?.(job, object),
    }
    const written = await copyProved(way, work, chunk)
    const condition = await judgeCondition(job, written, { upload: plan.route === 'multipart' })
    const kept = await checkAttributes(destination, attributes, { ...written, bytes: object.bytes }, run.abort)
    for (const one of kept.notices) run.emit(one)
    const summary = summarize(job, way, {
      ...facts(),
      attributes: kept.attributes,
      written: { ...written, condition },
    })
    const { manifestOut } = job.run
    const copied = { ...written, bytes: object.bytes }
    if (settings.move) {
      manifestOut?.intend('move', '', copied, object)
      await removeMoved(job, object, copied, apart)
    }
    manifestOut?.copied(settings.move ? 'move' : 'copy', '', copied, object)
    return summary
  } finally {
    watch.stop()
  }
}

/**
 * For a move: what an earlier run has copied and proved, or what both stores prove to be there already, is not copied again.
 *
 * @param {Job} job
 * @returns {Promise<{ moved?: import('./report').MovedBytes, apart?: boolean }>} moved: its source is deleted
 */
async function moveWithoutCopy(job) {
  const { findAlready, goOnMoving } = require('./move')
  const finished = await goOnMoving(job)
  if (finished) return { moved: finished }
  const { already, apart } = await findAlready(job)
  const { upload, completed, left, creatingMs } = job.run.journal.state
  // An upload that is under way has to be completed, or aborted.
  const pending = (upload && !completed) || left?.length > 0 || creatingMs !== undefined
  if (!already || pending) return { apart }
  const { read, there, proof } = already
  await removeMoved(job, read, { ...there, proof }, apart)
  return { moved: { ...there, proof } }
}

/**
 * @param {Pick<Job, 'source' | 'destination' | 'run'>} job
 * @param {ObjectHead} object the source as it was read
 * @param {import('./report').MovedBytes} copied
 * @param {boolean} apart
 */
async function removeMoved(job, object, copied, apart) {
  const { journal } = job.run
  const { bytes, etag, versionId, proof } = copied
  if (journal.state.object === undefined) await noteObject(job, object)
  // Should this run be killed now, the next one knows that the copy is proved.
  await journal.write({ type: 'removing', etag, ...(versionId !== undefined && { versionId }), proof })
  await require('./move').removeSource(job, { read: object, copied: { bytes, etag, versionId }, apart })
}

/**
 * For a dry run: what the journal says that earlier runs have uploaded. An upload that was begun without checksums is not
 * resumed by a copy that is to be proved.
 *
 * @param {Pick<Job, 'settings' | 'run'>} job
 * @returns {Extract<import('../types').JobEvent, { type: 'resume' }> | undefined} undefined: there is nothing to resume
 */
function resumable({ settings, run }) {
  const { id, upload, parts } = run.journal.state
  if (!upload || (upload.plain && settings.proved)) return undefined
  const bytes = [...parts.values()].reduce((sum, part) => sum + part.bytes, 0)
  return { type: 'resume', job: id, parts: parts.size, bytes }
}

/**
 * Of a dry run: what the copy will use.
 *
 * @param {Context} job
 * @param {ObjectHead} object
 * @param {Plan} plan
 * @param {{ concurrency: number, earlier?: { parts: number, bytes: number } }} how earlier: what earlier runs have copied
 */
function planUse(job, { sums }, { route, parts, bytes, growing }, { concurrency, earlier = { parts: 0, bytes: 0 } }) {
  if (growing) return
  const inParts = route === 'put' ? 0 : 1
  const left = { parts: inParts * parts.length - earlier.parts, bytes: bytes - earlier.bytes }
  const how = { concurrency, byStore: job.engine.runsOn === 'store', readsTwice: !hasCrc(sums ?? {}) }
  job.run.usage.plan(job, { objects: 1 - inParts, inParts, ...left, ...how })
}

/**
 * @typedef {object} CopyWay
 * @property {import('../types').Engine} engine runs its tasks
 * @property {string} why the reason for this way
 * @property {number} [partsPerInvocation] absent: chosen by the quota
 * @property {(job: Context, object: ObjectHead, askLimits: () => Promise<import('../types').EngineLimits>) => Promise<Chunk>} chooseChunk
 * @property {(job: Pick<Job, 'source'>, object: ObjectHead) => import('../types').CopySource} [copies] the source of a server-side copy
 * @property {(work: WriteWork, written: Written) => Promise<Proof[]>} [readBack] reads the copy back, for `--verify full`; absent: its writers do that themselves
 * @property {import('../types').Plan} [plan] of an object whose size is not known; absent: made of its size
 * @property {WriteWork['schedule']} [schedule] how its parts come to the scheduler
 * @property {WriteWork['scheduleWhole']} [scheduleWhole]
 * @property {import('../types').EngineLimits} [limits] of the engine; absent: it is asked
 *
 * @typedef {import('./plan').PlannedChunk & { whole?: boolean }} Chunk whole: whether one request writes it all; what the engine can
 *   do when absent
 */

module.exports = { copyBy, copyObject }
