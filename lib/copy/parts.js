'use strict'

/**
 * The route `multipart`: create or resume the upload, copy the parts, prove them, complete, and read back what nothing else
 * proves. A wrong result is copied again in a new upload, a few times; then it is removed.
 */

const { AGAIN } = require('../async')
const { complete } = require('./complete')
const { XferError, asXferError, factsOfCause, throwIfAborted } = require('../errors')
const { abortLimitMs, abortUntilGone, isConditional, removeWrong, tellLapse } = require('../destination')
const { checkParts, sameCrcs } = require('../integrity')
const { trackDetached } = require('../schedule')
const { checkReadable, recheckSource, wrongCopy } = require('../verify')
const { notice } = require('../notices')
const { begin, goOn } = require('./begin')
const { copyParts, isStoresOwn, proveParts, proveStored, rangesToRead, sizeOf, writtenOf } = require('./send')

/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Upload} Upload */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {Written & { wrong?: import('./send').Wrong }} Judged */

/** How long to wait for detached invocations after the upload is gone. */
const DETACHED_LIMIT_MS = 5_000

/**
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 * @throws {XferError} WRONG_COPY when every try came out wrong: the object is removed then; INTEGRITY;
 *   READ_BACK_REFUSED before anything is visible; NOT_READ_BACK
 */
async function writeMultipart(work) {
  const { job, plan, restart } = work
  const { condition: wanted } = job.settings
  const most = plan.growing ? 1 : 1 + AGAIN.WRONG_UPLOAD
  let condition = wanted
  /** The wrong object that is at the destination. @type {Judged | undefined} */
  let left
  const onCompleted = () => {
    left = undefined
  }
  for (let uploads = 1; ; uploads++) {
    /** @type {XferError | undefined} */
    let error
    try {
      const judged = await upload(work, condition, onCompleted)
      if (!judged.wrong) return judged
      left = judged
    } catch (cause) {
      error = asXferError(cause)
    }
    if ((error && !isAnew(error)) || uploads === most) throw await giveUp(work, left, error)
    const reason = error?.message ?? `The copy is wrong: ${left?.wrong?.reason}.`
    job.run.emit(notice('UPLOAD_REPEATED', { reason }))
    // The object that exists now is our own.
    if (left && left.etag !== '' && isConditional(wanted)) condition = { ifMatch: left.etag }
    restart()
  }
}

/**
 * @param {WriteWork} work
 * @param {Judged | undefined} left
 * @param {XferError | undefined} error undefined when the last try came out wrong, too
 * @returns {Promise<XferError>}
 */
async function giveUp({ job }, left, error) {
  if (!left) return /** @type {XferError} */ (error)
  if (!error || isAnew(error)) {
    return await wrongCopy(job.destination, left, /** @type {import('./send').Wrong} */ (left.wrong), error)
  }
  const now = await removeWrong(job.destination, left)
  job.run.emit(notice('EARLIER_UPLOAD_WRONG', { location: job.destination.text, now }))
  return error
}

/**
 * @param {WriteWork} work
 * @param {import('../types').WriteCondition} condition of the write
 * @param {() => void} onCompleted called when the object is, or may be, visible: the previous object is gone then
 * @returns {Promise<Judged>}
 */
async function upload(work, condition, onCompleted) {
  const { job, plan } = work
  const { settings } = job
  const kept = await goOn(work)
  if (kept && 'written' in kept) return await proveStored(work, kept.written)
  const { created, done } = kept ?? { created: await begin(work), done: [] }
  const { store, key } = job.destination
  const detached = work.detached ?? trackDetached(job.engine)
  /** Whether any part was sent more than once: an abandoned request may still arrive. */
  let twice = false
  /** @type {typeof job.run.emit} */
  const emit = event => {
    twice ||= event.type === 'hedge' || event.type === 'retry'
    job.run.emit(event)
  }
  // A late twin would write into a part that is proved: where parts are written in place there are none.
  const hedge = store.can.written !== true
  const copyRest = (/** @type {TaskSuccess[]} */ rest) =>
    copyParts(work, created, rest, { run: detached.run, emit, hedge })
  /** @type {Written} */
  let written
  try {
    // Known beforehand for a store whose answers prove nothing, such as one that says that its ETags are no MD5s.
    const known = rangesToRead(work, { created })
    if (known.length > 0) {
      if (settings.verify !== 'full')
        job.run.emit(notice('READ_BACK_NEEDED', { bytes: sizeOf(known), unknown: store.unknown?.() }))
      await checkReadable(work, created)
    }
    const copied = await copyRest(done)
    throwIfAborted(job.run.cancel)
    const { outcomes, unproved, proofs } = await proveAllParts(work, created, copied, copyRest)
    if (known.length === 0 && rangesToRead(work, { created, unproved }).length > 0) await checkReadable(work, created)
    const sums = checkParts(outcomes, plan.parts, work.object)
    await job.run.journal.write({ type: 'completing', upload: created.id, sums })
    job.run.emit({ type: 'phase', phase: 'assembling', parts: plan.parts.length })
    const completed = await complete(work, created, outcomes, { sums, condition }).catch(error => {
      if (error.code === 'OUTCOME_UNKNOWN') onCompleted()
      throw error
    })
    onCompleted()
    const { etag, versionId, doubtful, contradiction } = completed
    await job.run.journal.write({ type: 'completed', upload: created.id, etag, versionId, doubtful, contradiction })
    if (twice) {
      // A part that arrived during the completion can have recreated the upload.
      await detached.ended(DETACHED_LIMIT_MS)
      const signal = AbortSignal.timeout(abortLimitMs(job.run))
      await abortUntilGone(store, key, created.id, signal).catch(() => {})
    }
    written = writtenOf(job, created, outcomes, { sums, proofs, completed })
  } catch (error) {
    throw await leave(work, created.id, detached, asXferError(error))
  }
  return await proveStored(work, written)
}

