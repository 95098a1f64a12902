'use strict'

/**
 * The route `multipart`: create or resume the upload, copy the parts, prove them, complete, and read back what nothing else
 * proves. A wrong result is copied again in a new upload, a few times; then it is removed.
 */

const { complete } = require('./complete')
const { XferError, asXferError, throwIfAborted } = require('../../errors')
const { ABORT_LIMIT_MS, abortUntilGone, isConditional, removeWrong } = require('../../destination')
const { checkParts, compareSums, evidenceFrom, sameCrcs } = require('../../integrity')
const { trackDetached } = require('../../transfer')
const { checkReadable, recheckSource } = require('../../verify')
const { notice } = require('../../notices')
const { begin, goOn } = require('./begin')
const { isAnew, leave, watchTwins } = require('./leave')
const { copyParts, isStoresOwn, planSums, proveParts } = require('./parts')
const { proveStored, rangesToRead, tellReadBack } = require('./prove')

/** @typedef {import('../../types').Written} Written */
/** @typedef {import('../../types').WriteWork} WriteWork */
/** @typedef {import('../../types').Upload} Upload */
/** @typedef {import('../../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../../types').XferError} Failure */
/** @typedef {Written & { wrong?: import('./prove').Wrong }} Judged */

/**
 * How to make an upload: with checksums or not, with hedged parts or not, and under which condition of the write.
 *
 * @typedef {{ checksum: boolean, hedge: boolean, condition: import('../../types').WriteCondition }} How
 */

/** How many uploads to try for an object whose result, or whose parts, come out wrong; a stream is not there for another. */
const MOST_UPLOADS = 3
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
  const most = plan.growing ? 1 : MOST_UPLOADS
  // A late twin would write into a part that is proved: where parts are written in place there are none.
  const hedge = job.destination.store.can.written !== true
  /** @type {How} */
  let how = { checksum: job.settings.proved, hedge, condition: job.settings.condition }
  /** The wrong object that is at the destination. @type {Judged | undefined} */
  let left
  const onCompleted = () => {
    left = undefined
  }
  for (let uploads = 1; ; ) {
    const { judged, error } = await uploadOnce(work, how, onCompleted)
    if (judged && !judged.wrong) return judged
    left = judged ?? left
    if ((error && !isAnew(error)) || uploads === most) throw await giveUp(work, left, error)
    else {
      uploads++
      const reason = error?.message ?? `The copy is wrong: ${left?.wrong?.reason}.`
      job.run.emit(notice('UPLOAD_REPEATED', { reason }))
      // The object that exists now is our own.
      if (left && left.etag !== '' && isConditional(job.settings.condition))
        how = { ...how, condition: { ifMatch: left.etag } }
    }
    restart()
  }
}

/**
 * @param {WriteWork} work
 * @param {How} how
 * @param {() => void} onCompleted see `upload`
 * @returns {Promise<{ judged?: Judged, error?: Failure }>}
 */
async function uploadOnce(work, how, onCompleted) {
  try {
    return { judged: await upload(work, how, onCompleted) }
  } catch (cause) {
    return { error: asXferError(cause) }
  }
}

/**
 * @param {WriteWork} work
 * @param {Judged | undefined} left
 * @param {Failure | undefined} error undefined when the last try came out wrong, too
 * @returns {Promise<Failure>}
 */
async function giveUp({ job }, left, error) {
  if (!left) return /** @type {Failure} */ (error)
  const { text } = job.destination
  const now = await removeWrong(job.destination, left)
  if (error && !isAnew(error)) {
    job.run.emit(notice('EARLIER_UPLOAD_WRONG', { location: text, now }))
    return error
  }
  return new XferError('WRONG_COPY', { location: text, now, ...left.wrong }, error && { cause: error })
}

/**
 * @param {WriteWork} work
 * @param {How} how
 * @param {() => void} onCompleted called when the object is, or may be, visible: the previous object is gone then
 * @returns {Promise<Judged>}
 */
