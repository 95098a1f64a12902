'use strict'

/**
 * The story of a copy: head → plan → create or go on → schedule → check → complete, or leave it for a resume. The bytes
 * never come here.
 */

const { agreeConcurrency, askLimits, shareRate } = require('../transfer')
const {
  carry,
  checkCarried,
  chooseChunk,
  judgeMatch,
  planObject,
  putSingle,
  serverFirst,
  tellAttributes,
  writeMultipart,
} = require('../object')
const { checkOptionNames, commandLine, optionsToKeep } = require('../options')
const { XferError } = require('../errors')
const { abortUntilGone, againOnConflict, checkDestination, judgeCondition, tellLost } = require('../destination')
const { crc32ToBase64, isUncompared, proofsOf } = require('../integrity')
const { forgetReplaced, isPinned, openJob, openUnfinished, perform, watchProgress } = require('../job')
const { checkKey } = require('../stores/keys')
const { readBack } = require('../verify')
const { notice } = require('../notices')

/** What an abort may take, after Ctrl-C too. */
const ABORT_LIMIT_MS = 15_000

/** @typedef {import('../types').CopyOptions} CopyOptions */
/** @typedef {import('../types').CopyEvent} CopyEvent */
/** @typedef {import('../types').Summary} Summary */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */

/**
 * How the bytes get there: through an engine, or by the store itself.
 *
 * @typedef {object} Way
 * @property {Partial<Job>} over what of the job is otherwise
 * @property {Partial<WriteWork>} work what its writes are told beside
 * @property {(job: Job, object: ObjectHead, askLimits: () => Promise<import('../types').EngineLimits>) => Promise<Chunk>} chooseChunk
 * @property {(work: WriteWork) => Promise<Written>} writeWhole
 * @property {(work: WriteWork, written: Written) => Promise<import('../types').Proof[]>} readBack
 * @property {(written: Written & { source: ObjectHead }) => import('../types').Proof[]} proofsOf
 *
 * @typedef {import('../object/plan/chunk').Chunk & { whole?: boolean }} Chunk whole: whether one request writes it all; what the engine can
 *   do when absent
 */

/** @type {Way} */
const THROUGH_ENGINE = { over: {}, work: {}, chooseChunk, writeWhole: putSingle, readBack, proofsOf }

/**
 * Copies one object, or goes on with the unfinished copy of the same source to the same destination.
 *
 * @param {string} source `s3://bucket/key`
 * @param {string} destination `s3://bucket/key`; without a key, or with one that ends in a slash, the source's name is added
 * @param {CopyOptions} [options]
 * @returns {Promise<Summary>} once the copy is at the destination and proved; of a dry run, what it would have been
 * @throws {import('../types').XferError} with `code`, `hint`, `exitCode` and `facts`; no object is visible at the destination
 *   then, and `facts.job` names the job where it can be gone on with
 */
async function copy(source, destination, options = {}) {
  return await perform(options, async (begin, emit) => {
    checkOptionNames('copy', options)
    const job = await openJob(source, destination, options, emit)
    begin(job)
    const unfinished = openUnfinished({ env: options.env ?? process.env, emit })
    const kept = optionsToKeep(job, options)
    if (!job.settings.dryRun) job.journal = await unfinished.begin(job, kept)
    return await copyOrAbort(job)
  })
}

/**
 * `--on-failure abort` is for what earlier runs uploaded too, where this one ends before it comes to it.
 *
 * @param {Job} job
 * @param {{ sameSource?: boolean }} [how] sameSource: a copy that was begun goes on with its own source or not at all; else it
 *   begins anew with what the source is now
 * @returns {Promise<Summary>}
 */
