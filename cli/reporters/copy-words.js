'use strict'

/** The texts of the copy of one object, and those of all commands. The functions return lines without line ends. */

const { counted, formatBytes, formatCount, formatDuration, formatElapsed, formatRate, plural } = require('../format')
const { countsOf } = require('./progress-words')

/** @typedef {import('../../lib/types').CopyEvent} CopyEvent */
/** @typedef {Extract<CopyEvent, { type: 'plan' }>} CopyPlanEvent */
/** @typedef {Extract<CopyEvent, { type: 'done' }>} CopyDoneEvent */
/** @typedef {Extract<CopyEvent, { type: 'error' }>} CopyErrorEvent */
/** @typedef {import('../format').Style} Style */

const UNCOMPARED = 'The source has no checksum to compare with what was read; --verify full reads it a second time.'

const MATCHABLE =
  'The source stores no checksum of these parts; --chunk match copies its own parts, --verify full reads it twice.'

const PINNED_BY_TIME =
  'No ETag of the source could be compared: that it did not change meanwhile is known by its Last-Modified and its size.'

const NOTHING = 'nothing was done'

/** How the condition of `--no-clobber` or `--if-match` was checked. */
const CONDITIONS = {
  atomic: 'Condition: enforced by the destination itself at the moment of the write.',
  checked: 'Condition: checked before the write; this destination is not known to enforce it at the write itself.',
  asked: 'Condition: sent with the write, but this destination may ignore it, and it could not be checked before.',
}

/** @param {CopyPlanEvent} plan @param {Pick<Style, 'signs'>} style */
function planLines(plan, { signs }) {
  const how =
    plan.route === 'put' ? 'in one piece' : `in ${plural(plan.parts, 'part')} of ${formatBytes(plan.partBytes)}`
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    `${plan.source} ${signs.to} ${plan.destination}`,
    ...endpointsLine(plan),
    `${plan.growing ? growingOf(plan) : `${formatBytes(plan.bytes)} ${how}`}, ${atOnce(plan)}`,
    ...limitsLine(plan),
    ...(plan.chunkWhy ? [plan.chunkWhy] : []),
    ...(plan.readBack ? [`${formatBytes(plan.readBack)} of the copy will be read back`] : []),
    ...attributesLine(plan.attributes),
  ]
}

/**
 * In a dry run, what the platform bears.
 *
 * @param {Pick<CopyPlanEvent, 'dryRun' | 'limits'>} plan
 * @returns {string[]} a line, or none
 */
function limitsLine({ dryRun, limits }) {
  const all = limitsOf(limits)
  return dryRun && all.length > 0 ? [`Limits of the platform: ${all.join(', ')}`] : []
}

/** @param {CopyPlanEvent['limits']} limits @returns {string[]} clauses */
function limitsOf(limits = {}) {
  const { concurrent, perMinute, startsPerSecond, timeoutMs, payloadBytes } = limits
  const bounds = [
    timeoutMs !== undefined && formatDuration(timeoutMs),
    payloadBytes !== undefined && `${formatBytes(payloadBytes)} of parameters`,
  ].filter(Boolean)
  return /** @type {string[]} */ (
    [
      concurrent !== undefined && `${plural(concurrent, 'invocation')} at once`,
      perMinute !== undefined && `${formatCount(perMinute)} a minute`,
      startsPerSecond !== undefined && `${formatCount(startsPerSecond)} starts a second`,
      bounds.length > 0 && `${bounds.join(' and ')} each`,
    ].filter(Boolean)
  )
}

/** @param {CopyPlanEvent} plan of a stream */
function growingOf({ bytes, partBytes, memory = 0 }) {
  const size = bytes > 0 ? `about ${formatBytes(bytes)}` : 'an unknown number of bytes'
  return `${size} in parts of ${formatBytes(partBytes)} and more, ${formatBytes(memory)} in memory at most`
}

/** @param {Pick<CopyPlanEvent, 'endpoints'>} plan @returns {string[]} what tells two locations apart that look alike */
function endpointsLine({ endpoints }) {
  return endpoints ? [`From ${endpoints.source} to ${endpoints.destination}`] : []
}

/**
 * The attributes of the copy; no line if it has only a content type.
 *
 * @param {import('../../lib/types').AttributeSummary} attributes
 * @returns {string[]}
 */
function attributesLine({ headers, user, tags, storageClass, encryption, mtime }) {
  const { 'content-type': type, ...others } = headers
  const rest = [
    ...Object.keys(others),
    ...(user > 0 ? [`${formatCount(user)} of user metadata${mtime === undefined ? '' : ` (mtime ${mtime})`}`] : []),
    ...(tags > 0 ? [plural(tags, 'tag')] : []),
    ...(storageClass === undefined ? [] : [`storage class ${storageClass}`]),
    ...(encryption === undefined ? [] : [`encryption ${encryption}`]),
  ]
  return rest.length === 0 ? [] : [`With ${[...(type === undefined ? [] : [type]), ...rest].join(', ')}`]
}

