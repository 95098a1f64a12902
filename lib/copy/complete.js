'use strict'

/**
 * Completes a multipart upload: the object becomes visible, or the store says why not. If the answer leaves that open, a
 * HEAD of the object decides.
 */

const { pause } = require('../async')
const {
  acceptGone,
  asConditionError,
  checkFound,
  isConditional,
  isUnchanged,
  judge,
  leavesOpen,
  look,
  refreshEtags,
  unknownOutcome,
  UNSEEN,
} = require('../destination')
const { XferError, asXferError } = require('../errors')
const { compareSums, contradictionOf, evidenceFrom, hasCrc, multipartEtag, only, sameEtag } = require('../integrity')
const { notice } = require('../notices')
const { hasAttributes, refusedWith } = require('./attributes')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {import('../types').Upload} Upload */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').CompletedObject} CompletedObject */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {import('../destination/conditions').Looked} Looked */

/** How long to look for an object whose completion succeeded but which is not visible yet. */
const SHOW_LIMIT_MS = 10_000

/**
 * @typedef {object} SentUpload
 * @property {number} bytes of the whole object
 * @property {Sums} sums of the whole object, as far as they were computed
 * @property {string} etag the expected ETag if the store's ETags are MD5s
 * @property {boolean} summed whether the store reports the object's checksum
 * @property {readonly import('../types').Sum[]} kept the checksums that the store is known to check or to compute
 *
 * @typedef {object} Completed
 * @property {string} etag
 * @property {string} [versionId]
 * @property {Sums} [storedSums] of the whole object: those that the store is known to check or to compute
 * @property {true} [unconditional] it was written without the condition
 * @property {true} [doubtful] it may be somebody else's; only a read-back can tell
 * @property {true} [unseen] the store allows no HEAD, so the size is unknown
 * @property {string} [contradiction] how the store's answer differs from what was sent, as a clause
 * @property {import('../types').ObjectHead} [stored] as a HEAD has shown it
 */

/**
 * @param {WriteWork} work
 * @param {Upload} upload
 * @param {TaskSuccess[]} outcomes all parts, in order
 * @param {{ sums: Sums, condition?: import('../types').WriteCondition }} how sums: of the whole object; condition:
 *   the job's when absent
 * @returns {Promise<Completed>}
 * @throws {XferError} DESTINATION_EXISTS, DESTINATION_CHANGED; UPLOAD_CONFLICT when everything must be copied
 *   again; OUTCOME_UNKNOWN; the store's refusal
 */
async function complete(work, upload, outcomes, { sums, condition = work.job.settings.condition }) {
  const { job, object, copies } = work
  const { destination } = job
  const { abort: signal } = job.run
  const { bytes } = object
  const { checked = false } = upload
  const { kept } = evidenceFrom(destination.store.can, upload)
  // The look shows the previous object. It is not needed to tell ours from it if the store checks our checksum.
  const blind = checked && !isConditional(condition)
  const before = blind ? UNSEEN : await look(destination, signal).catch(() => UNSEEN)
  const asked = { upload, outcomes, sums, before, condition }
  const { answer, error, open, parts, ...how } = await askCompletion(work, asked)
  const sent = { bytes, sums, etag: multipartEtag(parts), summed: checked, kept }
  /** @type {CompletedObject & Partial<import('../types').ObjectHead> & { doubtful?: true, unseen?: true }} */
  let completed
  if (answer) completed = await confirm(work, { uploadId: upload.id, answer, before, sent })
  else {
    const failed = { error: /** @type {XferError} */ (error), open: open || upload.asked === true }
    const asked = { parts, before, sent, condition, attributes: work.attributes }
    completed = await judgeFailedCompletion(job, { ...failed, ...asked })
    // The upload is gone unless somebody else wrote the same bytes.
    await destination.store.upload.abort?.({ key: destination.key, uploadId: upload.id }, { signal }).catch(() => {})
  }
  // Nobody read the bytes of a copy by the store: it must have the checksum of its source.
  const expected = copies ? { ...object.sums, ...sums } : sums
  // A checksum of the whole that the store computed says more than an ETag, which may only look like one made of MD5s.
  const sure = checked || compareSums(sums, completed.sums, kept).equal.length > 0
  const contradiction = contradictionOf(completed, { bytes, sums: expected, parts: sure ? [] : parts })
  const { etag, versionId, sums: storedSums, doubtful, unseen, metadata } = completed
  const stored = metadata && /** @type {import('../types').ObjectHead} */ (completed)
  return { etag, versionId, storedSums: only(storedSums, kept), doubtful, unseen, contradiction, stored, ...how }
}

