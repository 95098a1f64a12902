'use strict'

/** What is written into files beside what is printed: `--log-file`, each line with its time; `--summary`, in Markdown, as CI shows it; `--metrics`; `--report`, a page; `--trace`. */

const { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync, writeSync } = require('node:fs')
const lib = require('../../lib')
const { metricText } = require('../../lib/progress')
const { formatBytes, formatCount, formatDuration, formatRate, printable } = require('../format')

/** Failures that a summary names. */
const MOST_FAILURES = 20

/** @typedef {{ write: (text: string) => void }} Sink */
/** @typedef {(event: any) => void} Listener */

/**
 * @param {{ logFile?: string, summary?: string, metrics?: string, report?: string, trace?: string }} flags
 * @param {(sink: Sink) => Listener} linesTo prints every event into a stream, as lines
 * @param {(line: string) => void} note
 * @returns {Listener[]}
 * @throws {import('../../lib').XferError} USAGE if a file cannot be written
 */
function listenersOf({ logFile, summary, metrics, report, trace }, linesTo, note) {
  const listeners = []
  if (logFile !== undefined) {
    const append = appender(logFile, '--log-file', note)
    const timed = (/** @type {string} */ line) => `${new Date().toISOString()} ${line}\n`
    listeners.push(linesTo({ write: text => append(text.replace(/\n$/, '').split('\n').map(timed).join('')) }))
  }
  if (summary !== undefined) listeners.push(createSummary(appender(summary, '--summary', note), linesTo))
  if (metrics !== undefined) listeners.push(createMetrics(metrics, note))
  if (report !== undefined) listeners.push(createReport(report, note))
  if (trace !== undefined) listeners.push(require('./trace').createTrace(appender(trace, '--trace', note, 'w')))
  return listeners
}

/** `--report`: written at the end, also when a second Ctrl-C ends the process at once. @param {string} path @param {(line: string) => void} note @returns {Listener} */
function createReport(path, note) {
  const { createCollector } = require('../report/collector')
  try {
    closeSync(openSync(path, 'a'))
  } catch (/** @type {any} */ cause) {
    throw unwritable(path, '--report', cause)
  }
  const { onEvent, data } = createCollector()
  const write = () => {
    try {
      writeFileSync(path, require('../report/page').pageOf(data()))
    } catch (/** @type {any} */ cause) {
      note(`Note: the file of --report, ${path}, cannot be written (${cause.code ?? cause.message}).`)
    }
  }
  process.once('exit', write)
  return event => {
    onEvent(event)
    if (event.type !== 'done' && event.type !== 'error') return
    process.off('exit', write)
    write()
  }
}

/** Between two writes of the metrics. */
const EVERY_MS = 5_000
/** Of progress events. @type {Array<[name: string, field: string, help: string, per?: number]>} */
const GAUGES = [
  ['xfer_bytes_done', 'bytesDone', 'Bytes that are at the destination.'],
  ['xfer_bytes_expected', 'bytesTotal', 'Bytes to copy, as far as they are known.'],
  ['xfer_objects_done', 'objectsDone', 'Objects that are copied, or compared.'],
  ['xfer_objects_expected', 'objectsTotal', 'Objects to copy or compare, as far as they are known.'],
  ['xfer_objects_skipped', 'objectsSkipped', 'Objects that needed no copy.'],
  ['xfer_objects_failed', 'objectsFailed', 'Objects that failed.'],
  ['xfer_parts_done', 'partsDone', 'Parts that are at the destination.'],
  ['xfer_parts_expected', 'partsTotal', 'Parts to copy.'],
  ['xfer_in_flight', 'inFlight', 'Invocations under way.'],
  ['xfer_retries_total', 'retried', 'What was tried again.'],
  ['xfer_throttles_total', 'throttled', 'Refusals of a store or the platform that had too much to do.'],
  ['xfer_bytes_per_second', 'bytesPerSecond', 'Bytes a second, of the last seconds.'],
  ['xfer_elapsed_seconds', 'elapsedMs', 'Since the beginning of this run.', 1000],
  ['xfer_eta_seconds', 'etaMs', 'Until the end, as far as it can be said.', 1000],
]

/**
 * `--metrics`: a text file for Prometheus (the textfile collector of its node exporter), replaced as a whole. It names no object and no
 * place.
 *
 * @param {string} path
 * @param {(line: string) => void} note
 * @returns {Listener}
 */
