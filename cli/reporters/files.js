'use strict'

/** What is written into files beside what is printed: `--log-file`, each line with its time; `--summary`, in Markdown, as CI shows it. */

const { openSync, writeSync } = require('node:fs')
const lib = require('../../lib')
const { formatBytes, formatCount, formatDuration, formatRate, printable } = require('../format')

/** Failures that a summary names. */
const MOST_FAILURES = 20

/** @typedef {{ write: (text: string) => void }} Sink */
/** @typedef {(event: any) => void} Listener */

/**
 * @param {{ logFile?: string, summary?: string }} flags
 * @param {(sink: Sink) => Listener} linesTo prints every event into a stream, as lines
 * @param {(line: string) => void} note
 * @returns {Listener[]}
 * @throws {import('../../lib').XferError} USAGE if a file cannot be written
 */
function listenersOf({ logFile, summary }, linesTo, note) {
  const listeners = []
  if (logFile !== undefined) {
    const append = appender(logFile, '--log-file', note)
    const timed = (/** @type {string} */ line) => `${new Date().toISOString()} ${line}\n`
    listeners.push(linesTo({ write: text => append(text.replace(/\n$/, '').split('\n').map(timed).join('')) }))
  }
  if (summary !== undefined) listeners.push(createSummary(appender(summary, '--summary', note), linesTo))
  return listeners
}

/** @param {string} path @param {string} flag @param {(line: string) => void} note @returns {(text: string) => void} */
function appender(path, flag, note) {
  /** @param {any} cause */
  const why = cause => `The file of ${flag}, ${path}, cannot be written (${cause.code})`
  /** @type {number | undefined} */
  let fd
  try {
    fd = openSync(path, 'a')
  } catch (cause) {
    throw new lib.XferError('USAGE', { text: `${why(cause)}.`, advice: 'Name a file in a folder that is there.' })
  }
  return text => {
    if (fd === undefined) return
    try {
      writeSync(fd, text)
    } catch (cause) {
      // The copy is worth more than its log.
      note(`Note: ${why(cause)}: nothing more is written into it.`)
      fd = undefined
    }
  }
}

/** @param {(text: string) => void} append @param {(sink: Sink) => Listener} linesTo @returns {Listener} */
function createSummary(append, linesTo) {
  /** @type {any} */
  let plan = {}
  /** @type {any[]} */
  const failures = []
  /** @type {string[]} */
  let last = []
  const lines = linesTo({ write: text => last.push(...text.replace(/\n$/, '').split('\n')) })
  return event => {
    if (event.type === 'plan') plan = event
    if (event.type === 'failure' && failures.length < MOST_FAILURES) failures.push(event)
    last = []
    lines(event)
    if (event.type === 'done' || event.type === 'error') append(markdownOf({ plan, event, failures, last }))
  }
}

/** @param {{ plan: any, event: any, failures: any[], last: string[] }} job last: the lines of its end */
function markdownOf({ plan, event, failures, last }) {
  const { objects = {}, bytes, elapsedMs } = event
  const title = plan.source === undefined ? 'xfer' : `${code(plan.source)} → ${code(plan.destination ?? '-')}`
  const counts = ['copied', 'skipped', 'deleted', 'failed'].filter(name => objects[name] > 0)
  /** @type {Array<[string, string]>} */
  const rows = [
    ...counts.map(name => /** @type {[string, string]} */ ([name, formatCount(objects[name])])),
    ...(bytes === undefined ? [] : [/** @type {[string, string]} */ (['bytes', formatBytes(bytes)])]),
    ...(elapsedMs > 0
      ? /** @type {Array<[string, string]>} */ ([
          ['time', formatDuration(elapsedMs)],
          ...(bytes > 0 ? [['rate', formatRate((bytes * 1000) / elapsedMs)]] : []),
        ])
      : []),
  ]
  const table =
    rows.length > 0 ? ['| | |', '| --- | ---: |', ...rows.map(([name, text]) => `| ${name} | ${text} |`), ''] : []
  const listed = failures.map(one => `- ${code(one.name)}: ${code(one.code)}`)
  const more = objects.failed > failures.length ? [`- and ${formatCount(objects.failed - failures.length)} more`] : []
  const fence = '`'.repeat(
    1 + Math.max(2, ...last.map(line => Math.max(0, ...(line.match(/`+/g) ?? []).map(run => run.length)))),
  )
  return [
    `### ${event.type === 'done' ? '✅' : '❌'} ${title}`,
    '',
    ...table,
    ...(listed.length > 0 ? ['Failed:', '', ...listed, ...more, ''] : []),
    ...[`${fence}text`, ...last, fence, '', ''],
  ].join('\n')
}

/** As code of Markdown, whatever it has in it. @param {string} text */
function code(text) {
  const shown = printable(text).replaceAll('|', '\\|')
  const ticks = '`'.repeat(1 + Math.max(0, ...(shown.match(/`+/g) ?? []).map(run => run.length)))
  return ticks.length > 1 ? `${ticks} ${shown} ${ticks}` : `\`${shown}\``
}

module.exports = { listenersOf }
