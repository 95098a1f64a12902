'use strict'

/** Begins a multipart upload, or resumes the one of an earlier run. */

const { settleCompletion } = require('./complete')
const { refusedWith } = require('./attributes')
const { asXferError, throwIfAborted, unlessDenied } = require('../errors')
const { carriesSums, evidenceFrom, hasCrc, namesOf, only } = require('../integrity')
const {
  abortLimitMs,
  abortUntilGone,
  abortOwnUpload,
  clearCreating,
  isGone,
  listStored,
  mayHaveCreated,
  reportLost,
  trustParts,
  UNKNOWN_TIMING,
} = require('../destination')
const { notice } = require('../notices')
const { isStoresOwn, noteIn, sizeOf, writtenOf } = require('./send')

/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Upload} Upload */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */

/** @type {import('../types').Proof[]} */
const STORES_OWN = ['store']

/**
 * Resumes the upload of an earlier run: returns the parts that it has, or the object if it was completed.
 *
 * @param {WriteWork} work
 * @returns {Promise<{ created: Upload, done: TaskSuccess[] } | { written: Written } | undefined>} undefined when there
 *   is none to resume
 */
async function goOn(work) {
  const { job, plan } = work
  const { destination, settings } = job
  const { journal, cancel, abort, emit } = job.run
  // What a killed run left: the probe's upload, and an upload whose creation was never answered.
  for (const upload of journal.state.left ?? []) await abortOwnUpload(job, upload, cancel)
  const { upload: created, parts, completing, completed } = journal.state
  if (!created) return undefined
  await clearCreating(job, [created.id])
  const { store, key } = destination
  if (completed) {
    const outcomes = [...parts.values()].sort((one, other) => one.partNumber - other.partNumber)
    const provable = isProvable(outcomes) && (settings.proved || !completed.doubtful)
    if (outcomes.length === plan.parts.length && provable) return resumedFrom(work, outcomes, completed)
  }
  // Its completion may have been carried out: some stores then still list the upload, or no parts, as before the first one.
  const made = completing && (await findCompleted(work, { sure: true }).catch(() => undefined))
  if (made) {
    // It may be an earlier object with the same bytes. Then nobody would complete or abort the upload later.
    await abortUntilGone(store, key, created.id, abort).catch(unlessDenied)
    return made
  }
  try {
    const place = { store, key, uploadId: created.id, signal: cancel }
    // For a store that does not keep where parts begin.
    const ranges = plan.parts.flatMap(part => {
      const { sums } = parts.get(part.partNumber) ?? {}
      return sums ? [{ ...part, sums: namesOf(sums) }] : []
    })
    const stored = await listStored(place, plan.parts, ranges)
    if (created.plain && settings.proved) {
      emit(notice('UPLOAD_REPEATED', { why: 'unprovable' }))
      await abortOwnUpload(job, { id: created.id }, abort)
      return undefined
    }
    const { checked } = created
    const trusted = trustParts(plan.parts, parts, stored, { unproved: !settings.proved, checked })
    // A read-back needs a checksum to compare with.
    const done = trusted.filter(part => settings.verify !== 'full' || work.copies || !isStoresOwn(part))
    emit({ type: 'resume', job: journal.state.id, parts: done.length, bytes: sizeOf(done) })
    // Without these notes in its journal, a later run could not tell whether the upload was completed.
    for (const part of done) if (parts.get(part.partNumber)?.etag !== part.etag) noteIn(journal, created.id, part)
    return { created: { ...created, asked: completing !== undefined }, done }
  } catch (error) {
    if (!isGone(asXferError(error))) throw error
  }
  const found = completing && (await findCompleted(work))
  if (found) return found
  emit(notice('UPLOAD_REPEATED', { why: 'vanished' }))
  await journal.write({ type: 'gone', upload: created.id })
  return undefined
}

/**
 * The upload is gone and its completion was requested: checks whether the object at the destination is its result.
 *
 * @param {WriteWork} work
 * @param {{ sure?: true }} [how] sure: not if it may be another one
 * @returns {Promise<{ written: Written } | undefined>}
 */
async function findCompleted(work, { sure } = {}) {
  const { job, object, plan } = work
  const { destination, settings } = job
  const { journal, abort: signal } = job.run
  const { upload, parts, completing } = journal.state
  const outcomes = plan.parts.flatMap(({ partNumber }) => parts.get(partNumber) ?? [])
  if (!upload || !completing || outcomes.length !== plan.parts.length) return undefined
  if (settings.proved && !isProvable(outcomes)) return undefined
  const { checked } = upload
  const { store, key } = destination
  const { sums = {} } = completing
  const { kept } = evidenceFrom(store.can, { checked })
  const sent = { bytes: object.bytes, sums, parts: outcomes, kept, attributes: work.attributes }
  const found = await settleCompletion({ store, key, ...sent, signal })
  // There is nothing to compare a read-back of a copy by the store with.
  if (!found || (found.doubtful && (sure || !settings.proved || work.copies))) return undefined
  const { etag, versionId, doubtful } = found
  return resumedFrom(work, outcomes, { etag, versionId, storedSums: only(found.sums, kept), doubtful })
}

