'use strict'

const { readFileSync, writeFileSync } = require('node:fs')
const lib = require('../../lib')
const { factoryOfText } = require('../../lib/stores')
const { prober } = require('../confirm')
const { formatBytes, formatCount, formatDuration, formatRate, jsonLine, plural } = require('../format')

/** @typedef {import('../../lib/types').ProbeReport} ProbeReport */
/** @typedef {import('../../lib/types').ProbedPlace} ProbedPlace */
/** @typedef {import('../../lib/types').ProbeStep} ProbeStep */

const BOTTLENECKS = {
  source: 'the source gives no more',
  destination: 'the destination takes no more',
  requests: 'waiting for answers',
}

/** The longest bar of the curve. */
const WIDTH = 30

/** @param {number} bytes as the sizes of a probe are: in thousands */
function sizeOf(bytes) {
  return bytes < 1e6 ? `${bytes / 1e3} kB` : `${bytes / 1e6} MB`
}

/** @param {number} ms */
const time = ms => (ms < 10 ? `${ms.toFixed(1)} ms` : formatDuration(ms))

/** @param {NonNullable<ProbedPlace['calls']>} calls */
const callLine = ({ warmMs, firstMs }) =>
  `  A call adds ${time(warmMs)} to what its function does, and added ${time(firstMs)} the first time.`

/** @param {ProbedPlace['times']} times */
function timeLines(times) {
  return [
    `  ${'one by one'.padEnd(12)}${['median', 'p95', 'p99', 'first byte'].map(word => word.padStart(12)).join('')}`,
    ...Object.entries(times).map(([op, { p50, p95, p99, firstByteMs, count }]) => {
      const cells = [p50, p95, p99, firstByteMs].map(ms => (count > 0 ? time(ms) : 'refused').padStart(12))
      return `  ${op.toUpperCase().padEnd(12)}${cells.join('')}`
    }),
  ]
}

/** @param {'GET' | 'PUT'} op @param {ProbedPlace['gets']} curves @param {ProbedPlace['read']} best */
function curveLines(op, curves, best) {
  const most = Math.max(1, ...curves.flatMap(({ steps }) => steps.map(step => step.bytesPerSecond)))
  return curves.flatMap(({ bytes, steps }) =>
    steps.map(({ lanes, bytesPerSecond, refused, times, firstDoneMs, lastDoneMs }, i) => {
      const bar = '#'.repeat(Math.max(1, Math.round((WIDTH * bytesPerSecond) / most)))
      const what = (i === 0 ? `${op} ${sizeOf(bytes)}` : '').padEnd(12)
      const tail = lastDoneMs - firstDoneMs > 0.2 * lastDoneMs ? `, tail ${time(lastDoneMs - firstDoneMs)}` : ''
      const knee = best && best.bytes === bytes && best.lanes === lanes ? '  <- enough' : ''
      const said = `${refused > 0 ? `, ${refused} refused` : ''}${tail}${knee}`
      return `  ${what}${String(lanes).padStart(5)} ${formatRate(bytesPerSecond).padStart(12)} ${time(times.p50).padStart(9)} ${bar}${said}`
    }),
  )
}

