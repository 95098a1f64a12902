'use strict'

/** The texts of events. The functions return lines without line ends. */

const { formatBytes, formatCount, formatDuration, formatEta, formatRate, plural, printable } = require('../format')

/** @typedef {import('../../lib/types').CopyEvent} CopyEvent */
/** @typedef {Extract<CopyEvent, { type: 'plan' }>} PlanEvent */
/** @typedef {Extract<CopyEvent, { type: 'progress' }>} ProgressEvent */
/** @typedef {Extract<CopyEvent, { type: 'done' }>} DoneEvent */

/** What each proof means, for the summary. docs/integrity.md explains them in full. */
const PROOFS = {
  'store-crc32': 'the destination recomputed and confirmed the CRC-32 of what was read',
  'stored-crc32': 'the store keeps the same CRC-32 of source and copy',
  'source-crc32': 'what was read equals the CRC-32 that the source keeps',
  'source-etag': "the destination's ETag equals the source's",
  'source-md5': "what was read gives the source's ETag, an MD5",
  'source-read': 'the source was read twice, both times alike',
  'part-md5': 'the destination confirmed the MD5 of every part',
  'read-back': 'the destination was read back, and has what was sent',
  store: 'the store itself copied exactly the object that was found, and the size is right',
  size: 'what is stored is known by its size alone',
}

const UNCOMPARED = 'The source has no checksum to compare with what was read; --verify full reads it a second time.'

/** The same for one of many objects, shorter. @type {Record<import('../../lib/types').Proof, string>} */
const PROOF_OF_MANY = {
  'store-crc32': 'the destination confirmed the CRC-32 of what was read',
  'stored-crc32': 'the store keeps the same CRC-32 of both',
  'source-crc32': 'what was read equals the CRC-32 that the source keeps',
  'source-etag': 'both have the same ETag',
  'source-md5': "what was read gives the source's ETag, an MD5",
  'source-read': 'the source was read twice, both times alike',
  'part-md5': 'the destination confirmed the MD5',
  'read-back': 'the destination was read back',
  store: 'the store says that it copied them, and the sizes are right',
  size: 'known by their sizes alone',
}

/** How the condition of `--no-clobber` or `--if-match` was checked. */
const CONDITIONS = {
  atomic: 'Condition: enforced by the destination itself at the moment of the write.',
  checked: 'Condition: checked before the write; this destination is not known to enforce it at the write itself.',
  asked: 'Condition: sent with the write, but this destination may ignore it, and it could not be checked before.',
}

/** For `size` without a CRC-32: the only reason is that no checksum was asked for. */
const UNASKED = 'what is stored is known by its size alone, because no checksum was asked for'

/** For `size` if the store copied the object itself, so that xfer read none of its bytes. */
const STORES_WORD =
  'the store says that it copied it, and the size is right; it keeps no checksum of both that could be compared'

/** @param {PlanEvent} plan */
function planLines(plan) {
  const how =
    plan.route === 'put' ? 'in one piece' : `in ${plural(plan.parts, 'part')} of ${formatBytes(plan.partBytes)}`
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    `${plan.source} → ${plan.destination}`,
    `${formatBytes(plan.bytes)} ${how}, ${atOnce(plan)}`,
    ...(plan.chunkWhy ? [plan.chunkWhy] : []),
    ...(plan.readBack ? [`${formatBytes(plan.readBack)} of the copy will be read back`] : []),
    ...attributesLine(plan.attributes),
    ...plan.notices.map(notice => `Note: ${notice}`),
  ].map(printable)
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
 * Whether the event is printed as a line of its own. The resumed objects of a prefix are not: they are too many.
 *
 * @param {import('../../lib/types').XferEvent} event
 * @returns {event is Extract<CopyEvent, { type: 'resume' | 'notice' | 'outage' }>}
 */
function isNote(event) {
  return event.type === 'notice' || event.type === 'outage' || (event.type === 'resume' && !('name' in event))
}

/** @param {Extract<CopyEvent, { type: 'resume' | 'notice' | 'outage' }>} event @returns {string} */
function noteLine(event) {
  if (event.type === 'outage') return printable(outageLine(event))
  if (event.type === 'notice') return printable(`Note: ${event.message}`)
  const { job, parts, bytes } = event
  return printable(`Resuming ${job}: ${plural(parts, 'part')} with ${formatBytes(bytes)} are already there.`)
}

/** @param {import('../../lib/types').OutageEvent} event */
function outageLine({ peer, where, message, forMs, over }) {
  const who = `The ${peer} at ${where}`
  if (over) return `Note: ${who} answers again after ${formatDuration(forMs)}.`
  return `Note: ${who} has not answered for ${formatDuration(forMs)}; waiting for it. ${message}`
}