/**
 * @param {WriteWork} work
 * @param {Array<Omit<TaskSuccess, 'timing'>>} parts all of them
 * @param {import('../types').CompletedUpload & { storedSums?: import('../types').Sums }} completed
 * @returns {{ written: Written }}
 */
function resumedFrom({ job, object }, parts, completed) {
  const { upload, completing, id } = job.run.journal.state
  const { sums = {} } = completing ?? {}
  job.run.emit({ type: 'resume', job: id, parts: parts.length, bytes: object.bytes })
  const outcomes = parts.map(part => ({ ...part, timing: UNKNOWN_TIMING }))
  const how = { sums, completed, ...(job.settings.proved && outcomes.some(isStoresOwn) && { proofs: STORES_OWN }) }
  // What an earlier run has written this one has not seen confirmed.
  return { written: { ...writtenOf(job, /** @type {Upload} */ (upload), outcomes, how), written: false } }
}

/** Whether a read-back could prove the parts that nothing else proves. @param {Array<Pick<import('../types').JobPart, 'sums' | 'server'>>} parts */
function isProvable(parts) {
  return parts.every(({ sums, server }) => hasCrc(sums) || server)
}

/**
 * Begins a new upload, with checksums if the store is known to check those of parts, or a trial shows that it does. It computes
 * those of the parts that it copies itself.
 *
 * @param {WriteWork} work
 * @returns {Promise<Upload>}
 */
async function begin(work) {
  const { destination, run, settings, trust } = work.job
  const { store, key } = destination
  if (!settings.proved || !carriesSums(store.can)) return await create(work, false)
  if (work.copies) return await create(work, trust.put() && store.serverCopy?.takesSums === true)
  return await create(work, await trust.part({ key, journal: run.journal, signal: run.cancel }))
}

/**
 * Creates an upload. If the answer to a creation may have been lost, in this run or in the one before, it looks for the
 * upload that this left behind.
 *
 * @param {WriteWork} work
 * @param {boolean} checksum
 * @returns {Promise<Upload>}
 */
async function create({ job, attributes, object: { bytes } }, checksum) {
  const { destination, settings } = job
  const { journal, cancel, abort: signal } = job.run
  throwIfAborted(cancel)
  const { store, key } = destination
  const { creatingMs } = journal.state
  if (creatingMs !== undefined) await reportLost(job, { createdMs: creatingMs, signal })
  const createdMs = store.now()
  // The creation that the earlier run requested may have happened since.
  let lost = creatingMs !== undefined
  const onRetry = (/** @type {import('../types').XferError} */ error) => {
    lost ||= mayHaveCreated(error)
  }
  await journal.write({ type: 'creating', atMs: createdMs })
  /** @type {Upload} */
  let created
  try {
    created = await store.upload.create({ key, attributes, checksum, bytes }, { signal, onRetry })
    if (created.checksums) created = { ...created, checked: true }
  } catch (error) {
    const refused = !mayHaveCreated(asXferError(error))
    // A kept job looks again when it is resumed: the creation may still happen.
    const end = job.keepsUploads() ? signal : AbortSignal.timeout(abortLimitMs(job.run))
    const sought = lost || !refused ? reportLost(job, { createdMs, signal: end }) : Promise.resolve()
    const clear = await sought.then(
      () => true,
      // If the peer is no store, nothing was left.
      cause => asXferError(error).code === 'NOT_A_STORE' && asXferError(cause).code === 'NOT_A_STORE',
    )
    if (clear && (refused || !job.keepsUploads())) await journal.write({ type: 'cleared' })
    throw refusedWith(attributes, asXferError(error))
  }
  const { id, checksums, checked, encrypted } = created
  if (lost) {
    // Look for the lost upload before the journal has the new one: if the run is killed here, the next one looks again.
    await reportLost(job, { createdMs, ours: [id], signal }).catch(async error => {
      const end = AbortSignal.timeout(abortLimitMs(job.run))
      if (!job.keepsUploads()) await abortUntilGone(store, key, id, end).catch(() => {})
      throw error
    })
  }
  await journal.write({
    type: 'upload',
    id,
    checksums,
    ...(!settings.proved && { plain: /** @type {const} */ (true) }),
    ...(checked && { checked: /** @type {const} */ (true) }),
    ...(encrypted && { encrypted: /** @type {const} */ (true) }),
  })
  return created
}

module.exports = { begin, goOn }