async function upload(work, how, onCompleted) {
  const { job, plan } = work
  const kept = await goOn(work)
  if (kept && 'written' in kept) return await proveStored(work, kept.written)
  const { created, done } = kept ?? { created: await begin(work, how.checksum), done: [] }
  const { store, key } = job.destination
  const detached = work.detached ?? trackDetached(job.engine)
  const { twice, emit } = watchTwins(job.run.emit)
  const copyRest = (/** @type {TaskSuccess[]} */ rest) =>
    copyParts(work, created, rest, {
      run: detached.run,
      emit,
      hedge: how.hedge,
    })
  /** @type {Written} */
  let written
  try {
    tellReadBack(work, created)
    const known = rangesToRead(work, { created }).length > 0
    if (known) await checkReadable(work, created)
    const copied = await copyRest(done)
    throwIfAborted(job.run.cancel)
    const { outcomes, unproved, proofs } = await proveAllParts(work, created, copied, copyRest)
    if (!known && rangesToRead(work, { created, unproved }).length > 0) await checkReadable(work, created)
    const sums = checkParts(outcomes, plan.parts, work.object)
    await job.run.journal.write({ type: 'completing', upload: created.id, sums })
    job.run.emit({ type: 'phase', phase: 'assembling', parts: plan.parts.length })
    const { condition } = how
    const completed = await complete(work, created, outcomes, { sums, condition }).catch(error => {
      if (error.code === 'OUTCOME_UNKNOWN') onCompleted()
      throw error
    })
    onCompleted()
    const { etag, versionId, doubtful, contradiction } = completed
    await job.run.journal.write({ type: 'completed', upload: created.id, etag, versionId, doubtful, contradiction })
    if (twice()) {
      // A part that arrived during the completion can have recreated the upload.
      await detached.ended(DETACHED_LIMIT_MS)
      const signal = AbortSignal.timeout(ABORT_LIMIT_MS)
      await abortUntilGone(store, key, created.id, signal).catch(() => {})
    }
    const { checked } = created
    const { believed, kept, written: onDisk } = evidenceFrom(store.can, created)
    const proved = compareSums(sums, completed.storedSums, kept).equal.length > 0
    const ofWhole = planSums(work, created).evidence === 'computed'
    written = {
      ...{ outcomes, sums, proofs, believed },
      unproved: ofWhole && !proved ? plan.parts.map(({ partNumber }) => partNumber) : unproved,
      ...(checked && { checked: true }),
      ...(onDisk && { onDisk }),
      ...completed,
    }
  } catch (error) {
    throw await leave(work, created.id, detached, asXferError(error))
  }
  return await proveStored(work, written)
}

/**
 * Proves that the destination has the parts as sent and that they are the source's bytes. Either check may copy parts again,
 * so both are repeated until neither does.
 *
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} copied all parts, in order
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest copies the parts that are not among those given
 * @returns {Promise<{ outcomes: TaskSuccess[], unproved: number[], proofs: import('../../types').Proof[] }>} unproved: numbers of the
 *   parts that only a read-back can prove
 */
async function proveAllParts(work, created, copied, copyRest) {
  const { job } = work
  // Nothing has read the bytes that the store copied.
  if (work.copies) return { outcomes: copied, unproved: [], proofs: await proofsOfCopies(work, copied) }
  /** @type {import('../../types').Proof[]} */
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

/** @param {WriteWork} work @param {TaskSuccess[]} copied */
async function proofsOfCopies(work, copied) {
  const isPulled = work.copies !== undefined && 'lend' in work.copies
  return isPulled ? await require('../server-copy').proofsOfPulled(work, copied) : []
}

/** @param {TaskSuccess[]} some @param {TaskSuccess[]} others of the same parts */
function areSame(some, others) {
  return some.every((part, i) => part === others[i] || isSame(part, others[i]))
}

/** @param {TaskSuccess} one @param {TaskSuccess} other of the same part */
function isSame(one, other) {
  return one.etag === other.etag && (sameCrcs(one.sums, other.sums) || (isStoresOwn(one) && isStoresOwn(other)))
}

module.exports = { writeMultipart }
