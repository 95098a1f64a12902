'use strict'

/** What is written into files beside what is printed: `--log-file`, each line with its time; `--summary`, in Markdown, as CI shows it; `--metrics`; `--report`, a page; `--trace`. */

const { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } = require('node:fs')
const { basename } = require('node:path')
const lib = require('../../lib')
const { labelsText, metricText } = require('../../lib/progress')
const { formatBytes, formatCount, formatDuration, formatRate, printable } = require('../format')
const { replaceFile } = require('../own-files')

/** @typedef {(event: any) => void} ReportListener */

/**
 * @typedef {object} File
 * @property {string} path
 * @property {string} flag
 * @property {string} [name] of the job
 * @property {(line: string) => void} note prints a line on standard error
 * @property {boolean} [broken] it could not be written
 * @property {(take: (lines: string[]) => void) => ReportListener} linesTo the lines of every event
 */

/** By option: what is written, and when. A file that cannot be written is USAGE. @type {Record<string, (file: File) => ReportListener>} */
const LISTENERS = {
  logFile: createLog,
  summary: createSummary,
  metrics: createMetrics,
  report: createReport,
  trace: file => require('./trace').createTrace(appender(file, 'w')),
}

/**
 * @param {Record<string, any>} flags of the command line
 * @param {File['linesTo']} linesTo
 * @param {File['note']} note
 * @returns {ReportListener[]}
 * @throws {import('../../lib').XferError} USAGE if a file cannot be written
 */
function listenersOf(flags, linesTo, note) {
  return Object.entries(LISTENERS).flatMap(([option, listen]) => {
    const flag = option === 'logFile' ? '--log-file' : `--${option}`
    return flags[option] === undefined ? [] : [listen({ path: flags[option], flag, note, linesTo, name: flags.name })]
  })
}

/** @param {{ type: string }} event */
const isEnd = ({ type }) => type === 'done' || type === 'error'

/** @param {File} file @param {any} cause @returns {string} */
const unwritable = ({ path, flag }, { code, message }) =>
  `The file of ${flag}, ${path}, cannot be written (${code ?? message}).`

/** @template T @param {File} file @param {() => T} open @returns {T} */
function opened(file, open) {
  try {
    return open()
  } catch (cause) {
    const text = unwritable(file, cause)
    throw new lib.XferError('USAGE', { text, advice: 'Name a file in a folder that is there.' })
  }
}

/** Notes the first failure: the copy is worth more than its log. @param {File} file @param {() => void} write */
function attempt(file, write) {
  try {
    write()
  } catch (cause) {
    if (!file.broken) file.note(`Note: ${unwritable(file, cause)}`)
    file.broken = true
  }
}

/** Nothing follows what could not be written. @param {File} file @param {'a' | 'w'} [mode] @returns {(text: string) => void} */
function appender(file, mode = 'a') {
  const fd = opened(file, () => openSync(file.path, mode))
  return text => void (file.broken || attempt(file, () => writeSync(fd, text)))
}

/** @param {File} file @returns {ReportListener} */
function createLog(file) {
  const append = appender(file)
  const timed = (/** @type {string} */ line) => `${new Date().toISOString()} ${line}\n`
  return file.linesTo(lines => append(lines.map(timed).join('')))
}

/** Written at the end, also when a second Ctrl-C ends the process at once. @param {File} file @returns {ReportListener} */
function createReport(file) {
  const { createCollector } = require('../report/collector')
  opened(file, () => closeSync(openSync(file.path, 'a')))
  const { onEvent, data } = createCollector()
  const write = () => attempt(file, () => writeFileSync(file.path, require('../report/page').pageOf(data())))
  process.once('exit', write)
  return event => {
    onEvent(event)
    if (!isEnd(event)) return
    process.off('exit', write)
    write()
  }
}

/** What is there and is no file. @param {string} path */
const isOther = path => statSync(path, { throwIfNoEntry: false })?.isFile() === false

/** Between two writes of the metrics. */
const EVERY_MS = 5_000
/** Of progress events. @type {Array<[name: string, field: string, help: string, per?: number]>} */
const GAUGES = [
  ['xfer_bytes_done', 'bytesDone', 'Bytes that are at the destination.'],
  ['xfer_bytes_expected', 'bytesTotal', 'Bytes to copy, as far as they are known.'],
  ['xfer_objects_done', 'objectsDone', 'Objects that are copied, or compared.'],
  ['xfer_objects_expected', 'objectsTotal', 'Objects to copy or compare, as far as they are known.'],
  ['xfer_objects_skipped', 'objectsSkipped', 'Objects that needed no copy.'],
  ['xfer_parts_done', 'partsDone', 'Parts that are at the destination.'],
  ['xfer_parts_expected', 'partsTotal', 'Parts to copy.'],
  ['xfer_in_flight', 'inFlight', 'Invocations under way.'],
  ['xfer_retries_total', 'retried', 'What was tried again.'],
  ['xfer_throttles_total', 'throttled', 'Refusals of a store or the platform that had too much to do.'],
  ['xfer_bytes_per_second', 'bytesPerSecond', 'Bytes a second, of the last seconds.'],
  ['xfer_elapsed_seconds', 'elapsedMs', 'Since the beginning of this run.', 1000],
  ['xfer_eta_seconds', 'etaMs', 'Until the end, as far as it can be said.', 1000],
]

const SUCCESS = 'xfer_last_success_timestamp_seconds'

