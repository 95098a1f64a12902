'use strict'

/** Makes rows of a Markdown table from the simulation's results. */

const { median } = require('../measure')

/** @typedef {Awaited<ReturnType<typeof import('./run').simulate>>} Run */

const COLUMNS = [
  'size',
  'platform',
  'hedging',
  'time',
  'last 5 %',
  'GB/s',
  'calls',
  'waited',
  'refused',
  'retried',
  'hedged',
  'bound',
  'efficiency',
]

const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`

/** @param {string[]} [columns] */
function header(columns = COLUMNS) {
  return [line(columns), line(columns.map(() => '---'))].join('\n')
}

/** @param {{ size: string, profile: string, hedge: boolean, bytes: number, runs: Run[] }} result */
function row({ size, profile, hedge, bytes, runs }) {
  const failures = runs.flatMap(({ failure }) => failure?.code ?? [])
  const finished = runs.filter(run => !run.failure)
  if (finished.length === 0) return line([size, profile, hedge ? 'on' : 'off', `failed: ${failures[0]}`])
  const of = (/** @type {(run: Run) => number} */ figure) => median(finished.map(figure))
  return line([
    size,
    profile,
    hedge ? 'on' : 'off',
    `${duration(of(run => run.timeMs))}${failures.length > 0 ? ` (${failures.length} failed)` : ''}`,
    duration(of(run => run.tailMs)),
    of(run => bytes / run.timeMs / 1e6).toFixed(2),
    String(of(run => run.calls)),
    `${of(run => run.queuedMs / run.calls / 1000).toFixed(1)} s`,
    String(of(run => run.refused)),
    String(of(run => run.events.retry)),
    `${((100 * of(run => run.hedgedBytes)) / bytes).toFixed(1)} %`,
    duration(of(run => run.leastMs)),
    `${of(run => (100 * run.leastMs) / run.timeMs).toFixed(0)} %`,
  ])
}

/** @param {number} ms */
function duration(ms) {
  const seconds = ms / 1000
  if (seconds < 100) return `${seconds.toFixed(1)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100
    ? `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`
    : `${(minutes / 60).toFixed(1)} h`
}

module.exports = { header, line, row }
