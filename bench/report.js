'use strict'

/** Makes tables from the results: medians, ratios, and whether the targets are met. Pure. */

const { median } = require('./measure')

const GB = 1e9

/**
 * @typedef {import('./rounds').Row} Row
 * @typedef {'wallSeconds' | 'cpuSeconds' | 'peakBytes' | 'serverCpuSeconds' | string} Figure
 *
 * A target: `found` is compared with `asked` as `atMost` says.
 * @typedef {{ figure: string, asked: string, found: string, met: boolean }} Claim
 *
 * A case's part of the report.
 * @typedef {{ tables: Table[], claims: Claim[], remarks?: string[] }} Section
 * @typedef {{ head: string[], rows: string[][] }} Table
 */

/** Those with runs. @param {Row[]} rows */
const finished = rows => rows.filter(({ runs, failed }) => runs.length > 0 && !failed)

/** @param {Row} row @param {Figure} figure */
const medianOf = (row, figure) => median(row.runs.map(run => run[figure]))

/** @param {Row[]} rows @param {string} name @returns {Row | undefined} undefined where it has no runs */
const rowNamed = (rows, name) => finished(rows).find(row => row.name === name)

/** The peer with the lowest figure. @param {Row[]} rows @param {Figure} figure @returns {Row | undefined} */
function bestPeer(rows, figure) {
  const peers = finished(rows).filter(({ kind }) => kind === 'peer')
  return peers.sort((a, b) => medianOf(a, figure) - medianOf(b, figure))[0]
}

/** @param {Row[]} rows @param {Row} row @param {Figure} figure @returns {number | undefined} undefined where there is no peer */
function againstBestPeer(rows, row, figure) {
  const best = bestPeer(rows, figure)
  return best && medianOf(row, figure) / medianOf(best, figure)
}

/** @param {number | undefined} value */
const ratio = value => (value === undefined ? '–' : value.toFixed(2))

/**
 * A table of clients that moved the same bytes.
 *
 * @param {Row[]} rows
 * @param {number} bytes
 * @returns {Table}
 */
function contest(rows, bytes) {
  const head = [
    ...['client', 'wall, s', 'least to most', 'CPU s/GB', 'peak MB', "servers' CPU s/GB"],
    ...['wall, against the best peer', 'CPU, against the best peer'],
  ]
  return {
    head,
    rows: rows.map(row => {
      if (row.failed || row.runs.length === 0)
        return [row.name, row.failed ?? 'no runs', ...head.slice(2).map(() => '')]
      const walls = row.runs.map(run => run.wallSeconds)
      return [
        row.name,
        medianOf(row, 'wallSeconds').toFixed(2),
        `${Math.min(...walls).toFixed(2)} to ${Math.max(...walls).toFixed(2)}`,
        (medianOf(row, 'cpuSeconds') / (bytes / GB)).toFixed(2),
        (medianOf(row, 'peakBytes') / 1e6).toFixed(0),
        (medianOf(row, 'serverCpuSeconds') / (bytes / GB)).toFixed(2),
        ratio(againstBestPeer(rows, row, 'wallSeconds')),
        ratio(againstBestPeer(rows, row, 'cpuSeconds')),
      ]
    }),
  }
}

/**
 * @param {string} figure
 * @param {number | undefined} found undefined if it could not be measured
 * @param {{ atMost?: number, atLeast?: number, detail?: string }} asked
 * @returns {Claim[]} none if it could not be measured
 */
function claim(figure, found, { atMost, atLeast, detail }) {
  if (found === undefined || Number.isNaN(found)) return []
  const met = atMost === undefined ? found >= Number(atLeast) : found <= atMost
  const words = atMost === undefined ? `at least ${digits(Number(atLeast))}` : `at most ${digits(atMost)}`
  return [{ figure, asked: words, found: `${digits(found)}${detail ? ` (${detail})` : ''}`, met }]
}

/** @param {number} value */
const digits = value => (value < 0.2 ? value.toFixed(3) : value.toFixed(2))

/** @param {Table} table @returns {string} Markdown; columns of figures stand to the right */
function markdownTable({ head, rows }) {
  const isFigure = (/** @type {number} */ column) =>
    column > 0 && rows.every(cells => /^(?:\d|–|$)/.test(cells[column]))
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  const rule = line(head.map((_, column) => (isFigure(column) ? '---:' : '---')))
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** @param {number} bytes @returns {string} */
function size(bytes) {
  const units = /** @type {const} */ ([
    [1024 ** 3, 'GiB'],
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
    [1, 'bytes'],
  ])
  const [unit, name] = units.find(([one]) => bytes >= one && bytes % one === 0) ?? units[3]
  if (bytes % 1e6 === 0) return `${bytes / 1e6} MB`
  return `${bytes / unit} ${name}`
}

module.exports = { againstBestPeer, bestPeer, claim, contest, finished, markdownTable, medianOf, rowNamed, size }