async function copyOrAbort(job, { sameSource = false } = {}) {
  try {
    return await copyObject(job, { sameSource })
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
 * @param {{ sameSource: boolean }} how
 * @returns {Promise<Summary>}
 */
async function copyObject(job, { sameSource }) {
  const startedMs = Date.now()
  const { source, engine, settings, cancel: signal } = job
  if (!settings.dryRun && !job.asksServer) engine.warm?.(1)
  const object = await source.store.head(source.key, { signal, versionId: source.versionId })
  if (job.journal.state.upload && !isPinned(job.journal.state.object, object)) {
    if (sameSource) throw new XferError('SOURCE_CHANGED', { begunBy: commandLine(job.journal.state) })
    await forgetReplaced(job)
  }
  await checkDestination(job)
  await checkKey(job.destination, { written: false, signal })
  const carried = await carry(source, object, settings.attributes, signal).catch(error => {
    // It was there a moment ago.
    throw error.code === 'NO_SUCH_KEY' ? new XferError('SOURCE_CHANGED', source.store.facts, { cause: error }) : error
  })
  const run = (/** @type {Way} */ way) => copyBy(way, job, { object, carried, startedMs })
  return await serverFirst(job, object, { engine: THROUGH_ENGINE, run })
}

/**
 * @param {Way} way
 * @param {Job} opened
 * @param {object} facts
 * @param {ObjectHead} facts.object
 * @param {Awaited<ReturnType<typeof carry>>} facts.carried
 * @param {number} facts.startedMs
 * @returns {Promise<Summary>}
 */
async function copyBy(way, opened, { object, carried: { attributes, notices }, startedMs }) {
  const job = { ...opened, ...way.over }
  const { engine, settings } = job
  /** @type {Promise<import('../types').EngineLimits> | undefined} */
  let asked
  const limitsOnce = () => (asked ??= askLimits(job))
  const chunk = await way.chooseChunk(job, object, limitsOnce)
  const plan = planJob(job, object, chunk)
  plan.notices.push(...notices)
  const allowed = await limitsOnce()
  const { concurrency, limits } = shareRate(job, {
    concurrency: agreeConcurrency(job, plan, allowed),
    limits: allowed,
    partBytes: plan.partBytes,
  })
  if (!settings.dryRun) {
    engine.warm?.(Math.min(concurrency, plan.parts.length))
    await writePlan(opened, object, plan)
  }
  announce(job, plan, { attributes, concurrency, limits })
  const watch = watchProgress(job, plan)
  try {
    if (settings.dryRun) return summarize({ job, way, plan, attributes, watch, startedMs, written: undefined })
    const write = plan.route === 'put' ? way.writeWhole : writeMultipart
    if (plan.route === 'put') await clearEarlier(job)
    const { restart, reading } = watch
    const work = { job: watch.job, object, attributes, plan, concurrency, limits, restart, reading, ...way.work }
    const written = plan.route === 'put' ? await write(work) : await againOnConflict(work, write)
    await checkKey(job.destination, { written: true, signal: job.abort }).catch(error => giveUp(job, error))
    const proofs = await provedBy(way, work, written)
    const condition = await judgeCondition(job, written)
    const kept = await checkCarried(work, written)
    const done = { ...written, proofs, object, condition }
    const summary = summarize({ job, way, plan, attributes: kept, watch, startedMs, written: done })
    const unmatched = judgeMatch(chunk, summary.proof)
    if (unmatched) job.emit(unmatched)
    return summary
  } finally {
    watch.stop()
  }
}

/**
 * What the writer proved, and, where that is asked for and it did not, what reading back does.
 *
 * @param {Way} way
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<import('../types').Proof[]>}
 */
async function provedBy(way, work, written) {
  const { proof, proofs = [] } = written
  if (!proof) return [...proofs, ...(await way.readBack(work, written))]
  if (work.job.settings.verify !== 'full' || proof.includes('read-back')) return proof
  return [...proof.filter(each => each !== 'size'), ...(await way.readBack(work, written))]
}

/** The upload has become an object by now, so there is nothing to go on with. @param {Job} job @param {unknown} error */
async function giveUp({ journal }, error) {
  const { upload } = journal.state
  if (upload) await journal.write({ type: 'gone', upload: upload.id })
  throw error
}

/**
 * An upload that was begun keeps the size of its parts.
 *
 * @param {Job} job
 * @param {ObjectHead} object
 * @param {Chunk} chunk
 */
function planJob({ destination, engine, journal }, { bytes }, chunk) {
  const { upload, plan: begun } = journal.state
  const { limits } = destination.store
  const how = { bytes, chunkBytes: chunk.bytes, limits }
  // A PUT that cannot be called back could appear at the destination after the copy was given up.
  const plan = planObject({ ...how, wholePut: chunk.whole ?? (engine.can.cancel && !chunk.matched) })
  plan.notices.unshift(...chunk.notices)
  if (!upload || !begun) return chunk.why === undefined ? plan : { ...plan, chunkWhy: chunk.why }
  const kept = planObject({ ...how, chunkBytes: begun.partBytes, wholePut: false })
  if (kept.partBytes !== plan.partBytes) kept.notices.push(notice('CHUNK_NOT_CHANGED'))
  return kept
}

/** @param {Job} job @param {ObjectHead} object @param {import('../types').Plan} plan */
async function writePlan({ journal }, { bytes, etag, versionId, lastModifiedMs }, { route, partBytes, parts }) {
  await journal.write({ type: 'object', bytes, etag, versionId, lastModifiedMs })
  await journal.write({ type: 'plan', route, partBytes, parts: parts.length })
}

/** An earlier run may have asked for an upload, and this one needs none. @param {Job} job */
async function clearEarlier(job) {
  const { creatingMs } = job.journal.state
  if (creatingMs === undefined) return
  await tellLost(job, { createdMs: creatingMs, signal: job.cancel })
  await job.journal.write({ type: 'cleared' })
}

/**
 * @param {Job} job
 * @param {import('../types').Plan} plan
 * @param {{ attributes: import('../types').ObjectAttributes, concurrency: number, limits: import('../types').EngineLimits }} how
 */
function announce(job, plan, { attributes, concurrency, limits: { startWith } }) {
  const { source, destination, engine, why, settings, journal, emit } = job
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
    ...(settings.verify === 'full' && { readBack: plan.bytes }),
    notices: plan.notices,
    attributes: tellAttributes(attributes, settings.attributes),
    dryRun: settings.dryRun,
    ...(journal.kept && { job: journal.state.id }),
  })
}

