'use strict'

/** The texts of a comparison, of two objects or of two prefixes, that differ from those of a copy. */

const { SUMS, atOnce, ofEach, paceOf, proofLines, shownName } = require('./copy-words')
const { counted, formatBytes, formatCount, formatDuration, formatElapsed, plural } = require('../format')

/** @typedef {import('../../lib/types').VerifyEvent | import('../../lib/types').PrefixVerifyEvent} ComparedEvent */
/** @typedef {Extract<ComparedEvent, { type: 'plan' }>} ComparisonPlanEvent */
/** @typedef {Extract<ComparedEvent, { type: 'difference' }>} DifferenceEvent */
/** @typedef {Extract<ComparedEvent, { type: 'done' }>} ComparisonDoneEvent */
/** @typedef {Extract<ComparisonDoneEvent, { method: string }>} OneDone */
/** @typedef {import('../../lib/types').PairCounts} PairCounts */
/** @typedef {import('../../lib/types').PairMethod} PairMethod */

/** What proved two objects equal. @type {Record<OneDone['method'], (done: OneDone) => string>} */
const PROOFS = {
  ...ofEach(
    'stored',
    sum =>
      ({ value }) =>
        `both stores keep the ${sum} ${value}`,
  ),
  etag: ({ value }) => `both have the ETag ${value}, an MD5`,
  'composite-crc32': ({ value }) => `both stores keep the composite CRC-32 ${value}, of parts of equal sizes`,
  read: ({ value, readBytes, sum = 'crc32' }) =>
    `${formatBytes(readBytes)} were read, and both have the ${SUMS[sum]} ${value}`,
}

/** The same of many. @type {Record<PairMethod, string>} */
const METHODS = {
  ...ofEach('stored', sum => `${sum}s that both sides keep`),
  etag: 'ETags',
  'composite-crc32': 'composite CRC-32s',
  read: 'reading',
  empty: 'no bytes',
}

/** @param {ComparisonPlanEvent} plan @param {Pick<import('../format').Style, 'signs'>} style */
function planLines(plan, { signs }) {
  const { source, destination, endpoints } = plan
  const engine = `Engine ${plan.engine}: ${plan.where} (${plan.why})`
  const places = `${source} ${signs.both} ${destination}`
  const at = endpoints ? [`At ${endpoints.source} and ${endpoints.destination}`] : []
  if ('recursive' in plan) return [engine, `${places}, read where nothing else proves it, ${atOnce(plan)}`, ...at]
  const { bytes, reads, ranges, rangeBytes } = plan
  if (reads.length === 0) return [places, ...at]
  const what = reads.length === 2 ? 'both' : reads[0]
  const how = ranges === 1 ? 'in one piece' : `in ${plural(ranges, 'range')} of ${formatBytes(rangeBytes)}`
  return [engine, places, ...at, `${formatBytes(bytes)}; reading ${what} ${how}, ${atOnce(plan)}`]
}

/** With `--verbose`. @param {import('../../lib/types').EqualEvent} event */
function equalLine({ name, bytes, method }) {
  return `equal ${shownName(name)} (${formatBytes(bytes)}: ${METHODS[method]})`
}

/** @param {DifferenceEvent} event @returns {string} one line: what was found, and the name */
function differenceLine({ name, found, bytes = 0, bytesThere = 0, why, reason }) {
  const shown = shownName(name)
  if (found !== 'differs') return `${found} ${shown} (${formatBytes(found === 'missing' ? bytes : bytesThere)})`
  const how = why === 'size' ? `${formatCount(bytes)} bytes, and ${formatCount(bytesThere)} at the destination` : reason
  return `differs ${shown} (${how})`
}

/** @param {ComparisonDoneEvent} done @returns {string[]} the last one says it all, for a log */
function doneLines(done) {
  const { source, destination, readBytes, elapsedMs } = done
  const size = formatBytes(done.bytes)
  const pace = readBytes > 0 ? paceOf(done) : `in ${formatDuration(elapsedMs)}`
  const ends = `${source} and ${destination} are equal`
  if ('method' in done) return [`Proof: ${PROOFS[done.method](done)}.`, `${ends}, ${size}, ${pace}.`]
  const { pairs, methods, sampledOf } = done
  const rest = [pace, ...counted({ 'filtered out': pairs.filtered })].join(', ')
  const those =
    sampledOf === undefined
      ? plural(pairs.equal, 'object')
      : `${formatCount(pairs.equal)} of ${plural(sampledOf, 'object')}, drawn at random,`
  return [...methodsLine(methods, readBytes), `${ends}: ${those} with ${size}, ${rest}.`]
}

/** @param {Partial<Record<PairMethod, number>>} methods @param {number} [readBytes] @returns {string[]} */
function methodsLine(methods, readBytes = 0) {
  const proofs = /** @type {Array<[PairMethod, number]>} */ (Object.entries(methods)).map(
    ([method, many]) =>
      `${METHODS[method]} (${formatCount(many)}${method === 'read' && readBytes > 0 ? `, ${formatBytes(readBytes)}` : ''})`,
  )
  return proofLines(proofs)
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
    ...counted({ [differing === 1 ? 'differs' : 'differ']: differing, missing, extra, 'not compared': failed }),
  ]
  const ended = `xfer: ended after ${formatElapsed(elapsedMs)} with ${code} (exit status ${exitCode})`
  return [...methodsLine(methods), `${ended}: ${listed === 0 ? 'nothing was done' : counts.join(', ')}.`]
}

module.exports = { differenceLine, doneLines, endLines, equalLine, planLines }