/**
 * Requests the completion until it is answered or refused.
 *
 * @param {Pick<WriteWork, 'job' | 'object' | 'attributes'>} work
 * @param {{ upload: Upload, outcomes: TaskSuccess[], sums: import('../types').Sums, before: Looked, condition: import('../types').WriteCondition }} what
 * @returns {Promise<Pick<Completed, 'unconditional'> & { answer?: CompletedObject, error?: XferError,
 *   open: boolean, parts: TaskSuccess[] }>} open: an earlier request may have succeeded, whatever the last one answered
 */
async function askCompletion({ job, object, attributes }, { upload, outcomes, sums, before, condition }) {
  const { destination } = job
  const { abort: signal } = job.run
  const { store, key } = destination
  let parts = outcomes
  let open = false
  const onRetry = (/** @type {XferError} */ error) => {
    open ||= leavesOpen(error)
  }
  for (;;) {
    const input = {
      attributes,
      key,
      uploadId: upload.id,
      bytes: object.bytes,
      condition,
      parts: parts.map(({ partNumber, etag, bytes, sums }) => ({ partNumber, etag, bytes, sums })),
      ...(upload.checksums && { sums }),
    }
    try {
      // As late as possible, because some stores ignore conditions.
      checkFound(before, condition, store.facts)
      const answer = await store.upload.complete(input, { signal, onRetry })
      const unconditional = isConditional(condition) && store.can.ignoresConditions
      if (unconditional) job.run.emit(notice('CONDITIONS_NOT_SUPPORTED'))
      return { answer, open, parts, ...(unconditional && { unconditional }) }
    } catch (cause) {
      const error = refusedWith(attributes, asXferError(cause))
      const place = { store, key, uploadId: upload.id, signal }
      const mayRefresh = error.facts.partsDiffer && parts === outcomes
      const refreshed = mayRefresh ? await refreshEtags(place, outcomes).catch(() => undefined) : undefined
      if (!refreshed) return { error, open: open || leavesOpen(error), parts }
      parts = refreshed
    }
  }
}

/**
 * The last look after a successful completion: the destination must show the object. Some stores answer without the object or
 * without an ETag, and one (versitygw) reports success for an upload that is not complete yet or that somebody aborted.
 *
 * @param {WriteWork} work
 * @param {{ uploadId: string, answer: CompletedObject, before: Looked, sent: SentUpload }} what
 * @returns {Promise<CompletedObject & Partial<import('../types').ObjectHead> & { doubtful?: true, unseen?: true }>} doubtful: another
 *   object shows
 */
async function confirm({ job, looks, onWritten }, { uploadId, answer, before, sent }) {
  const { destination, run } = job
  const { abort: signal } = run
  const { store, key, text } = destination
  const together = looks && answer.etag !== '' && !store.can.written
  if (together) onWritten?.()
  const listed = together ? await looks.of(key, { bytes: sent.bytes, etag: answer.etag }) : undefined
  if (listed === 'shown') return { ...answer, bytes: sent.bytes }
  for (let waitedMs = 0, waitMs = 100; ; waitedMs += waitMs, waitMs *= 2) {
    const found = listed === 'denied' ? UNSEEN : await look(destination, signal)
    if (found.denied) {
      looks?.denied()
      run.emit(notice('COPY_NOT_LOOKED_AT', { location: text, reason: 'it may not be read' }))
      if (answer.etag !== '') return { ...answer, unseen: true }
      throw unknownOutcome(destination, 'its store tells no ETag of it, and it cannot be looked at')
    }
    const { object } = found
    // Whether to go on waiting for our object: there is none, or it is, or may be, the previous one. If nobody looked before
    // (UNSEEN) and the store reports checksums, any object may be that, unless `judge` finds below that it is ours.
    const stale = !object || isUnchanged(before, object) || (before === UNSEEN && sent.summed)
    if (object && (judge(found, before, sent) === 'ours' || sameEtag(object.etag, answer.etag))) {
      if (listed === 'unlisted') await looks?.mustList(key)
      return { ...object, versionId: answer.versionId ?? object.versionId }
    }
    // Somebody else wrote the key since, or the store keeps something else than it says: reading tells.
    if (object && !stale)
      return answer.etag === '' ? { ...object, versionId: answer.versionId } : { ...object, doubtful: true }
    if (waitedMs >= SHOW_LIMIT_MS) {
      const another = object && !isUnchanged(before, object)
      // An answer with our checksum is no lie: the upload is gone because it became the object.
      if (!another || !hasCrc(only(answer.sums, sent.kept)))
        await store.upload.parts({ key, uploadId, most: 1 }, { signal }).catch(({ code }) => {
          if (code === 'UPLOAD_GONE') throw new XferError('UPLOAD_GONE', store.facts)
        })
      if (another) return { ...object, doubtful: true }
      const what = object ? 'the object that was there before' : 'no object'
      throw new XferError('BAD_ANSWER', { ...store.facts, reason: `it completed the upload, and shows ${what}` })
    }
    await pause(waitMs, signal)
  }
}

