'use strict'

/**
 * The story of a copy: head → plan → create or go on → schedule → check → complete, or leave it for a resume. The bytes
 * never come here.
 */

const { agreeConcurrency, askLimits, shareRate } = require('./allowance')
const { chooseChunk, judgeMatch } = require('./chunk')
const { XferError, asXferError } = require('./errors')
const { againOnConflict, checkDestination, judgeCondition } = require('./condition')
const { proofsOf, sameEtag } = require('./integrity')
const { crc32ToBase64 } = require('./crc32')
const { openJob, closeJob } = require('./job')
const { mergeOptions, optionsToKeep } = require('./job-options')
const { checkKey } = require('./keys')
const { clearLost } = require('./lost')
const { planObject } = require('./plan')
const { readBack } = require('./verify/read-back')
const { writeMultipart } = require('./multipart')
const { openUnfinished, NO_JOURNAL } = require('./unfinished')
const { abortUntilGone } = require('./uploads')
const { watchProgress } = require('./watch')
const { writeWhole } = require('./whole')

/** What an abort may take, after Ctrl-C too. */
const ABORT_LIMIT_MS = 15_000

/** @typedef {import('./types').CopyOptions} CopyOptions */
/** @typedef {import('./types').CopyEvent} CopyEvent */
/** @typedef {import('./types').Summary} Summary */
/** @typedef {import('./types').ObjectHead} ObjectHead */
/** @typedef {import('./types').JobJournal} JobJournal */
/** @typedef {import('./job').Job} Job */

/**
 * Copies one object, or goes on with the unfinished copy of the same source to the same destination.
 *
 * @param {string} source `s3://bucket/key`
 * @param {string} destination `s3://bucket/key`; without a key, or with one that ends in a slash, the source's name is added
 * @param {CopyOptions} [options]
 * @returns {Promise<Summary>} once the copy is at the destination and proved; of a dry run, what it would have been
 * @throws {import('./types').XferError} with `code`, `hint`, `exitCode` and `facts`; no object is visible at the destination
 *   then, and `facts.job` names the job where it can be gone on with
 */
async function copy(source, destination, options = {}) {
  return await perform(options, async (begin, emit) => {
    const job = await openJob(source, destination, options, emit)
    begin(job)
    const unfinished = openUnfinished({ env: options.env ?? process.env, emit })
    const kept = optionsToKeep(job, options)
    if (!job.settings.dryRun) job.journal = (await unfinished.find(job, kept)) ?? NO_JOURNAL
    return await copyOrAbort(job, () => unfinished.create(job, kept))
  })
}

/**
 * Goes on with an unfinished copy.
 *
 * @param {string} [name] the job's id, the beginning of it, or the path of its journal; the only unfinished job when absent
 * @param {CopyOptions} [options] what is to be otherwise than it was
 * @returns {Promise<Summary>}
 * @throws {import('./types').XferError} as `copy` does; NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL
 */
async function resume(name, options = {}) {
  return await perform(options, async (begin, emit) => {
    const unfinished = openUnfinished({ env: options.env ?? process.env, emit })
    const journal = await unfinished.open(name)
    const { source, destination, options: kept } = journal.state
    const merged = mergeOptions(kept, options)
    const job = await openJob(source.text, destination.text, merged, emit).catch(async error => {
      await journal.close()
      throw error
    })
    job.journal = journal
    begin(job)
    if (job.source.place !== source.place || job.destination.place !== destination.place) {
      throw new XferError('USAGE', {
        text: 'The job was begun with other endpoints than those that are configured now.',
        advice: 'Look at AWS_* and the profiles, or name them with --source-endpoint-url and --dest-endpoint-url.',
      })
    }
    return await copyOrAbort(job, async () => journal)
  })
}

/**
 * From the first event to the last.
 *
 * @param {CopyOptions} options
 * @param {(begin: (job: Job) => void, emit: (event: CopyEvent) => void) => Promise<Summary>} work begin: told of the job once there is one
 */
