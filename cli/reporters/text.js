'use strict'

/** Events in words. Each function gives lines without their ends. */

const { formatBytes, formatCount, formatDuration, formatEta, formatRate, plural, printable } = require('../format')

/** @typedef {import('../../lib/types').CopyEvent} CopyEvent */
/** @typedef {Extract<CopyEvent, { type: 'plan' }>} PlanEvent */
/** @typedef {Extract<CopyEvent, { type: 'progress' }>} ProgressEvent */
/** @typedef {Extract<CopyEvent, { type: 'done' }>} DoneEvent */

/** What each proof means, in the summary's words; docs/integrity.md has the long ones. */
const PROOFS = {
  'store-crc32': 'the destination recomputed and confirmed the CRC-32 of what was read',
  'source-crc32': 'what was read equals the CRC-32 that the source keeps',
  'source-etag': "the destination's ETag equals the source's",
  'source-md5': "what was read gives the source's ETag, an MD5",
  'source-read': 'the source was read twice, both times alike',
  'part-md5': 'the destination confirmed the MD5 of every part',
  'read-back': 'the destination was read back, and has what was sent',
  size: 'what is stored is known by its size alone, for the destination offers no checksum that could be compared',
}

/** What was had of the condition of `--no-clobber` or `--if-match`. */
const CONDITIONS = {
  atomic: 'Condition: kept by the destination itself at the moment of the write.',
  checked: 'Condition: looked at before the write; this destination is not known to keep it at the write itself.',
  asked: 'Condition: sent along, but this destination may not heed it, and did not let it be looked at.',
}

/** Of `size`, where nobody wanted a checksum: no other reason is known to have none. */
const UNASKED = 'what is stored is known by its size alone, for no checksum was asked for'

/** @param {PlanEvent} plan */
function planLines(plan) {
  const how =
    plan.route === 'put' ? 'in one piece' : `in ${plural(plan.parts, 'part')} of ${formatBytes(plan.partBytes)}`
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    `${plan.source} → ${plan.destination}`,
    `${formatBytes(plan.bytes)} ${how}, ${atOnce(plan)}`,
    ...(plan.chunkWhy ? [plan.chunkWhy] : []),
    ...plan.notices.map(notice => `Note: ${notice}`),
  ].map(printable)
}

/** @param {{ concurrency: number, adapts?: true, bandwidth?: number }} plan */
function atOnce({ concurrency, adapts, bandwidth }) {
  const most = bandwidth === undefined ? '' : `, at most ${formatRate(bandwidth)}`
  return `${adapts && concurrency > 1 ? 'up to ' : ''}${formatCount(concurrency)} at once${most}`
}

/** @param {Extract<CopyEvent, { type: 'resume' | 'notice' }>} event @returns {string} */
function noteLine(event) {
  if (event.type === 'notice') return printable(`Note: ${event.message}`)
  const { job, parts, bytes } = event
  return printable(`Going on with ${job}: ${plural(parts, 'part')} with ${formatBytes(bytes)} are there already.`)
}

/** @param {ProgressEvent} progress @returns {string} one line */
function progressLine(progress) {
  return `${percent(progress)}  ${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}  ${figures(progress).join('  ')}`
}

/** @param {ProgressEvent} progress @param {number} columns of the terminal; the last one stays free @returns {string[]} */
function progressBlock(progress, columns) {
  const width = Math.max(10, Math.min(50, columns - 40))
  const filled = Math.floor(shareOf(progress) * width)
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
  return [
    `${bar} ${percent(progress)}  ${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}`,
    ...wrap(figures(progress), columns - 1),
  ].map(line => line.slice(0, columns - 1))
}

/** An empty object is copied once its part is. @param {ProgressEvent} progress */
function shareOf({ bytesDone, bytesTotal, partsDone, partsTotal }) {
  return bytesTotal === 0 ? Number(partsDone === partsTotal) : bytesDone / bytesTotal
}

/** @param {ProgressEvent} progress */
function percent(progress) {
  return `${String(Math.floor(shareOf(progress) * 100)).padStart(3)} %`
}

/** Items on as many lines as they need, none of them broken. @param {string[]} items @param {number} columns */
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
  return [
    formatRate(progress.bytesPerSecond),
    `ETA ${formatEta(progress.etaMs)}`,
    `parts ${formatCount(progress.partsDone)}/${formatCount(progress.partsTotal)}`,
    `in flight ${formatCount(progress.inFlight)}`,
    `retried ${formatCount(progress.retried)}`,
    `throttled ${formatCount(progress.throttled)}`,
    ...(progress.slowed ?? []).map(({ store, limit }) => `${store} bears ${formatCount(limit)}`),
  ]
}

/** @param {DoneEvent} done */
function doneLines(done) {
  if (done.dryRun) {
    return [printable(`Would copy ${formatBytes(done.bytes)} from ${done.source} to ${done.destination}.`)]
  }
  const { crc32 } = done
  const proofs = done.proof.map(proof => (proof === 'size' && crc32 === undefined ? UNASKED : PROOFS[proof]))
  return [
    `Copied ${formatBytes(done.bytes)} to ${done.destination} in ${formatDuration(done.elapsedMs)}, ${formatRate(done.bytesPerSecond)}.`,
    `ETag ${done.etag}${crc32 === undefined ? '' : `  CRC-32 ${crc32}`}`,
    `Proof: ${proofs.join('; ')}.`,
    ...(done.condition ? [CONDITIONS[done.condition]] : []),
    ...(done.resumedBytes > 0
      ? [`Of it ${formatBytes(done.resumedBytes)} had been copied by an earlier run of the job.`]
      : []),
    ...(done.hedgedBytes > 0 ? [hedgedLine(done)] : []),
  ].map(printable)
}

/** @param {DoneEvent} done */
function hedgedLine({ hedgedBytes, bytes }) {
  const share = ((100 * hedgedBytes) / bytes).toFixed(1)
  return `Started a second time, for the first was far behind: ${formatBytes(hedgedBytes)} (${share} %).`
}

/** @param {{ message: string, hint: string }} error */
function errorLines({ message, hint }) {
  return [printable(`xfer: ${message}`), printable(`      ${hint}`)]
}

module.exports = { atOnce, noteLine, planLines, progressLine, progressBlock, doneLines, errorLines }
