'use strict'

/** The event `plan` and the summary of the copy of one object. */

const { etagText, isPinnedByTime, isUncompared, md5EtagOf, publicSums } = require('../integrity')
const { endpointsOf } = require('../job')
const { tellAttributes } = require('./attributes')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../types').Plan} Plan */
/** @typedef {import('../types').Summary} Summary */
/** @typedef {Pick<import('./copy').CopyWay, 'engine' | 'why'>} ToldWay */

/** Nothing was written. */
const NO_ATTRIBUTES = { headers: {}, user: 0, tags: 0 }

/**
 * @param {Pick<Job, 'source' | 'destination' | 'settings' | 'run'>} job
 * @param {ToldWay} way
 * @param {Plan} plan
 * @param {{ attributes: ObjectAttributes, concurrency: number, limits: import('../types').EngineLimits }} how limits: the platform's
 */
function announce(job, { engine, why }, plan, { attributes, concurrency, limits }) {
  const { source, destination, settings } = job
  const { journal, emit } = job.run
  emit({
    type: 'plan',
    source: source.text,
    destination: destination.text,
    ...endpointsOf(job),
    bytes: plan.growing ? (plan.growing.sizeBytes ?? 0) : plan.bytes,
    parts: plan.parts.length,
    partBytes: plan.partBytes,
    ...(plan.growing && { growing: /** @type {const} */ (true), memory: settings.memoryBytes }),
    route: plan.route,
    ...tellEngine(engine, { why, concurrency, limits, settings }),
    ...(plan.chunkWhy !== undefined && { chunkWhy: plan.chunkWhy }),
    ...(settings.verify === 'full' && { readBack: plan.bytes }),
    notices: plan.notices,
    attributes: tellAttributes(attributes, settings.attributes, { source, destination }),
    dryRun: settings.dryRun,
    ...(settings.move && { move: /** @type {const} */ (true) }),
    ...(journal.kept && { job: journal.state.id }),
  })
}

/**
 * What a plan says of its engine.
 *
 * @param {import('../types').Engine} engine
 * @param {{ why: string, concurrency: number, limits?: import('../types').EngineLimits, settings: Pick<Job['settings'], 'bytesPerSecond'> }} how
 */
function tellEngine(engine, { why, concurrency, limits, settings: { bytesPerSecond } }) {
  const { name, where, runsOn, startWith } = engine
  return {
    engine: name,
    where,
    runsOn,
    why,
    concurrency,
    ...(startWith !== undefined && { adapts: /** @type {const} */ (true) }),
    ...(limits && tellLimits(engine, limits)),
    ...(bytesPerSecond !== undefined && { bandwidth: bytesPerSecond }),
  }
}

/**
 * What a plan says of the limits of a platform: those that there are.
 *
 * @param {Pick<import('../types').Engine, 'runsOn'>} engine
 * @param {import('../types').EngineLimits} limits
 * @returns {{ limits?: import('../types').PlatformLimits }}
 */
function tellLimits({ runsOn }, { concurrent, perMinute, ramp, timeoutMs, payloadBytes }) {
  if (runsOn !== 'platform') return {}
  const all = { concurrent, perMinute, startsPerSecond: ramp?.perSecond, timeoutMs, payloadBytes }
  return { limits: Object.fromEntries(Object.entries(all).filter(([, limit]) => Number.isFinite(limit))) }
}

/**
 * @param {Pick<Job, 'source' | 'destination' | 'settings' | 'run'>} job
 * @param {ToldWay} way
 * @param {object} facts
 * @param {Plan} facts.plan
 * @param {{ etag: string, bytes: number, encrypted?: boolean }} facts.object of the source
 * @param {ObjectAttributes} facts.attributes
 * @param {ReturnType<ReturnType<typeof import('../progress').watchProgress>['counts']>} facts.counts
 * @param {number} facts.elapsedMs
 * @param {import('../types').ObjectHead} [facts.there] of a dry run: the object that the copy would replace
 * @param {import('../types').Written & { proof: Summary['proof'], condition: Summary['condition'] }} [facts.written] absent in a dry run
 * @returns {Summary}
 */