/**
 * @param {object} facts
 * @param {Job} facts.job
 * @param {Way} facts.way
 * @param {import('../types').Plan} facts.plan
 * @param {import('../types').ObjectAttributes} facts.attributes
 * @param {ReturnType<typeof watchProgress>} facts.watch
 * @param {number} facts.startedMs
 * @param {(import('../types').Written & { object: ObjectHead, condition: Summary['condition'] }) | undefined} facts.written undefined of a dry run
 * @returns {Summary}
 */
function summarize({ job, way, plan, attributes, watch, startedMs, written }) {
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
    attributes: tellAttributes(attributes, job.settings.attributes),
    resumedBytes,
    elapsedMs,
    invocations,
    retried,
    throttled,
    hedgedBytes,
  }
  if (!written) return { ...base, dryRun: true, proof: [], bytesPerSecond: 0 }
  const { object, crc32, etag, versionId, condition } = written
  const proof = written.proof ? (written.proofs ?? []) : way.proofsOf({ ...written, source: object })
  return {
    ...base,
    // Of this run: what earlier ones have copied took it no time.
    bytesPerSecond: Math.round((Math.max(0, plan.bytes - resumedBytes) / Math.max(elapsedMs, 1)) * 1000),
    etag,
    ...(versionId !== undefined && { versionId }),
    ...(crc32 !== undefined && { crc32: crc32ToBase64(crc32) }),
    proof,
    ...(isUncompared(proof, plan.bytes) && { uncompared: true }),
    ...(condition && { condition }),
  }
}

module.exports = { copy, copyOrAbort }
