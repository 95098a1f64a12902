'use strict'

/**
 * The story of a copy: head → plan → create → schedule → check → complete, or abort. The bytes never come here.
 */

const { XferError, asXferError } = require('./errors')
const { proofsOf } = require('./integrity')
const { crc32ToBase64 } = require('./crc32')
const { openJob, closeJob } = require('./job')
const { checkKey } = require('./keys')
const { planObject } = require('./plan')
const { createProgress } = require('./progress')
const { repeat } = require('./repeat')
const { writeMultipart } = require('./multipart')
const { writeWhole } = require('./whole')

/** @typedef {import('./types').CopyOptions} CopyOptions */
/** @typedef {import('./types').CopyEvent} CopyEvent */
/** @typedef {import('./types').Summary} Summary */
/** @typedef {import('./job').Job} Job */

const PROGRESS_EVERY_MS = 500

/**
 * Copies one object.
 *
 * @param {string} source `s3://bucket/key`
 * @param {string} destination `s3://bucket/key`; without a key, or with one that ends in a slash, the source's name is added
 * @param {CopyOptions} [options]
 * @returns {Promise<Summary>} once the copy is at the destination and proved; of a dry run, what it would have been
 * @throws {import('./types').XferError} with `code`, `hint`, `exitCode` and `facts`; nothing is left at the destination then
 */
async function copy(source, destination, options = {}) {
  const emit = (/** @type {CopyEvent} */ event) => options.onEvent?.({ ...event, time: new Date().toISOString() })
  /** @type {Job | undefined} */
  let job
  try {
    job = await openJob(source, destination, options, emit)
    const summary = await copyObject(job)
    emit({ type: 'done', ...summary })
    return summary
  } catch (cause) {
    const error = asXferError(cause)
    const { code, message, hint, exitCode } = error
    emit({ type: 'error', code, message, hint, exitCode })
    throw error
  } finally {
    if (job) await closeJob(job)
  }
}

/** @param {Job} job @returns {Promise<Summary>} */
async function copyObject(job) {
  const startedMs = Date.now()
  const object = await job.source.store.head(job.source.key, { signal: job.signal })
  await checkDestination(job)
  await checkKey(job.destination, { written: false, signal: job.signal })
  const { limits } = job.destination.store
  const plan = planObject({
    bytes: object.bytes,
    chunkBytes: job.settings.chunkBytes,
    limits,
    // A PUT that cannot be called back could appear at the destination after the copy was given up.
    wholePut: job.engine.cancels,
  })
  const allowed = await askLimits(job)
  const concurrency = agreeConcurrency(job, plan, allowed)
  announce(job, plan, concurrency)
  const watch = watchProgress(job, plan)
  try {
    if (job.settings.dryRun) return summarize({ job, plan, watch, startedMs, written: undefined })
    const write = plan.route === 'put' ? writeWhole : writeMultipart
    const written = await write({ job: watch.job, object, plan, concurrency, limits: allowed, restart: watch.restart })
    await checkKey(job.destination, { written: true, signal: job.signal })
    return summarize({ job, plan, watch, startedMs, written: { ...written, object } })
  } finally {
    watch.stop()
  }
}

/**
 * Where it must not be replaced: looked at before any byte is moved, and again by the store when it is written. A dry
 * run looks too, for it finds nothing out by writing.
 *
 * @param {Job} job
 */
async function checkDestination({ destination, settings, signal }) {
  if (!settings.condition.ifNoneMatch && !settings.dryRun) return
  const found = await destination.store.head(destination.key, { signal }).catch(error => {
    // Without s3:ListBucket a missing object is denied too; the write is conditional all the same.
    if (error.code !== 'NO_SUCH_KEY' && error.code !== 'ACCESS_DENIED') throw error
  })
  if (found && settings.condition.ifNoneMatch) throw new XferError('DESTINATION_EXISTS', destination.store.facts)
}

/** @param {Job} job */
function askLimits({ engine, settings, signal, emit }) {
  return repeat(() => engine.limits({ signal }), {
    retries: settings.retries,
    signal,
    onRetry: ({ code, message }, attempt) =>
      emit({ type: 'retry', call: 'limits', side: 'engine', attempt, code, message }),
  })
}

