'use strict'

/** The texts of a comparison that differ from those of a copy. */

const { atOnce } = require('./text')
const { formatBytes, formatDuration, formatRate, plural, printable } = require('../format')

/** @typedef {import('../../lib/types').VerifyEvent} VerifyEvent */
/** @typedef {Extract<VerifyEvent, { type: 'plan' }>} PlanEvent */
/** @typedef {Extract<VerifyEvent, { type: 'done' }>} DoneEvent */

/** @type {Record<DoneEvent['method'], (done: DoneEvent) => string>} */
const PROOFS = {
  'stored-crc32': ({ value }) => `both stores keep the CRC-32 ${value}`,
  etag: ({ value }) => `both have the ETag ${value}, an MD5`,
  'composite-crc32': ({ value }) => `both stores keep the composite CRC-32 ${value}, of parts of equal sizes`,
  read: ({ value, readBytes, elapsedMs, bytesPerSecond }) =>
    `${formatBytes(readBytes)} were read in ${formatDuration(elapsedMs)}, ${formatRate(bytesPerSecond)}, and both have the CRC-32 ${value}`,
}

/** @param {PlanEvent} plan */
function planLines(plan) {
  const { source, destination, bytes, reads, ranges, rangeBytes } = plan
  const objects = `${source} ↔ ${destination}`
  if (reads.length === 0) return [objects].map(printable)
  const what = reads.length === 2 ? 'both' : reads[0]
  const how = ranges === 1 ? 'in one piece' : `in ${plural(ranges, 'range')} of ${formatBytes(rangeBytes)}`
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    objects,
    `${formatBytes(bytes)}; reading ${what} ${how}, ${atOnce(plan)}`,
  ].map(printable)
}

/** @param {DoneEvent} done */
function doneLines(done) {
  return [
    `${done.source} and ${done.destination} are equal, ${formatBytes(done.bytes)}.`,
    `Proof: ${PROOFS[done.method](done)}.`,
  ].map(printable)
}

module.exports = { planLines, doneLines }