/** @param {{ ratio: number, low: number, high: number }} found */
function ratioText({ ratio, low, high }) {
  const told = `${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
  if (low > 1) return `${told}, faster`
  if (high < 1) return `${told}, slower`
  return `${told}, no difference above ${Math.ceil(100 * Math.max(high - 1, 1 - low))} %`
}

/** @param {string[][]} rows */
function tableLines(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  return rows.map(row => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[i]))).join('  '))
}

/** @param {NonNullable<ProbeReport['comparison']>} comparison */
function comparisonLines(comparison) {
  const rows = comparison.map(({ location, put, get }, i) => {
    const cells = (/** @type {any} */ found) => [time(found.ms), i === 0 ? '1' : ratioText(found)]
    return [location, ...cells(put), ...cells(get)]
  })
  return tableLines([['', 'PUT', 'times as fast (95 %)', 'GET', 'times as fast (95 %)'], ...rows])
}

/** @param {NonNullable<ProbeReport['users']>} users */
function userLines(users) {
  const first = new Map([...users].reverse().map(row => [row.op, row.times.p50]))
  const rows = users.map(({ users, op, times: { p50, p95, p99, count }, errors, cpu }) => {
    const growth = `${(p50 / /** @type {number} */ (first.get(op))).toFixed(2)} ×`
    const failed = `${((100 * errors) / Math.max(1, errors + count)).toFixed(1)} %`
    const who = `${users} ${op.toUpperCase()}`
    return [who, time(p50), growth, time(p95), time(p99), failed, `${Math.round(100 * cpu)} %`]
  })
  return tableLines([['users', 'median', 'growth', 'p95', 'p99', 'failed', 'CPU here'], ...rows])
}

/** @param {ReturnType<typeof lib.compareProbes>} differences */
function differenceLines(differences) {
  const rows = differences.map(({ location, op, bytes, lanes, ...ratio }) => {
    const what = bytes === undefined ? 'one by one' : `${sizeOf(bytes)}, ${lanes} at once`
    return [location, `${op.toUpperCase()} ${what}`, ratioText(ratio)]
  })
  return tableLines([['', '', 'times as fast (95 %)'], ...rows])
}

/** @param {string} file @returns {any} */
function readReport(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(report.places)) return report
  } catch {}
  throw new lib.XferError('USAGE', {
    text: `${file} is no report of xfer probe.`,
    advice: 'Make one with: xfer probe LOCATION --out FILE.',
  })
}

/** @param {NonNullable<ProbeReport['many']>} many */
function manyLine({ bytes, objects, ms, objectsPerSecond, bottleneck }) {
  const rate = objectsPerSecond < 10 ? objectsPerSecond.toFixed(1) : formatCount(Math.round(objectsPerSecond))
  const how = `${rate} objects a second; what holds it: ${BOTTLENECKS[bottleneck]}`
  if (objects === undefined || ms === undefined) return `Objects of ${sizeOf(bytes)}: ${how}.`
  return `A copy of ${plural(objects, 'object')} of ${sizeOf(bytes)} takes about ${formatDuration(ms)} (${how}).`
}

/**
 * None where one was as fast as more: an object that waits would hold up all others, and a copy finds out how many help.
 *
 * @param {{ lanes?: number, rising?: true }} found
 */
const lanesOption = ({ lanes = 1, rising }) => (rising || lanes < 2 ? '' : ` --concurrency ${lanes}`)

/** @param {string} text @returns {string} as a shell takes it for one word */
const shellWord = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** @param {ProbeReport} report @param {string[]} locations as they were typed */
function linesOf(report, [source, destination = 'DEST']) {
  const { places, from, users, comparison, recommended, copy, many, expectations = [] } = report
  if (comparison) return comparisonLines(comparison)
  if (users) return userLines(users)
  const lines = places.flatMap(({ location, calls, times, gets, puts, read, write }) => [
    location,
    ...(calls ? [callLine(calls)] : []),
    ...timeLines(times),
    '',
    `  ${'at once'.padStart(17)} ${'bytes'.padStart(12)} ${'median'.padStart(9)}`,
    ...curveLines('GET', gets, read),
    ...curveLines('PUT', puts, write),
    '',
  ])
  if (copy) {
    const how = `${formatRate(copy.bytesPerSecond)}; what holds it: ${BOTTLENECKS[copy.bottleneck]}`
    lines.push(`A copy of ${formatBytes(copy.bytes)} takes about ${formatDuration(copy.ms)} (${how}).`)
  }
  if (many) lines.push(manyLine(many))
  // Whole buckets and prefixes are measured; Redis has single keys.
  const recursive = [source, destination].some(text => factoryOfText(text)?.single) ? '' : ' -r'
  const command = `xfer copy${recursive} ${shellWord(source)} ${shellWord(destination)}${from === undefined ? ' --engine local' : ''}`
  const where = from === undefined ? 'From this machine' : `By functions of ${from}`
  if (many) lines.push(`${where}, many objects: ${command}`)
  if (recommended) {
    const { chunkBytes, concurrency } = recommended
    const lanes = lanesOption({ lanes: concurrency })
    const what = many ? ', large objects' : ''
    lines.push(`${where}${what}: ${command} --chunk ${Math.max(1, Math.round(chunkBytes / 1024 ** 2))}${lanes}`)
    if (concurrency === undefined)
      lines.push('More requests at once may help still; --max-bytes or --concurrency ended the search.')
  } else
    lines.push('No size of a part is recommended: none was measured. Parts have 5 MB or more (--size, --max-bytes).')
  for (const { text, found, ok } of expectations) {
    const value = text.includes('rate') ? formatRate(found) : time(found)
    lines.push(`${ok ? 'As expected' : 'NOT as expected'}: ${text} (${value})`)
  }
  return lines
}

/** @type {import('../run').Definition} */
module.exports = {
  what: 'probe',
  async work({ process, flags, options, signal, onEvent, say }, locations) {
    const [word, ...files] = locations
    if (word === 'compare' && files.length === 2) {
      const [before, after] = files.map(readReport)
      const differences = lib.compareProbes(before, after)
      say({ type: 'done', differences }, differenceLines(differences))
      return
    }
    const report = await lib.probe(locations, {
      ...options,
      signal,
      ...(!flags.clean && { confirm: prober(process, flags) }),
      onEvent(event) {
        if (flags.json) return process.tell(event)
        if (event.type === 'left') {
          process.err.write(
            `Note: ${plural(event.keys.length, 'object')} could not be deleted, such as ${event.keys[0]}.\n`,
          )
        } else if (event.type !== 'plan' && event.type !== 'step') onEvent(event)
      },
    })
    if (flags.out) writeFileSync(flags.out, jsonLine(report))
    if (flags.json) process.tell({ type: 'done', ...report })
    else if (report.removed) process.print([`Deleted ${plural(report.removed.length, 'object')} of earlier probes.`])
    else process.print(linesOf(report, locations))
    return report.expectations?.some(({ ok }) => !ok) ? 1 : 0
  },
}
