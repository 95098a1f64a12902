'use strict'

/** The route `put`, by the store itself: one CopyObject, and what becomes of it where its answer is lost. */

const { conceding } = require('../concessions')
const { checkFound, inWordsOf, isConditional } = require('../condition')
const { XferError, asXferError, throwIfAborted } = require('../errors')
const { checkStored, fullCrc32, sameEtag } = require('../integrity')
const { repeat } = require('../repeat')
const { UNSEEN, isUnchanged, judge, leavesOpen, look, unknownOutcome } = require('../settle')
const { takeAway } = require('../verify/read-back')

/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../types').CompletedObject} CompletedObject */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {import('../settle').Found} Found */
/** @typedef {{ metadata: boolean, tags: boolean }} Keep what the store is to take from the source as it is */

/**
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 * @throws {Failure} COPY_REFUSED where the store does not do it
 */
async function copyWhole(work) {
  const { job, attributes } = work
  const { destination, settings } = job
  const { condition } = settings
  const before = await look(destination, job.stopping)
  const atomic = !isConditional(condition) || destination.store.copiesUnderCondition
  if (!atomic) checkFound(before, condition, destination.store.facts)
  const tell = (/** @type {string} */ message) => job.emit({ type: 'notice', message })
  const write = { attributes, wish: settings.attributes, text: destination.text, tell }
  const startedMs = Date.now()
  const { result, without } = await conceding(write, granted => copyGranted(work, granted, before))
  const [{ partNumber, bytes }] = work.plan.parts
  job.emit({ type: 'part', partNumber, bytes, attempt: 1, elapsedMs: Date.now() - startedMs })
  const written = await confirm(work, result)
  return { ...written, without, ...(!atomic && { unconditional: true }) }
}

/**
 * The store takes the tags from the source itself. Who may write them, and not read them there, sends those that are known.
 *
 * @param {WriteWork} work
 * @param {ObjectAttributes} attributes
 * @param {Found} before
 */
async function copyGranted(work, attributes, before) {
  const { attributes: wish } = work.job.settings
  const { headers, user } = wish.given
  const changed = wish.metadata !== 'copy' || wish.mtime || Object.keys({ ...headers, ...user }).length > 0
  const { source } = work.job
  const loses = attributes.metadata.headers.expires !== undefined && !source.store.copiesExpires()
  const keep = { metadata: !changed && !loses, tags: wish.tags === 'copy' }
  try {
    return await copyUntilTold(work, { attributes, keep }, before)
  } catch (error) {
    const { code, cause } = asXferError(error)
    const denied = code === 'COPY_REFUSED' && /** @type {Failure} */ (cause).code === 'ACCESS_DENIED'
    if (!denied || !keep.tags) throw error
    return await copyUntilTold(work, { attributes, keep: { ...keep, tags: false } }, before).catch(() => {
      throw error
    })
  }
}

/**
 * Repeated as a control call, but for this: where an attempt may have been carried out, what is there is looked at before
 * the next.
 *
 * @param {WriteWork} work
 * @param {{ attributes: ObjectAttributes, keep: Keep }} how
 * @param {Found} before what was there before anything was sent
 * @returns {Promise<CompletedObject>}
 */
async function copyUntilTold(work, how, before) {
  const { job } = work
  const { destination, settings, stopping, signal } = job
  let open = false
  const attempt = async () => {
    throwIfAborted(stopping)
    const there = open ? await findOurs(work, before) : undefined
    if (there) return there
    try {
      return await copyOnce(work, how)
    } catch (cause) {
      const error = await ofWhich(work, asXferError(cause))
      open ||= leavesOpen(error)
      throw error
    }
  }
  const onRetry = (/** @type {Failure} */ { code, message }, /** @type {number} */ number) =>
    job.emit({ type: 'retry', call: 'copyObject', side: 'destination', attempt: number, code, message })
  try {
    return await repeat(attempt, { retries: settings.retries, signal, onRetry })
  } catch (cause) {
    const error = asXferError(cause)
    const refusal = inWordsOf(error, settings.condition)
    if (!open || signal?.aborted || stopping?.aborted) throw refusal
    const found = await look(destination, signal).catch(() => UNSEEN)
    const verdict = judgeCopy(work, found, before)
    if (verdict === 'ours') return /** @type {CompletedObject} */ (found.object)
    if (verdict === 'other') throw refusal
    const why = found.denied ? 'it cannot be looked at' : 'nothing tells whether what is there is the copy'
    throw unknownOutcome(destination, why, error)
  }
}