/**
 * What a failed completion means, after a look at the destination.
 *
 * @param {import('../job/open').Context} job
 * @param {{ error: XferError, open: boolean, parts: TaskSuccess[], before: Looked, sent: SentUpload, condition: import('../types').WriteCondition, attributes: import('../types').ObjectAttributes }} what
 * @returns {Promise<CompletedObject & { bytes?: number, doubtful?: true }>} the object is ours: only the answer was lost
 */
async function judgeFailedCompletion(
  { destination, run },
  { error, open, parts, before, sent, condition, attributes },
) {
  const { abort: signal } = run
  const refusal = asConditionError(error, condition)
  // A request that was repeated on its way is refused for what it did itself: a store that tells knows better.
  if (!(open || destination.store.upload.made) || signal?.aborted) throw refusal
  const found = await look(destination, signal).catch(() => undefined)
  const made = await judgeMade(destination, found?.object, parts, signal)
  if (!open && made !== 'ours') throw refusal
  const verdict = made ?? (found && judge(found, before, sent))
  const object = /** @type {import('../types').ObjectHead} */ (found?.object)
  const asSent =
    made === 'ours' || !object || (await hasAttributes(destination, attributes, { object, before }, signal))
  if (verdict === 'ours' && asSent) return object
  if (verdict === 'other' || !asSent) throw refusal
  if (verdict === 'unknown' && object && hasCrc(sent.sums)) return { ...object, doubtful: true }
  const why = found && !found.denied ? 'nothing tells whether what is there is the copy' : 'it cannot be looked at'
  throw unknownOutcome(destination, `an answer was lost, and ${why}`, error)
}

/**
 * Whether the object at the destination is made of these parts: settles a completion whose answer was lost.
 *
 * @param {object} sent
 * @param {import('../types').Store} sent.store
 * @param {string} sent.key
 * @param {number} sent.bytes of the whole object
 * @param {Sums} sent.sums of the whole object, as far as they were computed
 * @param {Array<{ etag: string }>} sent.parts all parts, in order
 * @param {readonly import('../types').Sum[]} [sent.kept] the checksums that the store is known to check or to compute
 * @param {import('../types').ObjectAttributes} sent.attributes that it was to be written with
 * @param {AbortSignal} [sent.signal]
 * @returns {Promise<(CompletedObject & { doubtful?: true }) | undefined>} undefined if there is no object or another one;
 *   doubtful: the size is right, and nothing else is known
 * @throws {XferError} if the store allows no HEAD: the result is unknown then
 */
async function settleCompletion({ store, key, bytes, sums, parts, kept, attributes, signal }) {
  const object = await store.head(key, { signal }).catch(acceptGone)
  if (!object) return undefined
  const made = await judgeMade({ store, key }, object, parts, signal)
  const verdict = made ?? judge({ object, denied: false }, undefined, { bytes, sums, etag: multipartEtag(parts), kept })
  if (verdict === 'other' || !(made || (await hasAttributes({ store, key }, attributes, { object }, signal))))
    return undefined
  return verdict === 'ours' ? object : { ...object, doubtful: true }
}

/**
 * Whether the object at the destination is made of our parts, as far as its store tells.
 *
 * @param {{ store: import('../types').Store, key: string }} destination
 * @param {import('../types').ObjectHead | undefined} object what is there
 * @param {Array<{ etag: string }>} parts all of them, in order
 * @param {AbortSignal} [signal]
 * @returns {Promise<'ours' | 'other' | undefined>} undefined: the store does not tell
 */
async function judgeMade({ store: { upload }, key }, object, parts, signal) {
  if (!upload.made || !object || parts.length === 0) return undefined
  return await upload.made({ key, parts }, { signal }).then(
    etag => (etag !== undefined && sameEtag(etag, object.etag) ? 'ours' : 'other'),
    () => undefined,
  )
}

module.exports = { complete, settleCompletion }