/** @param {ProgressEvent} progress @returns {string} one line */
function progressLine(progress) {
  return `${percent(shareOf(progress))}  ${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}  ${figures(progress).join('  ')}`
}

/** @param {ProgressEvent} progress @param {number} columns of the terminal; the last column stays free @returns {string[]} */
function progressBlock(progress, columns) {
  const sizes = `${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}`
  return barOf({ share: shareOf(progress), sizes, figures: figures(progress) }, columns)
}

/** @param {{ share: number, sizes: string, figures: string[] }} what @param {number} columns @returns {string[]} a bar, and figures below it */
function barOf({ share, sizes, figures }, columns) {
  const width = Math.max(10, Math.min(50, columns - 40))
  const filled = Math.floor(share * width)
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
  return [`${bar} ${percent(share)}  ${sizes}`, ...wrap(figures, columns - 1)].map(line => line.slice(0, columns - 1))
}

/** @param {ProgressEvent} progress */
const isLast = ({ bytesDone, bytesTotal }) => bytesDone === bytesTotal

/** An empty object has no bytes to count; it is done when its part is. @param {ProgressEvent} progress */
function shareOf({ bytesDone, bytesTotal, partsDone, partsTotal }) {
  return bytesTotal === 0 ? Number(partsDone === partsTotal) : bytesDone / bytesTotal
}

/** @param {number} share of 1 */
function percent(share) {
  return `${String(Math.floor(share * 100)).padStart(3)} %`
}

/** Wraps items onto lines, without breaking an item. @param {string[]} items @param {number} columns */
function wrap(items, columns) {
  /** @type {string[]} */
  const lines = []
  for (const item of items) {
    const longer = `${lines.at(-1)}  ${item}`
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer
    else lines.push(item)
  }
  return lines
}

/** @param {ProgressEvent} progress */
function figures(progress) {
  const [rate, eta, ...others] = rest(progress)
  return [rate, eta, `parts ${formatCount(progress.partsDone)}/${formatCount(progress.partsTotal)}`, ...others]
}

/** The figures that all progress events have. @param {Omit<import('../../lib/types').Progress, 'partsDone' | 'partsTotal'>} progress */
function rest(progress) {
  return [
    formatRate(progress.bytesPerSecond),
    `ETA ${formatEta(progress.etaMs)}`,
    `in flight ${formatCount(progress.inFlight)}`,
    `retried ${formatCount(progress.retried)}`,
    `throttled ${formatCount(progress.throttled)}`,
    ...(progress.slowed ?? []).map(({ store, limit }) => `${store} limited to ${formatCount(limit)}`),
    ...(progress.away ?? []).map(({ peer, forMs }) => `${peer} has not answered for ${formatDuration(forMs)}`),
  ]
}

/** @param {DoneEvent} done */
function doneLines(done) {
  if (done.dryRun) {
    return [printable(`Would copy ${formatBytes(done.bytes)} from ${done.source} to ${done.destination}.`)]
  }
  const { crc32 } = done
  const bySize = done.engine === 'server' ? STORES_WORD : crc32 === undefined ? UNASKED : PROOFS.size
  const proofs = done.proof.map(proof => (proof === 'size' ? bySize : PROOFS[proof]))
  return [
    `Copied ${formatBytes(done.bytes)} to ${done.destination} in ${formatDuration(done.elapsedMs)}, ${formatRate(done.bytesPerSecond)}.`,
    `ETag ${done.etag}${crc32 === undefined ? '' : `  CRC-32 ${crc32}`}`,
    `Proof: ${proofs.join('; ')}.`,
    ...(done.uncompared ? [UNCOMPARED] : []),
    ...attributesLine(done.attributes).map(line => `${line}.`),
    ...(done.condition ? [CONDITIONS[done.condition]] : []),
    ...(done.resumedBytes > 0 ? [`An earlier run of the job had copied ${formatBytes(done.resumedBytes)} of it.`] : []),
    ...(done.hedgedBytes > 0 ? [hedgedLine(done)] : []),
  ].map(printable)
}

/** @param {DoneEvent} done */
function hedgedLine({ hedgedBytes, bytes }) {
  const share = ((100 * hedgedBytes) / bytes).toFixed(1)
  return `Started a second time, because the first attempt was far behind: ${formatBytes(hedgedBytes)} (${share} %).`
}

/** @param {{ message: string, hint: string }} error */
function errorLines({ message, hint }) {
  return [printable(`xfer: ${message}`), printable(`      ${hint}`)]
}

module.exports = {
  PROOF_OF_MANY,
  atOnce,
  barOf,
  rest,
  isNote,
  noteLine,
  planLines,
  progressLine,
  progressBlock,
  isLast,
  doneLines,
  errorLines,
}