function summarize(job, { engine }, { plan, object, attributes, counts, elapsedMs, there, written }) {
  const { invocations, retried, throttled, hedgedBytes, resumedBytes } = counts
  const base = {
    source: job.source.text,
    destination: job.destination.text,
    bytes: plan.bytes,
    parts: plan.parts.length,
    partBytes: plan.partBytes,
    route: plan.route,
    engine: engine.name,
    attributes: tellAttributes(attributes, job.settings.attributes, job),
    resumedBytes,
    elapsedMs,
    invocations,
    retried,
    throttled,
    hedgedBytes,
    ...(job.settings.move && { move: /** @type {const} */ (true) }),
  }
  if (!written) {
    const replaces = there && { bytes: there.bytes, etag: etagText(there.etag) }
    return { ...base, dryRun: true, ...(replaces && { replaces }), proof: [], bytesPerSecond: 0 }
  }
  const { sums, etag, versionId, condition, proof } = written
  const uncompared = isUncompared(proof, plan.bytes) && !job.source.store.can.readsOnce
  return {
    ...base,
    // Only bytes of this run count: those of earlier runs took it no time.
    bytesPerSecond: Math.round((Math.max(0, plan.bytes - resumedBytes) / Math.max(elapsedMs, 1)) * 1000),
    etag: etagText(etag),
    ...(versionId !== undefined && { versionId }),
    ...publicSums(sums),
    proof,
    ...(isPinnedByTime(object) && { pinnedByTime: /** @type {const} */ (true) }),
    ...(uncompared && { uncompared: true, ...(mayMatch(job, object) && { matchable: true }) }),
    ...(condition && { condition }),
  }
}

/**
 * Whether with `--chunk match` a copy that was compared with nothing could have the ETag of its source: that was uploaded in parts,
 * the destination takes parts of that size, and the ETags of both are of MD5s.
 *
 * @param {Pick<Job, 'source' | 'destination' | 'settings'>} job
 * @param {{ etag: string, bytes: number, encrypted?: boolean }} object of the source
 */
function mayMatch({ source, destination: { store }, settings }, object) {
  const parts = md5EtagOf(object)?.parts
  if (parts === undefined || settings.matchChunk || !source.store.partSize || store.can.partTag !== 'md5') return false
  const { minBytes, maxBytes, maxParts } = store.limits
  // All but the last have at least this, and less than the other.
  const [least, below] = [object.bytes / parts, object.bytes / (parts - 1)]
  return parts <= maxParts && least <= maxBytes && below > minBytes
}

/** What a move found at the destination. @typedef {{ bytes: number, etag: string, versionId?: string, proof: import('../types').Proof[] }} MovedBytes */

/**
 * The summary of a move that copied nothing, because the object was at the destination already.
 *
 * @param {Pick<Job, 'source' | 'destination' | 'engine'>} job
 * @param {MovedBytes} moved
 * @param {{ startedMs: number }} how
 * @returns {Summary}
 */
function summarizeMoved({ source, destination, engine }, { bytes, etag, versionId, proof }, { startedMs }) {
  return {
    source: source.text,
    destination: destination.text,
    bytes,
    etag: etagText(etag),
    proof,
    move: true,
    ...(versionId !== undefined && { versionId }),
    parts: 0,
    partBytes: bytes,
    route: 'put',
    engine: engine.name,
    attributes: NO_ATTRIBUTES,
    resumedBytes: bytes,
    elapsedMs: Date.now() - startedMs,
    bytesPerSecond: 0,
    invocations: 0,
    retried: 0,
    throttled: 0,
    hedgedBytes: 0,
  }
}

module.exports = { announce, tellEngine, summarize, summarizeMoved }