/**
 * What a run before has written: who alerts on its age is not to lose it when this run fails.
 *
 * @param {string} path
 * @param {Record<string, string>} labels
 * @returns {number} NaN: nothing
 */
function lastSuccess(path, labels) {
  const series = `${SUCCESS}${labelsText(labels)} `
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return Number(lines.find(line => line.startsWith(series))?.slice(series.length) ?? Number.NaN)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
    return Number.NaN
  }
}

/** What stopped a copy, and is no failure of an object. */
const STOPS = ['INTERRUPTED', 'TIMED_OUT']

/**
 * Objects that failed, also where the job was too short for progress.
 *
 * @param {{ plan?: any, progress: any, event?: any }} seen event: of the end
 * @returns {number}
 */
function failedOf({ plan, progress, event }) {
  const one = event?.type === 'error' && plan?.recursive === undefined && !STOPS.includes(event.code)
  return event?.objects?.failed ?? progress.objectsFailed ?? (one ? 1 : 0)
}

/**
 * `--metrics`: a text file for Prometheus (the textfile collector of its node exporter), replaced as a whole. It names no object and no
 * place. Each run of a job has the same label, because each new value would be new series for ever.
 *
 * @param {File} file
 * @returns {ReportListener}
 */
function createMetrics(file) {
  const { path, name = basename(path, '.prom') } = file
  const labels = { xfer_job: name }
  let writtenMs = performance.now()
  /** @type {any} */
  let plan
  /** @type {any} */
  let progress = {}
  // What is no file, such as a pipe, may never be read to its end.
  let successS = isOther(path) ? Number.NaN : opened(file, () => lastSuccess(path, labels))

  /** @param {any} [event] of the end */
  function write(event) {
    const rows = GAUGES.filter(([, field]) => Number.isFinite(progress[field])).map(([name, field, help, per = 1]) =>
      metricText(name, help, [[progress[field] / per, labels]]),
    )
    const failed = failedOf({ plan, progress, event })
    rows.push(
      metricText(
        'xfer_objects_failed',
        'Objects that were not copied; of a comparison those that could not be compared.',
        [[failed, labels]],
      ),
    )
    rows.push(metricText('xfer_running', '1 while it is at work.', [[event ? 0 : 1, labels]]))
    const status = event?.exitCode ?? 0
    if (event) rows.push(metricText('xfer_exit_status', '0: all is copied, and proved.', [[status, labels]]))
    if (event && status === 0 && !event.dryRun) successS = Math.floor(Date.now() / 1000)
    if (successS > 0) rows.push(metricText(SUCCESS, 'When a run last ended with exit status 0.', [[successS, labels]]))
    // A device would be replaced too.
    if (isOther(path)) throw Object.assign(new Error(), { code: 'EEXIST' })
    replaceFile(path, rows.join(''))
  }

  opened(file, () => write())
  return event => {
    if (event.type === 'plan') plan = event
    if (event.type === 'progress') progress = event
    if (!isEnd(event) && performance.now() - writtenMs < EVERY_MS) return
    attempt(file, () => write(isEnd(event) ? event : undefined))
    writtenMs = performance.now()
  }
}

/** Failures that a summary names. */
const MOST_FAILURES = 20
/** What it counts, where there is any. */
const COUNTS = ['copied', 'skipped', 'deleted', 'equal', 'differing', 'missing', 'extra', 'failed']

/** @param {File} file @returns {ReportListener} */
function createSummary(file) {
  const append = appender(file)
  /** @type {any} */
  let plan = {}
  /** The lines of the first objects that failed or differ, and how many these are. @type {string[]} */
  const wrong = []
  let objects = 0
  /** @type {string[]} */
  let last = []
  const lines = file.linesTo(more => void last.push(...more))
  return event => {
    if (event.type === 'plan') plan = event
    last = []
    lines(event)
    if (['failure', 'difference'].includes(event.type) && ++objects <= MOST_FAILURES) wrong.push(...last)
    if (!isEnd(event)) return
    if (objects > MOST_FAILURES) wrong.push(`and ${formatCount(objects - MOST_FAILURES)} more`)
    append(markdownOf({ plan, event, wrong, last }))
  }
}

/** @param {{ plan: any, event: any, wrong: string[], last: string[] }} job last: the lines of its end */
function markdownOf({ plan, event, wrong, last }) {
  const { bytes, elapsedMs } = event
  const counts = { ...event.objects, ...event.pairs }
  const title = plan.source === undefined ? 'xfer' : `${code(plan.source)} → ${code(plan.destination ?? '-')}`
  const took = elapsedMs > 0 && !plan.dryRun
  const rows = [
    ...COUNTS.map(name => [name, counts[name] > 0 && formatCount(counts[name])]),
    ['bytes', bytes !== undefined && formatBytes(bytes)],
    ['time', took && formatDuration(elapsedMs)],
    ['rate', took && bytes > 0 && formatRate((bytes * 1000) / elapsedMs)],
  ]
  const table = rows.flatMap(([name, text]) => (text ? [`| ${name} | ${text} |`] : []))
  const failed = event.type === 'error'
  return [
    `### ${failed ? '❌' : '✅'} ${title}${plan.dryRun ? ' (dry run)' : ''}${failed ? `: ${event.code}` : ''}`,
    '',
    ...(table.length > 0 ? ['| | |', '| --- | ---: |', ...table, ''] : []),
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