/** @param {WriteWork} work @param {{ attributes: ObjectAttributes, keep: Keep }} how @returns {Promise<CompletedObject>} */
async function copyOnce(work, { attributes, keep }) {
  const { job, object, plan } = work
  const { destination, engine, settings, signal } = job
  const [{ partNumber, bytes }] = plan.parts
  const whole = {
    from: /** @type {import('../types').CopySource} */ (work.copies),
    key: destination.key,
    attributes,
    keep,
    condition: settings.condition,
    // Of a source that has none there is nothing to compare it with.
    checksum: settings.proved && fullCrc32(object.checksum) !== undefined,
  }
  const task = /** @type {import('../types').Task} */ ({ partNumber, bytes, copy: { object: whole } })
  const [outcome] = await engine.run([task], { signal })
  if ('error' in outcome) throw outcome.error.known
  return /** @type {CompletedObject} */ (outcome.object)
}

/** What is there, where that is the copy already. @param {WriteWork} work @param {Found} before @returns {Promise<CompletedObject | undefined>} */
async function findOurs(work, before) {
  const found = await look(work.job.destination, work.job.signal)
  return judgeCopy(work, found, before) === 'ours' ? found.object : undefined
}

/**
 * An object of the same bytes that was there before is not the copy: it may be described otherwise.
 *
 * @param {WriteWork} work
 * @param {Found} found
 * @param {Found} before
 */
function judgeCopy({ object }, found, before) {
  if (found.object && isUnchanged(before, found.object)) return 'other'
  const { bytes, etag, checksum } = object
  return judge(found, before, { bytes, etag, crc32: fullCrc32(checksum) })
}

/**
 * A condition that did not hold may be that of the source, or that of the destination.
 *
 * @param {WriteWork} work
 * @param {Failure} error
 * @returns {Promise<Failure>}
 */
async function ofWhich({ job, object }, error) {
  if (error.code !== 'DESTINATION_EXISTS' && error.code !== 'NO_SUCH_KEY') return error
  const { store, key, versionId } = job.source
  const now = await store.head(key, { signal: job.signal, versionId }).catch(() => undefined)
  return now && sameEtag(now.etag, object.etag) ? error : new XferError('SOURCE_CHANGED', store.facts, { cause: error })
}

/**
 * The answer tells the ETag, and a HEAD that there is such an object, of that size.
 *
 * @param {WriteWork} work
 * @param {CompletedObject} answer
 * @returns {Promise<Written>}
 * @throws {Failure} INTEGRITY, once what is not the source is taken away
 */
async function confirm(work, answer) {
  const { job, object, plan } = work
  const { destination, settings, signal } = job
  const { etag } = answer
  const asks = settings.proved
  const found = asks ? await destination.store.head(destination.key, { signal }).catch(() => undefined) : undefined
  const stored = found && sameEtag(found.etag, etag) ? found : undefined
  const { checksum } = stored ?? answer
  try {
    checkStored({ bytes: stored?.bytes, checksum }, { bytes: object.bytes, crc32: fullCrc32(object.checksum) })
  } catch (cause) {
    const { facts } = asXferError(cause)
    const now = await takeAway(destination, { etag })
    throw new XferError('INTEGRITY', { ...facts, reason: `${facts.reason}; ${now}` }, { cause })
  }
  const [{ partNumber, bytes }] = plan.parts
  const timing = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }
  return {
    outcomes: [{ partNumber, bytes, etag, timing }],
    crc32: fullCrc32(checksum),
    etag,
    versionId: answer.versionId ?? stored?.versionId,
    storedCrc32: checksum?.type === 'FULL_OBJECT' ? checksum.crc32 : undefined,
    stored,
  }
}

module.exports = { copyWhole }