function createMetrics(path, note) {
  let writtenMs = Number.NEGATIVE_INFINITY
  let job = ''
  /** @type {any} */
  let progress = {}
  let broken = false

  /** @param {number} status -1: it is at work */
  function write(status) {
    /** @type {Record<string, string>} */
    const labels = job === '' ? {} : { job }
    const rows = GAUGES.filter(([, field]) => Number.isFinite(progress[field])).map(([name, field, help, per = 1]) =>
      metricText(name, help, [[progress[field] / per, labels]]),
    )
    rows.push(metricText('xfer_running', '1 while it is at work.', [[status < 0 ? 1 : 0, labels]]))
    if (status >= 0) rows.push(metricText('xfer_exit_status', '0: all is copied, and proved.', [[status, labels]]))
    const next = `${path}.${process.pid}`
    try {
      // A device would be replaced too.
      if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
        throw Object.assign(new Error(), { code: 'EEXIST' })
      writeFileSync(next, rows.join(''))
      renameSync(next, path)
    } catch (cause) {
      rmSync(next, { force: true })
      if (writtenMs === Number.NEGATIVE_INFINITY) throw cause
      if (!broken)
        note(`Note: the file of --metrics, ${path}, cannot be written any more (${/** @type {any} */ (cause).code}).`)
      broken = true
    }
    writtenMs = performance.now()
  }

  try {
    write(-1)
  } catch (/** @type {any} */ cause) {
    throw unwritable(path, '--metrics', cause)
  }
  return event => {
    if (event.type === 'plan' || event.type === 'done' || event.type === 'error') job = event.job ?? job
    if (event.type === 'progress') progress = event
    if (event.type === 'done') write(0)
    else if (event.type === 'error') write(event.exitCode)
    else if (performance.now() - writtenMs >= EVERY_MS) write(-1)
  }
}

/** @param {string} path @param {string} flag @param {NodeJS.ErrnoException} cause */
function unwritable(path, flag, { code }) {
  const text = `The file of ${flag}, ${path}, cannot be written (${code}).`
  return new lib.XferError('USAGE', { text, advice: 'Name a file in a folder that is there.' })
}

/** @param {string} path @param {string} flag @param {(line: string) => void} note @param {'a' | 'w'} [mode] @returns {(text: string) => void} */
function appender(path, flag, note, mode = 'a') {
  /** @type {number | undefined} */
  let fd
  try {
    fd = openSync(path, mode)
  } catch (/** @type {any} */ cause) {
    throw unwritable(path, flag, cause)
  }
  return text => {
    if (fd === undefined) return
    try {
      writeSync(fd, text)
    } catch (/** @type {any} */ cause) {
      // The copy is worth more than its log.
      note(`Note: ${unwritable(path, flag, cause).message} Nothing more is written into it.`)
      fd = undefined
    }
  }
}

/** What a summary counts, where there is any. */
const COUNTS = ['copied', 'skipped', 'deleted', 'equal', 'differing', 'missing', 'extra', 'failed']

/** @param {(text: string) => void} append @param {(sink: Sink) => Listener} linesTo @returns {Listener} */
function createSummary(append, linesTo) {
  /** @type {any} */
  let plan = {}
  /** The lines of the first objects that failed or differ, and how many these are. @type {string[]} */
  const wrong = []
  let objects = 0
  /** @type {string[]} */
  let last = []
  const lines = linesTo({ write: text => last.push(...text.replace(/\n$/, '').split('\n')) })
  return event => {
    if (event.type === 'plan') plan = event
    last = []
    lines(event)
    if (['failure', 'difference'].includes(event.type) && ++objects <= MOST_FAILURES) wrong.push(...last)
    if (event.type !== 'done' && event.type !== 'error') return
    if (objects > MOST_FAILURES) wrong.push(`and ${formatCount(objects - MOST_FAILURES)} more`)
    append(markdownOf({ plan, event, wrong, last }))
  }
}

/** @param {{ plan: any, event: any, wrong: string[], last: string[] }} job last: the lines of its end */
function markdownOf({ plan, event, wrong, last }) {
  const { bytes, elapsedMs } = event
  const counts = { ...event.objects, ...event.pairs }
  const title = plan.source === undefined ? 'xfer' : `${code(plan.source)} → ${code(plan.destination ?? '-')}`
  /** @type {Array<[string, string]>} */
  const rows = COUNTS.filter(name => counts[name] > 0).map(name => [name, formatCount(counts[name])])
  if (bytes !== undefined) rows.push(['bytes', formatBytes(bytes)])
  if (elapsedMs > 0 && !plan.dryRun) {
    rows.push(['time', formatDuration(elapsedMs)])
    if (bytes > 0) rows.push(['rate', formatRate((bytes * 1000) / elapsedMs)])
  }
  const table =
    rows.length > 0 ? ['| | |', '| --- | ---: |', ...rows.map(([name, text]) => `| ${name} | ${text} |`), ''] : []
  const failed = event.type === 'error'
  return [
    `### ${failed ? '❌' : '✅'} ${title}${plan.dryRun ? ' (dry run)' : ''}${failed ? `: ${event.code}` : ''}`,
    '',
    ...table,
    ...(wrong.length > 0 ? ['What failed or differs:', '', ...asText(wrong), ''] : []),
    ...asText(last),
    '',
    '',
  ].join('\n')
}

/** @param {string[]} lines */
function asText(lines) {
  const fence = ticksAround(lines.join('\n'), 3)
  return [`${fence}text`, ...lines, fence]
}

/** Backticks that what they enclose does not have. @param {string} text @param {number} least */
function ticksAround(text, least) {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length))
  return '`'.repeat(Math.max(least, longest + 1))
}

/** As code of Markdown, whatever it has in it. @param {string} text */
function code(text) {
  const shown = printable(text).replaceAll('|', '\\|')
  const ticks = ticksAround(shown, 1)
  return ticks.length > 1 ? `${ticks} ${shown} ${ticks}` : `\`${shown}\``
}

module.exports = { listenersOf }