/**
 * Keeps the parts of a copy that ends early if the job can be resumed, otherwise aborts the upload.
 *
 * @param {WriteWork} work
 * @param {string} uploadId
 * @param {import('../types').DetachedCalls} detached
 * @param {XferError} error why
 * @returns {Promise<XferError>} the same, or one that says what could not be removed
 */
async function leave({ job }, uploadId, detached, error) {
  const { store, key, text } = job.destination
  const { journal } = job.run
  if (job.keepsUploads() && !error.final && !isAnew(error)) {
    await detached.ended(0)
    return error
  }
  // The upload belongs to who has taken the job over.
  const taken = await journal.takenOver?.()
  if (taken) return taken
  const signal = AbortSignal.timeout(abortLimitMs(job.run))
  try {
    const outcome = await abortUntilGone(store, key, uploadId, signal)
    if (outcome === 'lapses') tellLapse(job.destination, journal.state.parts.size, job.run.emit)
    if (detached.count() > 0) {
      await detached.ended(Math.min(DETACHED_LIMIT_MS, abortLimitMs(job.run) / 3))
      await abortUntilGone(store, key, uploadId, signal)
    }
    await journal.write({ type: 'gone', upload: uploadId })
    return error
  } catch {
    return new XferError('UPLOAD_LEFT', { ...factsOfCause(error), uploadId, location: text }, { cause: error })
  }
}

/**
 * Failures that a new upload may avoid: a part is damaged, and nothing else is wrong.
 *
 * @param {XferError} error
 */
function isAnew({ code, facts }) {
  if (!facts.completes) return false
  return code === 'INTEGRITY' || (code === 'STORE_REFUSED' && facts.status === 400 && !facts.ofTheRequest)
}

/**
 * Proves that the destination has the parts as sent and that they are the source's bytes. Either check may copy parts again,
 * so both are repeated until neither does.
 *
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} copied all parts, in order
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest copies the parts that are not among those given
 * @returns {Promise<{ outcomes: TaskSuccess[], unproved: number[], proofs: import('../types').Proof[] }>} unproved: numbers of the
 *   parts that only a read-back can prove
 */
async function proveAllParts(work, created, copied, copyRest) {
  const { job } = work
  // Nothing has read the bytes that the store copied.
  if (work.copies) {
    const proofs = 'lend' in work.copies ? await require('./store').proofsOfPulled(work, copied) : []
    return { outcomes: copied, unproved: [], proofs }
  }
  /** @type {import('../types').Proof[]} */
  let proofs = []
  let outcomes = copied
  for (let rounds = 1; ; rounds++) {
    const { outcomes: stored, unproved } = await proveParts(work, created, outcomes, copyRest)
    if (rounds > 1 && areSame(stored, outcomes)) return { outcomes, unproved, proofs }
    const read = await recheckSource(work, created, stored, copyRest)
    outcomes = read.outcomes
    proofs = [
      ...read.proofs,
      ...(job.settings.proved && outcomes.some(isStoresOwn) ? [/** @type {const} */ ('store')] : []),
    ]
    if (areSame(stored, outcomes)) return { outcomes, unproved, proofs }
  }
}

/** @param {TaskSuccess[]} some @param {TaskSuccess[]} others of the same parts */
function areSame(some, others) {
  return some.every((one, i) => {
    const other = others[i]
    return one.etag === other.etag && (sameCrcs(one.sums, other.sums) || (isStoresOwn(one) && isStoresOwn(other)))
  })
}

module.exports = { writeMultipart }