/** @param {{ concurrency: number, adapts?: true, bandwidth?: number }} plan */
function atOnce({ concurrency, adapts, bandwidth }) {
  const most = bandwidth === undefined ? '' : `, at most ${formatRate(bandwidth)}`
  return `${adapts && concurrency > 1 ? 'up to ' : ''}${formatCount(concurrency)} at once${most}`
}

/**
 * @param {any} event
 * @param {{ dryRun?: boolean }} [how]
 * @returns {string | undefined} undefined: it is no line of its own
 */
function noteLine(event, { dryRun = false } = {}) {
  if (event.type === 'outage') return outageLine(event)
  if (event.type === 'notice') return `Note: ${event.message}`
  // The resumed objects of a prefix are too many.
  if (event.type !== 'resume' || 'name' in event) return undefined
  const { job, parts, bytes } = event
  return `${dryRun ? 'Would resume' : 'Resuming'} ${job}: ${plural(parts, 'part')} with ${formatBytes(bytes)} are already there.`
}

/** @param {import('../../lib/types').OutageEvent} event */
function outageLine({ peer, where, message, forMs, over }) {
  const who = `The ${peer} at ${where}`
  if (over) return `Note: ${who} answers again after ${formatDuration(forMs)}.`
  return `Note: ${who} has not answered for ${formatDuration(forMs)}; waiting for it. ${message}`
}

/** @param {CopyDoneEvent} done @returns {string[]} the last one says it all, for a log */
function doneLines(done) {
  const { source, destination, bytes, resumedBytes, crc32 } = done
  if (done.dryRun) {
    const replaced = done.replaces ? `, and replace the object that is there (${formatBytes(done.replaces.bytes)})` : ''
    return [
      `Would ${done.move ? 'move' : 'copy'} ${movedOf({ bytes, resumedBytes })} from ${source} to ${destination}${replaced}.`,
    ]
  }
  return [
    `ETag ${done.etag}${crc32 === undefined ? '' : `  CRC-32 ${crc32}`}`,
    ...attributesLine(done.attributes).map(line => `${line}.`),
    ...(done.condition ? [CONDITIONS[done.condition]] : []),
    ...(done.hedgedBytes > 0 ? [hedgedLine(done)] : []),
    ...proofLines(proofsOf(done)),
    ...(done.pinnedByTime ? [PINNED_BY_TIME] : []),
    ...(done.uncompared ? [done.matchable ? MATCHABLE : UNCOMPARED] : []),
    ...(done.heldBack ? [done.heldBack.message] : []),
    ...(done.move ? [`move: ${source} to ${destination}`] : []),
    `${done.move ? 'Moved' : 'Copied'} ${movedOf({ bytes, resumedBytes })} from ${source} to ${destination} ${paceOf(done)}: ${outcomeOf(done.proof)}.`,
  ]
}

/** @param {string} name of an object; it is empty if its key is the prefix */
function shownName(name) {
  return name || '(the prefix itself)'
}

/** @param {{ bytes: number, resumedBytes: number }} done @returns {string} what this run copied, and what was there before it */
function movedOf({ bytes, resumedBytes }) {
  const moved = formatBytes(Math.max(0, bytes - resumedBytes))
  return resumedBytes > 0 ? `${moved} (${formatBytes(resumedBytes)} were there already)` : moved
}

/** @param {{ elapsedMs: number, bytesPerSecond: number }} done */
function paceOf({ elapsedMs, bytesPerSecond }) {
  return `in ${formatDuration(elapsedMs)}, ${formatRate(bytesPerSecond)}`
}

/** @param {CopyDoneEvent} done */
function hedgedLine({ hedgedBytes, bytes }) {
  const share = ((100 * hedgedBytes) / bytes).toFixed(1)
  return `Parts of ${formatBytes(hedgedBytes)} (${share} %) were started a second time, because their first attempt was far behind.`
}

/** @param {{ message: string, hint: string }} error */
function errorLines({ message, hint }) {
  return [`xfer: ${message}`, `      ${hint}`]
}

/**
 * The last line of a job that failed, for a log.
 *
 * @param {Pick<CopyErrorEvent, 'code' | 'exitCode' | 'objects'>} error
 * @param {{ elapsedMs: number, progress?: import('./progress-words').Progress }} how progress: the last one; absent: there was none
 * @returns {string}
 */