async function perform(options, work) {
  const emit = (/** @type {CopyEvent} */ event) => options.onEvent?.({ ...event, time: new Date().toISOString() })
  /** @type {Job | undefined} */
  let job
  try {
    const begin = (/** @type {Job} */ opened) => {
      job = opened
    }
    const summary = await work(begin, emit)
    // A dry run has done nothing that would end a job.
    await (summary.dryRun ? job?.journal.close() : job?.journal.over())
    emit({ type: 'done', ...summary })
    return summary
  } catch (cause) {
    const ended = asXferError(cause)
    const error = (await job?.journal.end(ended, job.settings)) ?? ended
    const { code, message, hint, exitCode, facts } = error
    emit({ type: 'error', code, message, hint, exitCode, ...(facts.job && { job: facts.job }) })
    throw error
  } finally {
    if (job) await closeJob(job)
  }
}

/**
 * `--on-failure abort` is for what earlier runs uploaded too, where this one ends before it comes to it.
 *
 * @param {Job} job
 * @param {() => Promise<JobJournal>} createJournal
 * @returns {Promise<Summary>}
 */
async function copyOrAbort(job, createJournal) {
  try {
    return await copyObject(job, createJournal)
  } catch (error) {
    const { destination, settings, journal } = job
    const { upload } = journal.state
    if (settings.onFailure === 'abort' && !settings.dryRun && upload) {
      const signal = AbortSignal.timeout(ABORT_LIMIT_MS)
      const gone = abortUntilGone(destination.store, destination.key, upload.id, signal)
      // Where it is not, the job stays.
      await gone.then(
        () => journal.write({ type: 'gone', upload: upload.id }),
        () => {},
      )
    }
    throw error
  }
}

/**
 * @param {Job} job
 * @param {() => Promise<JobJournal>} createJournal
 * @returns {Promise<Summary>}
 */
async function copyObject(job, createJournal) {
  const startedMs = Date.now()
  const { source, engine, settings, stopping: signal } = job
  if (!settings.dryRun) engine.warm?.(1)
  const object = await source.store.head(source.key, { signal })
  if (job.journal.state.upload) checkPinned(job.journal.state.object, object)
  await checkDestination(job)
  await checkKey(job.destination, { written: false, signal })
  /** @type {Promise<import('./types').EngineLimits> | undefined} */
  let asked
  const limitsOnce = () => (asked ??= askLimits(job))
  const chunk = await chooseChunk(job, object, limitsOnce)
  const plan = planJob(job, object, chunk)
  const allowed = await limitsOnce()
  const { concurrency, limits } = shareRate(job, {
    concurrency: agreeConcurrency(job, plan, allowed),
    limits: allowed,
    partBytes: plan.partBytes,
  })
  if (!settings.dryRun) {
    engine.warm?.(Math.min(concurrency, plan.parts.length))
    await writePlan(job, createJournal, object, plan)
  }
  announce(job, plan, concurrency, limits)
  const watch = watchProgress(job, plan)
  try {
    if (settings.dryRun) return summarize({ job, plan, watch, startedMs, written: undefined })
    const write = plan.route === 'put' ? writeWhole : writeMultipart
    if (plan.route === 'put') await clearEarlier(job)
    const { restart, reading } = watch
    const work = { job: watch.job, object, plan, concurrency, limits, restart, reading }
    const written = await againOnConflict(work, write)
    await checkKey(job.destination, { written: true, signal: job.signal }).catch(error => giveUp(job, error))
    const proofs = [...(written.proofs ?? []), ...(await readBack(work, written))]
    const condition = await judgeCondition(job, written)
    const summary = summarize({ job, plan, watch, startedMs, written: { ...written, proofs, object, condition } })
    const notice = judgeMatch(chunk, summary.proof)
    if (notice) job.emit({ type: 'notice', message: notice })
    return summary
  } finally {
    watch.stop()
  }
}

/** The upload has become an object by now, so there is nothing to go on with. @param {Job} job @param {unknown} error */
async function giveUp({ journal }, error) {
  const { upload } = journal.state
  if (upload) await journal.write({ type: 'gone', upload: upload.id })
  throw error
}

/**
 * What was begun goes on only with the very object that it was begun with.
 *
 * @param {import('./types').JobState['object']} pinned
 * @param {ObjectHead} found
 * @throws {XferError} SOURCE_CHANGED
 */
function checkPinned(pinned, found) {
  if (!pinned) return
  const same = sameEtag(pinned.etag, found.etag) && pinned.bytes === found.bytes && pinned.versionId === found.versionId
  if (!same) throw new XferError('SOURCE_CHANGED', { begun: true })
}

