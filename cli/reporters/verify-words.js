'use strict'

/** The texts of a comparison that differ from those of a copy. */

const { atOnce, paceOf } = require('./text')
const { formatBytes, formatDuration, plural, printable } = require('../format')

/** @typedef {import('../../lib/types').VerifyEvent} VerifyEvent */
/** @typedef {Extract<VerifyEvent, { type: 'plan' }>} PlanEvent */
/** @typedef {Extract<VerifyEvent, { type: 'done' }>} DoneEvent */

/** @type {Record<NonNullable<DoneEvent['sum']>, string>} */
const SUMS = { crc32: 'CRC-32', crc32c: 'CRC-32C', crc64nvme: 'CRC-64/NVME', md5: 'MD5' }

/** @type {Record<DoneEvent['method'], (done: DoneEvent) => string>} */
const PROOFS = {
  'stored-crc32': ({ value }) => `both stores keep the CRC-32 ${value}`,
  'stored-crc32c': ({ value }) => `both stores keep the CRC-32C ${value}`,
  'stored-crc64nvme': ({ value }) => `both stores keep the CRC-64/NVME ${value}`,
  'stored-md5': ({ value }) => `both stores keep the MD5 ${value}`,
  etag: ({ value }) => `both have the ETag ${value}, an MD5`,
  'composite-crc32': ({ value }) => `both stores keep the composite CRC-32 ${value}, of parts of equal sizes`,
  read: ({ value, readBytes, sum = 'crc32' }) =>
    `${formatBytes(readBytes)} were read, and both have the ${SUMS[sum]} ${value}`,
}

/** @param {PlanEvent} plan @param {Pick<import('../style').Style, 'signs'>} style */
function planLines(plan, { signs }) {
  const { source, destination, endpoints, bytes, reads, ranges, rangeBytes } = plan
  const objects = [
    `${source} ${signs.both} ${destination}`,
    ...(endpoints ? [`At ${endpoints.source} and ${endpoints.destination}`] : []),
  ]
  if (reads.length === 0) return objects.map(printable)
  const what = reads.length === 2 ? 'both' : reads[0]
  const how = ranges === 1 ? 'in one piece' : `in ${plural(ranges, 'range')} of ${formatBytes(rangeBytes)}`
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    ...objects,
    `${formatBytes(bytes)}; reading ${what} ${how}, ${atOnce(plan)}`,
  ].map(printable)
}

/** @param {DoneEvent} done @returns {string[]} the last one says it all, for a log */
function doneLines(done) {
  const pace = done.readBytes > 0 ? paceOf(done) : `in ${formatDuration(done.elapsedMs)}`
  return [
    `Proof: ${PROOFS[done.method](done)}.`,
    `${done.source} and ${done.destination} are equal, ${formatBytes(done.bytes)}, ${pace}.`,
  ].map(printable)
}

module.exports = { planLines, doneLines }
