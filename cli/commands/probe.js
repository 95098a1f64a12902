'use strict'

const { writeFileSync } = require('node:fs')
const lib = require('../../lib')
const { formatBytes, formatDuration, formatRate, jsonLine } = require('../format')
const { suchAs } = require('../help-texts')

/** @typedef {import('../../lib/types').ProbeReport} ProbeReport */
/** @typedef {import('../../lib/types').ProbedPlace} ProbedPlace */
/** @typedef {import('../../lib/types').ProbeStep} ProbeStep */

/** The longest bar of the curve. */
const WIDTH = 30

/** @param {number} bytes as the sizes of a probe are: in thousands */
function sizeOf(bytes) {
  return bytes < 1e6 ? `${bytes / 1e3} kB` : `${bytes / 1e6} MB`
}

/** @param {number} ms */
const time = ms => (ms < 10 ? `${ms.toFixed(1)} ms` : formatDuration(ms))

/** @param {ProbedPlace['times']} times */
function timeLines(times) {
  return [
    `  ${'one by one'.padEnd(12)}${['median', 'p95', 'p99', 'first byte'].map(word => word.padStart(12)).join('')}`,
    ...Object.entries(times).map(([op, { p50, p95, p99, firstByteMs }]) => {
      const cells = [p50, p95, p99, firstByteMs].map(ms => time(ms).padStart(12))
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

/** @param {ProbeReport} report @param {string[]} locations as they were typed */
function linesOf({ places, recommended, copy, expectations = [] }, [source, destination = 'DEST']) {
  const lines = places.flatMap(({ location, times, gets, puts, read, write }) => [
    location,
    ...timeLines(times),
    '',
    `  ${'at once'.padStart(17)} ${'bytes'.padStart(12)} ${'median'.padStart(9)}`,
    ...curveLines('GET', gets, read),
    ...curveLines('PUT', puts, write),
    '',
  ])
  if (copy) {
    const why = {
      source: 'the source gives no more',
      destination: 'the destination takes no more',
      requests: 'waiting for answers',
    }
    lines.push(
      `A copy of ${formatBytes(copy.bytes)} takes about ${formatDuration(copy.ms)} (${formatRate(copy.bytesPerSecond)}; what holds it: ${why[copy.bottleneck]}).`,
    )
  }
  if (recommended) {
    const { chunkBytes, concurrency } = recommended
    const chunk = `--chunk ${Math.max(1, Math.round(chunkBytes / 1024 ** 2))}`
    const lanes = concurrency === undefined ? '' : ` --concurrency ${concurrency}`
    lines.push(`From this machine: xfer copy ${source} ${destination} --engine local ${chunk}${lanes}`)
    if (concurrency === undefined)
      lines.push('More requests at once may help still; --max-bytes or --concurrency ended the search.')
  }
  for (const { text, found, ok } of expectations) {
    const value = text.includes('rate') ? formatRate(found) : time(found)
    lines.push(`${ok ? 'As expected' : 'NOT as expected'}: ${text} (${value})`)
  }
  return lines
}

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'measure a place before a migration',
  description:
    'Measures how long requests take at a place, how fast it is by size, and how many requests at once help; with two places how long a copy takes.',
  places: [
    ['<SRC>', suchAs('[/prefix]')],
    ['[DEST]', suchAs('[/prefix]')],
  ],
  help: `
Examples:
  xfer probe s3://photos
  xfer probe s3://old@photos s3://new@backup --bytes 20TB    the time of a copy
  xfer probe s3://photos --max-bytes 256M --yes --out today.json
  xfer probe s3://photos --yes --expect 'put.p99<200ms'      for CI
  xfer probe s3://photos --clean                             after a kill

SRC and DEST are {forms}; a key is a prefix below which is written. The command writes objects of its own, of 100 kB to 100 MB,
below a random prefix, reads them, and deletes them in the end, also after
Ctrl-C. It says first how much it writes at most, and asks.

Requests of one size are made one at a time, then two, four and so on, as long
as that helps. Only the time in which all are at work counts. A step ends when
its last rates lie within 7.5 %, or after --for.

{configured}.

Exit status: 0 measured, and all is as expected, 1 something is not, or failed,
2 usage, 3 not found, 4 access, 130 interrupted.`,
  what: 'probe',
  async work({ process, flags, options, signal, onEvent }, source, destination) {
    const locations = destination === undefined ? [source] : [source, destination]
    const { prober } = require('../confirm')
    const report = await lib.probe(source, destination, {
      ...options,
      signal,
      ...(!flags.clean && { confirm: prober(process, flags) }),
      onEvent(event) {
        if (flags.json) return process.tell(event)
        if (event.type === 'left') {
          process.err.write(`Note: ${event.keys.length} objects could not be deleted, such as ${event.keys[0]}.\n`)
        } else if (event.type !== 'plan' && event.type !== 'step') onEvent(event)
      },
    })
    if (flags.out) writeFileSync(flags.out, jsonLine(report))
    if (flags.json) process.tell({ type: 'done', ...report })
    else if (report.removed) process.print([`Deleted ${report.removed.length} objects of earlier probes.`])
    else process.print(linesOf(report, locations))
    return report.expectations?.some(({ ok }) => !ok) ? 1 : 0
  },
}
