'use strict'

/** The texts of progress: one line for a log, or a block for a terminal. The same for one object, a prefix and a comparison. */

const {
  cut,
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatEta,
  formatPace,
  formatRate,
  plural,
  wrap,
} = require('../format')

/** @typedef {import('../../lib/types').Progress} OneProgress */
/** @typedef {import('../../lib/types').PrefixProgress} PrefixProgress */
/** @typedef {OneProgress | PrefixProgress} Progress */
/** @typedef {import('../format').Style} Style */

/** A narrower terminal shows nothing but how far it is. */
const LEAST_COLUMNS = 20
const BAR = { least: 10, most: 50 }

/** @param {Progress} progress @returns {string} one line */
function progressLine(progress) {
  const percent = isGrowing(progress) ? [] : [percentOf(progress).trimStart()]
  return [phaseOf(progress), ...percent, sizesOf(progress), ...figuresOf(progress)].join('  ')
}

/** Whether it is unknown how much is to come, so there is no share of it. @param {Progress} progress */
function isGrowing(progress) {
  return 'growing' in progress && progress.growing === true
}

/**
 * @param {Progress} progress
 * @param {{ columns: number, rows?: number }} terminal the last column stays free: some terminals wrap there
 * @param {Pick<Style, 'signs'>} style
 * @returns {string[]}
 */
function progressBlock(progress, { columns, rows = Number.POSITIVE_INFINITY }, { signs }) {
  const width = columns - 1
  if (width < 1) return []
  if (isGrowing(progress)) return wrap([phaseOf(progress), sizesOf(progress), ...figuresOf(progress)], width)
  const percent = percentOf(progress)
  if (width < LEAST_COLUMNS) return [cut(percent.trimStart(), width).trimEnd()]
  const tail = ` ${percent}  ${sizesOf(progress)}`
  const bar = Math.min(BAR.most, columns - 40, width - tail.length)
  const filled = Math.floor(shareOf(progress) * bar)
  const rest = [phaseOf(progress), ...figuresOf(progress)]
  const lines =
    bar < BAR.least
      ? wrap([percent.trimStart(), sizesOf(progress), ...rest], width)
      : [signs.full.repeat(filled) + signs.empty.repeat(bar - filled) + tail, ...wrap(rest, width)]
  return lines.slice(0, Math.max(1, rows - 1))
}

/** @param {Progress} progress */
function phaseOf(progress) {
  const { phase, phaseMs, partsAssembling: parts } = progress
  if (phase === 'assembling') {
    return `assembling ${parts === undefined ? 'the parts' : plural(parts, 'part')} for ${formatElapsed(phaseMs)}`
  }
  if (phase === 'deleting' && 'objectsToDelete' in progress) {
    const { objectsDeleted = 0, objectsToDelete = 0 } = progress
    return `deleting ${formatCount(objectsDeleted)} of ${plural(objectsToDelete, 'object')}`
  }
  return phase
}

/** @param {Progress} progress */
function sizesOf(progress) {
  const { bytesDone, bytesTotal } = progress
  if (isGrowing(progress)) return `${formatBytes(bytesDone)} so far`
  return `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`
}

/** @param {Progress} progress @returns {number} of 1 */
function shareOf(progress) {
  const { bytesDone, bytesTotal } = progress
  if (bytesTotal > 0) return bytesDone / bytesTotal
  // Empty objects have no bytes to count.
  const [done, total] = countsOf(progress)
  return total === 0 ? 0 : done / total
}

/** @param {Progress} progress @returns {[done: number, total: number]} of objects, or of parts */
function countsOf(progress) {
  if ('objectsTotal' in progress) return [progress.objectsDone, progress.objectsTotal]
  return [progress.partsDone, progress.partsTotal]
}

/** @param {Progress} progress */
function percentOf(progress) {
  return `${String(Math.floor(shareOf(progress) * 100)).padStart(3)} %`
}

/** @param {Progress} progress */
function figuresOf(progress) {
  const { phase, elapsedMs, bytesPerSecond, etaMs, resumedBytes, inFlight, retried, throttled } = progress
  const moves = phase === 'copying' || phase === 'verifying'
  return [
    ...(moves ? [formatRate(bytesPerSecond)] : []),
    ...(moves && 'objectsPerSecond' in progress ? [formatPace(progress.objectsPerSecond)] : []),
    ...(moves && etaMs !== undefined ? [`ETA ${formatEta(etaMs)}`] : []),
    `elapsed ${formatElapsed(elapsedMs)}`,
    ...('objectsTotal' in progress ? objectsOf(progress) : moves ? partsOf(progress) : []),
    ...(resumedBytes > 0 ? [`${formatBytes(resumedBytes)} there before`] : []),
    ...(moves ? [`in flight ${formatCount(inFlight)}`] : []),
    ...figures({ retried, throttled }),
    ...(progress.slowed ?? []).map(({ store, limit }) => `${store} limited to ${formatCount(limit)}`),
    ...(progress.away ?? []).map(({ peer, forMs }) => `${peer} has not answered for ${formatDuration(forMs)}`),
    ...(progress.waiting ? [waitingOf(progress.waiting)] : []),
  ]
}

/** @param {{ perMinute?: number }} waiting */
function waitingOf({ perMinute }) {
  const quota = perMinute === undefined ? 'the' : formatCount(perMinute)
  return `waiting for the platform: ${quota} invocations a minute are used up`
}

/** @param {OneProgress} progress */
function partsOf({ phase, partsDone, partsTotal, growing }) {
  if (growing) return [`parts ${formatCount(partsDone)}`]
  return [`${phase === 'verifying' ? 'ranges' : 'parts'} ${formatCount(partsDone)}/${formatCount(partsTotal)}`]
}

/** @param {PrefixProgress} progress */
function objectsOf({ objectsDone, objectsTotal, listing, ...progress }) {
  return [
    `objects ${formatCount(objectsDone)}/${formatCount(objectsTotal)}${listing ? ' and more' : ''}`,
    ...figures({
      skipped: progress.objectsSkipped,
      filtered: progress.objectsFiltered,
      'not equal': progress.objectsDiffering,
      failed: progress.objectsFailed,
    }),
  ]
}

/** @param {Record<string, number | undefined>} numbers by their names @returns {string[]} those that are not 0 */
function figures(numbers) {
  return Object.entries(numbers).flatMap(([name, number]) => (number ? [`${name} ${formatCount(number)}`] : []))
}

/** @param {Progress} progress @returns {boolean} whether nothing is left to copy or to read */
function isLast(progress) {
  if (!('objectsTotal' in progress)) return progress.bytesDone === progress.bytesTotal
  return !progress.listing && progress.objectsDone + progress.objectsFailed === progress.objectsTotal
}

module.exports = { countsOf, isLast, progressBlock, progressLine, shareOf }