/**
 * What was asked for, as far as the engine allows it; a plan needs no more invocations than parts.
 *
 * @param {Job} job
 * @param {import('./types').Plan} plan
 * @param {import('./types').EngineLimits} limits
 */
function agreeConcurrency({ engine, settings }, plan, { concurrent, perMinute }) {
  if (engine.name === 'local' && settings.engineLimits) {
    plan.notices.push('--engine-limits speaks of a platform: the local engine does not heed it.')
  }
  const wanted = Math.min(settings.concurrency, plan.parts.length)
  if (concurrent < wanted) {
    const quota = Number.isFinite(perMinute) ? ` and ${perMinute.toLocaleString('en-US')} a minute` : ''
    plan.notices.push(`The ${engine.name} engine allows ${concurrent} invocations at once${quota}.`)
  }
  return Math.min(wanted, concurrent)
}

/** @param {Job} job @param {import('./types').Plan} plan @param {number} concurrency */
function announce({ source, destination, engine, why, settings, emit }, plan, concurrency) {
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
    notices: plan.notices,
    dryRun: settings.dryRun,
  })
}

/**
 * The job with eyes on it: counts what its events and its engine do, and tells the progress every half second.
 *
 * @param {Job} job
 * @param {import('./types').Plan} plan
 */
function watchProgress(job, plan) {
  const work = { bytesTotal: plan.bytes, partsTotal: plan.parts.length }
  let progress = createProgress({ ...work, startMs: Date.now() })
  let inFlight = 0
  let invocations = 0
  let hedgedBytes = 0
  const tell = () => job.emit({ type: 'progress', ...progress.at(Date.now(), inFlight) })
  const timer = setInterval(tell, PROGRESS_EVERY_MS)
  /** @type {Job} */
  const watched = {
    ...job,
    emit(event) {
      progress.add(event, Date.now())
      if (event.type === 'hedge') hedgedBytes += event.bytes
      job.emit(event)
    },
    engine: {
      ...job.engine,
      async run(tasks, options) {
        inFlight++
        invocations++
        try {
          const onBytes = (/** @type {number} */ part, /** @type {number} */ bytes) =>
            progress.moved(part, bytes, Date.now())
          return await job.engine.run(tasks, { ...options, onBytes })
        } finally {
          inFlight--
        }
      },
    },
  }
  return {
    job: watched,
    /** All parts are to be copied again. */
    restart() {
      progress = createProgress({ ...work, startMs: Date.now() })
    },
    counts: () => ({ ...progress.at(Date.now(), inFlight), invocations, hedgedBytes }),
    stop() {
      clearInterval(timer)
      tell()
    },
  }
}

/**
 * @param {object} facts
 * @param {Job} facts.job
 * @param {import('./types').Plan} facts.plan
 * @param {ReturnType<typeof watchProgress>} facts.watch
 * @param {number} facts.startedMs
 * @param {(import('./types').Written & { object: import('./types').ObjectHead }) | undefined} facts.written undefined of a dry run
 * @returns {Summary}
 */
function summarize({ job, plan, watch, startedMs, written }) {
  const elapsedMs = Date.now() - startedMs
  const { invocations, retried, throttled, hedgedBytes } = watch.counts()
  const base = {
    source: job.source.text,
    destination: job.destination.text,
    bytes: plan.bytes,
    parts: plan.parts.length,
    partBytes: plan.partBytes,
    route: plan.route,
    engine: job.engine.name,
    resumedBytes: 0,
    elapsedMs,
    invocations,
    retried,
    throttled,
    hedgedBytes,
  }
  if (!written) return { ...base, dryRun: true, proof: [], bytesPerSecond: 0 }
  const { object, outcomes, crc32, etag, versionId, storedCrc32 } = written
  return {
    ...base,
    bytesPerSecond: Math.round((plan.bytes / Math.max(elapsedMs, 1)) * 1000),
    etag,
    ...(versionId !== undefined && { versionId }),
    crc32: crc32ToBase64(crc32),
    proof: proofsOf({ source: object, outcomes, crc32, etag, storedCrc32 }),
  }
}

module.exports = { copy }
