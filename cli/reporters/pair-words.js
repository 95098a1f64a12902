'use strict'

/** The texts of a comparison of two prefixes. */

const { atOnce, paceOf } = require('./text')
const { formatBytes, formatCount, formatDuration, formatElapsed, plural, printable } = require('../format')

/** @typedef {import('../../lib/types').PrefixVerifyEvent} Event */
/** @typedef {Extract<Event, { type: 'plan' }>} PlanEvent */
/** @typedef {Extract<Event, { type: 'difference' }>} DifferenceEvent */
/** @typedef {Extract<Event, { type: 'done' }>} DoneEvent */
/** @typedef {import('../../lib/types').PairCounts} PairCounts */
/** @typedef {import('../../lib/types').PairMethod} PairMethod */

/** @type {Record<PairMethod, string>} */
const METHODS = {
  'stored-crc32': 'CRC-32s that both stores keep',
  'stored-crc32c': 'CRC-32Cs that both stores keep',
  'stored-crc64nvme': 'CRC-64/NVMEs that both stores keep',
  'stored-md5': 'MD5s that both stores keep',
  etag: 'ETags',
  'composite-crc32': 'composite CRC-32s',
  read: 'reading',
  empty: 'no bytes',
}

/** @param {PlanEvent} plan @param {Pick<import('../style').Style, 'signs'>} style */
function planLines(plan, { signs }) {
  const { source, destination, endpoints } = plan
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    `${source} ${signs.both} ${destination}, read where nothing else proves it, ${atOnce(plan)}`,
    ...(endpoints ? [`At ${endpoints.source} and ${endpoints.destination}`] : []),
    ...plan.notices.map(notice => `Note: ${notice}`),
  ].map(printable)
}

/** @param {DifferenceEvent} event @returns {string} one line: what was found, and the name */
function differenceLine({ name, found, bytes = 0, bytesThere = 0, why, reason }) {
  const shown = name || '(the prefix itself)'
  if (found !== 'differs')
    return printable(`${found} ${shown} (${formatBytes(found === 'missing' ? bytes : bytesThere)})`)
  const how = why === 'size' ? `${formatCount(bytes)} bytes, and ${formatCount(bytesThere)} at the destination` : reason
  return printable(`differs ${shown} (${how})`)
}

/** @param {DoneEvent} done @returns {string[]} the last one says it all, for a log */
function doneLines({ source, destination, pairs, methods, bytes, readBytes, elapsedMs, bytesPerSecond }) {
  const filtered = pairs.filtered > 0 ? `, ${formatCount(pairs.filtered)} filtered out` : ''
  const pace = readBytes > 0 ? paceOf({ elapsedMs, bytesPerSecond }) : `in ${formatDuration(elapsedMs)}`
  const what = `${plural(pairs.equal, 'object')} with ${formatBytes(bytes)}`
  return [
    ...methodsLine(methods, readBytes),
    `${source} and ${destination} are equal: ${what}, ${pace}${filtered}.`,
  ].map(printable)
}

/** @param {Partial<Record<PairMethod, number>>} methods @param {number} [readBytes] @returns {string[]} */
function methodsLine(methods, readBytes = 0) {
  const proofs = /** @type {Array<[PairMethod, number]>} */ (Object.entries(methods)).map(
    ([method, many]) =>
      `${METHODS[method]} (${formatCount(many)}${method === 'read' && readBytes > 0 ? `, ${formatBytes(readBytes)}` : ''})`,
  )
  return proofs.length > 0 ? [`Proof: ${proofs.join('; ')}.`] : []
}

/**
 * The last line of a comparison that failed or found differences, for a log.
 *
 * @param {{ code: string, exitCode: number, pairs: PairCounts, methods?: Partial<Record<PairMethod, number>> }} error
 * @param {{ elapsedMs: number }} how
 * @returns {string[]}
 */
function endLines({ code, exitCode, pairs, methods = {} }, { elapsedMs }) {
  const { listed, equal, differing, missing, extra, failed } = pairs
  const counts = [
    `${formatCount(equal)} of ${plural(listed, 'name')} equal`,
    ...(differing > 0 ? [`${formatCount(differing)} ${differing === 1 ? 'differs' : 'differ'}`] : []),
    ...(missing > 0 ? [`${formatCount(missing)} missing`] : []),
    ...(extra > 0 ? [`${formatCount(extra)} extra`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} not compared`] : []),
  ]
  const ended = `xfer: ended after ${formatElapsed(elapsedMs)} with ${code} (exit status ${exitCode})`
  return [...methodsLine(methods), `${ended}: ${listed === 0 ? 'nothing was done' : counts.join(', ')}.`].map(printable)
}

module.exports = { differenceLine, doneLines, endLines, planLines }