function failedLine({ code, exitCode, objects }, { elapsedMs, progress }) {
  const done = code === 'JOB_SPLIT' ? 'its ranges are left to workers' : doneSoFar(objects, progress)
  return `xfer: ended after ${formatElapsed(elapsedMs)} with ${code} (exit status ${exitCode}): ${done}.`
}

/** @param {CopyErrorEvent['objects']} objects of a prefix @param {import('./progress-words').Progress} [progress] the last one @returns {string} one clause */
function doneSoFar(objects, progress) {
  return !progress ? NOTHING : objects ? objectsLine(objects, progress) : partsLine(progress)
}

/** @param {NonNullable<CopyErrorEvent['objects']>} objects @param {import('./progress-words').Progress} progress */
function objectsLine({ listed, copied, chosen, failed, skipped, deleted }, { bytesDone }) {
  if (listed + failed === 0) return NOTHING
  return [
    `${formatCount(copied)} of ${plural(chosen, 'object')} with ${formatBytes(bytesDone)} copied`,
    `${formatCount(failed)} failed`,
    ...counted({ skipped, deleted }),
  ].join(', ')
}

/** What is whole counts: a part that was under way begins again. @param {import('./progress-words').Progress} progress */
function partsLine(progress) {
  const [done, total] = countsOf(progress)
  if (total === 0) return NOTHING
  const noun = !('partsTotal' in progress) ? 'object' : progress.phase === 'verifying' ? 'range' : 'part'
  const failed = 'objectsFailed' in progress ? progress.objectsFailed : 0
  const rest = failed > 0 ? `, ${formatCount(failed)} failed` : ''
  return `${formatCount(done)} of ${plural(total, noun)} ${progress.phase === 'verifying' ? 'read' : 'copied'}${rest}`
}

/** What the proofs of a copy mean, in words. docs/integrity.md explains them in full. */

/** @typedef {import('../../lib/types').Proof} Proof */

/** The names of checksums. @type {Record<import('../../lib/types').Sum | 'md5', string>} */
const SUMS = { crc32: 'CRC-32', crc32c: 'CRC-32C', crc64nvme: 'CRC-64/NVME', md5: 'MD5' }

/**
 * The words of the proofs by each checksum.
 *
 * @template {'store' | 'stored' | 'source'} K
 * @template T
 * @param {K} kind
 * @param {(sum: string) => T} words
 * @returns {Record<`${K}-${keyof typeof SUMS}`, T>}
 */
function ofEach(kind, words) {
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(SUMS).map(([sum, name]) => [`${kind}-${sum}`, words(name)]))
  )
}

/** @type {Record<Proof, string>} */
const PROOFS = {
  ...ofEach('store', sum => `the destination recomputed and confirmed the ${sum} of what was read`),
  ...ofEach('stored', sum => `the store keeps the same ${sum} of source and copy`),
  ...ofEach('source', sum => `what was read equals the ${sum} that the source keeps`),
  'source-etag': "the destination's ETag equals the source's",
  'source-md5': 'what was read gives the MD5 that the source keeps',
  'source-read': 'the source was read twice, both times alike',
  'part-md5': 'the destination confirmed the MD5 of every part',
  'read-back': 'the destination was read back, and has what was sent',
  written: 'the file system took every byte whose checksum was computed, and put them on the disk',
  store: 'the store itself copied exactly the object that was found, and the size is right',
  size: 'what is stored is known by its size alone',
}

/** For `size` without a checksum: the only reason is that no checksum was asked for. */
const UNASKED = 'what is stored is known by its size alone, because no checksum was asked for'

/** For `size` if the store copied the object itself, so that xfer read none of its bytes. */
const STORES_WORD =
  'the store says that it copied it, and the size is right; it keeps no checksum of both that could be compared'

/** @param {import('../../lib/types').Summary} done @returns {string[]} a clause each */
function proofsOf({ proof, engine, sums }) {
  const bySize = engine === 'server' ? STORES_WORD : sums === undefined ? UNASKED : PROOFS.size
  return proof.map(each => (each === 'size' ? bySize : PROOFS[each]))
}

/** @param {string[]} clauses @returns {string[]} no line if there are none */
function proofLines(clauses) {
  return clauses.length > 0 ? [`Proof: ${clauses.join('; ')}.`] : []
}

/** @param {readonly string[]} proofs @returns {string} the outcome, for the last line */
function outcomeOf(proofs) {
  return proofs.some(proof => proof !== 'size') ? 'proved' : 'known by the size alone'
}

module.exports = {
  PROOFS,
  SUMS,
  ofEach,
  outcomeOf,
  atOnce,
  attributesLine,
  endpointsLine,
  limitsLine,
  limitsOf,
  movedOf,
  paceOf,
  shownName,
  noteLine,
  planLines,
  proofLines,
  proofsOf,
  doneLines,
  doneSoFar,
  errorLines,
  failedLine,
}