/**
 * An upload that was begun keeps the size of its parts.
 *
 * @param {Job} job
 * @param {ObjectHead} object
 * @param {import('./chunk').Chunk} chunk
 */
function planJob({ destination, engine, journal }, { bytes }, chunk) {
  const { upload, plan: begun } = journal.state
  const { limits } = destination.store
  const how = { bytes, chunkBytes: chunk.bytes, limits }
  // A PUT that cannot be called back could appear at the destination after the copy was given up.
  const plan = planObject({ ...how, wholePut: engine.cancels && !chunk.matched })
  plan.notices.unshift(...chunk.notices)
  if (!upload || !begun) return chunk.why === undefined ? plan : { ...plan, chunkWhy: chunk.why }
  const kept = planObject({ ...how, chunkBytes: begun.partBytes, wholePut: false })
  if (kept.partBytes !== plan.partBytes) {
    kept.notices.push('The parts keep the size with which the copy was begun; --restart begins it anew.')
  }
  return kept
}

/** @param {Job} job @param {() => Promise<JobJournal>} create @param {ObjectHead} object @param {import('./types').Plan} plan */
async function writePlan(job, create, { bytes, etag, versionId, lastModifiedMs }, { route, partBytes, parts }) {
  if (!job.journal.kept) job.journal = await create()
  const { journal } = job
  await journal.write({ type: 'object', bytes, etag, versionId, lastModifiedMs })
  await journal.write({ type: 'plan', route, partBytes, parts: parts.length })
}

/** An earlier run may have asked for an upload, and this one needs none. @param {Job} job */
async function clearEarlier(job) {
  const { creatingMs } = job.journal.state
  if (creatingMs === undefined) return
  await clearLost(job, { createdMs: creatingMs, signal: job.stopping })
  await job.journal.write({ type: 'cleared' })
}

/**
 * @param {Job} job
 * @param {import('./types').Plan} plan
 * @param {number} concurrency
 * @param {import('./types').EngineLimits} limits
 */
function announce({ source, destination, engine, why, settings, journal, emit }, plan, concurrency, { startWith }) {
  emit({
    type: 'plan',
    source: source.text,
    destination: destination.text,
    bytes: plan.bytes,
    parts: plan.parts.length,
    partBytes: plan.partBytes,
    route: plan.route,
    engine: engine.name,
    where: engine.where,
    why,
    concurrency: Math.min(concurrency, Math.ceil(plan.parts.length / (settings.partsPerInvocation ?? 1))),
    ...(startWith !== undefined && { adapts: true }),
    ...(settings.bytesPerSecond !== undefined && { bandwidth: settings.bytesPerSecond }),
    ...(plan.chunkWhy !== undefined && { chunkWhy: plan.chunkWhy }),
    notices: plan.notices,
    dryRun: settings.dryRun,
    ...(journal.kept && { job: journal.state.id }),
  })
}

/**
 * @param {object} facts
 * @param {Job} facts.job
 * @param {import('./types').Plan} facts.plan
 * @param {ReturnType<typeof watchProgress>} facts.watch
 * @param {number} facts.startedMs
 * @param {(import('./types').Written & { object: ObjectHead, condition: Summary['condition'] }) | undefined} facts.written undefined of a dry run
 * @returns {Summary}
 */
function summarize({ job, plan, watch, startedMs, written }) {
  const elapsedMs = Date.now() - startedMs
  const { invocations, retried, throttled, hedgedBytes, resumedBytes } = watch.counts()
  const base = {
    source: job.source.text,
    destination: job.destination.text,
    bytes: plan.bytes,
    parts: plan.parts.length,
    partBytes: plan.partBytes,
    route: plan.route,
    engine: job.engine.name,
    resumedBytes,
    elapsedMs,
    invocations,
    retried,
    throttled,
    hedgedBytes,
  }
  if (!written) return { ...base, dryRun: true, proof: [], bytesPerSecond: 0 }
  const { object, crc32, etag, versionId, condition } = written
  return {
    ...base,
    bytesPerSecond: Math.round((plan.bytes / Math.max(elapsedMs, 1)) * 1000),
    etag,
    ...(versionId !== undefined && { versionId }),
    ...(crc32 !== undefined && { crc32: crc32ToBase64(crc32) }),
    proof: proofsOf({ ...written, source: object }),
    ...(condition && { condition }),
  }
}

module.exports = { copy, resume }
