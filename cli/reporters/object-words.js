'use strict'

/** The texts of a copy of a prefix that differ from those of a copy of one object. */

const { PROOF_OF_MANY, atOnce, barOf, rest } = require('./text')
const { formatBytes, formatCount, formatDuration, formatRate, plural, printable } = require('../format')

/** @typedef {import('../../lib/types').PrefixEvent} PrefixEvent */
/** @typedef {Extract<PrefixEvent, { type: 'plan' }>} PlanEvent */
/** @typedef {Extract<PrefixEvent, { type: 'progress' }>} ProgressEvent */
/** @typedef {Extract<PrefixEvent, { type: 'object' }>} ObjectEvent */
/** @typedef {Extract<PrefixEvent, { type: 'failure' }>} FailureEvent */
/** @typedef {Extract<PrefixEvent, { type: 'done' }>} DoneEvent */

/** @param {PlanEvent} plan */
function planLines(plan) {
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    `${plan.source} → ${plan.destination}, ${plan.recursive === 'sync' ? 'what differs' : 'all of it'}, ${atOnce(plan)}`,
    ...plan.notices.map(notice => `Note: ${notice}`),
  ].map(printable)
}

/** @param {ProgressEvent} progress */
function objectsOf({ objectsDone, objectsTotal, listing }) {
  return `${formatCount(objectsDone)} of ${formatCount(objectsTotal)}${listing ? ' and more' : ''}`
}

/** @param {ProgressEvent} progress */
function figures(progress) {
  const { objectsSkipped, objectsFiltered, objectsFailed } = progress
  return [
    `objects ${objectsOf(progress)}`,
    ...(objectsSkipped > 0 ? [`skipped ${formatCount(objectsSkipped)}`] : []),
    ...(objectsFiltered > 0 ? [`filtered ${formatCount(objectsFiltered)}`] : []),
    ...(objectsFailed > 0 ? [`failed ${formatCount(objectsFailed)}`] : []),
    ...rest(progress),
  ]
}

/** @param {ProgressEvent} progress */
function shareOf({ bytesDone, bytesTotal, objectsDone, objectsTotal }) {
  if (objectsTotal === 0) return 0
  return bytesTotal === 0 ? objectsDone / objectsTotal : bytesDone / bytesTotal
}

/** @param {ProgressEvent} progress @returns {string} */
function progressLine(progress) {
  const { bytesDone, bytesTotal } = progress
  return [`${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`, ...figures(progress)].join('  ')
}

/** @param {ProgressEvent} progress @param {number} columns */
function progressBlock(progress, columns) {
  const { bytesDone, bytesTotal } = progress
  const sizes = `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`
  return barOf({ share: shareOf(progress), sizes, figures: figures(progress) }, columns)
}

/** @param {ProgressEvent} progress */
const isLast = ({ listing, objectsDone, objectsTotal }) => !listing && objectsDone === objectsTotal

/** For the objects of a dry run, and for an object that is gone. @param {ObjectEvent} event @returns {string | undefined} */
function objectLine({ action, name, bytes, why }) {
  if (action === 'gone') return printable(`gone ${name} (deleted at the source since it was listed)`)
  if (why === undefined && action === 'copy') return undefined
  return printable(
    action === 'delete'
      ? `delete ${name}`
      : `copy ${name} (${formatBytes(bytes ?? 0)}${why === 'all' ? '' : `, ${why}`})`,
  )
}

/** @param {FailureEvent} event */
function failureLine({ name, message, hint }) {
  return printable(`Failed: ${name || '(the prefix itself)'}: ${message} ${hint}`)
}

/** @param {DoneEvent} done */
function doneLines(done) {
  const { chosen, copied, skipped, filtered, gone = 0, earlier = 0, deleted } = done.objects
  const others = skipped - gone - earlier
  if (done.dryRun) {
    const what = `${plural(chosen, 'object')} with ${formatBytes(done.bytes)}`
    const rest = [
      ...(deleted > 0 ? [`delete ${formatCount(deleted)}`] : []),
      ...(filtered > 0 ? [`filter out ${formatCount(filtered)}`] : []),
    ]
    const others = `${rest.map(each => ` ${each},`).join('')} and skip ${formatCount(skipped)}`
    return [printable(`Would copy ${what} from ${done.source} to ${done.destination},${others}.`)]
  }
  const proofs = Object.entries(done.proof).map(
    ([proof, many]) => `${formatCount(many)}: ${PROOF_OF_MANY[/** @type {keyof typeof PROOF_OF_MANY} */ (proof)]}`,
  )
  return [
    `Copied ${plural(copied, 'object')} with ${formatBytes(done.bytes)} to ${done.destination} in ${formatDuration(done.elapsedMs)}, ${formatRate(done.bytesPerSecond)}.`,
    ...(done.byStore ? [`${formatCount(done.byStore)} of them were copied by the store itself.`] : []),
    ...(earlier > 0 ? [`Left out ${plural(earlier, 'object')} that earlier runs of the job had handled.`] : []),
    ...(others > 0 ? [`Skipped ${plural(others, 'object')}.`] : []),
    ...(filtered > 0 ? [`Filtered out ${plural(filtered, 'object')}.`] : []),
    ...(gone > 0 ? [`Gone from the source before they were copied: ${plural(gone, 'object')}.`] : []),
    ...(deleted > 0 ? [`Deleted ${plural(deleted, 'object')} that the source does not have.`] : []),
    ...(proofs.length > 0 ? [`Proof: ${proofs.join('; ')}.`] : []),
    ...(done.uncompared ? [uncomparedLine(done.uncompared)] : []),
  ].map(printable)
}

/** @param {number} many */
function uncomparedLine(many) {
  const whose = `The source has no checksum of ${plural(many, 'object')}`
  return `${whose} to compare with what was read; --verify full reads ${many === 1 ? 'it' : 'them'} a second time.`
}

module.exports = { planLines, progressLine, progressBlock, isLast, objectLine, failureLine, doneLines }
