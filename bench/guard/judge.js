'use strict'

/** Whether a commit costs more than an earlier one: ratios of runs that followed each other. Pure. */

const { median } = require('../measure')

/** A ratio may be worse by so much. */
const ALLOWED = 1.1

/** The figures that are compared, and how they are called. */
const FIGURES = /** @type {const} */ ({ cpuSeconds: 'CPU', wallSeconds: 'wall', peakBytes: 'memory' })

/** @typedef {import('../rounds').Run} Run */
/** @typedef {{ work: string, figure: string, ratio: number, least: number, most: number, worse: boolean }} Verdict least and most: the quartiles */

/**
 * @param {string} work
 * @param {{ old: Run[], now: Run[] }} runs run i of both followed each other
 * @returns {Verdict[]} worse: more than three quarters of the pairs are worse by more than is allowed
 */
function compareRuns(work, { old, now }) {
  return Object.entries(FIGURES).flatMap(([figure, name]) => {
    const ratios = now.map((run, i) => run[figure] / old[i][figure]).sort((a, b) => a - b)
    // A process that ends before the first sample has no peak.
    if (ratios.some(ratio => !Number.isFinite(ratio) || ratio === 0)) return []
    const least = quartile(ratios, 1)
    return { work, figure: name, ratio: median(ratios), least, most: quartile(ratios, 3), worse: least > ALLOWED }
  })
}

/** @param {number[]} sorted @param {1 | 3} which */
function quartile(sorted, which) {
  const at = ((sorted.length - 1) * which) / 4
  const below = sorted[Math.floor(at)]
  return below + (sorted[Math.ceil(at)] - below) * (at % 1)
}

/** @param {Verdict[]} verdicts @returns {string} a table for people */
function tableOf(verdicts) {
  const rows = [
    ['work', 'figure', 'now to before', 'quartiles', ''],
    ...verdicts.map(({ work, figure, ratio, least, most, worse }) => [
      work,
      figure,
      ratio.toFixed(2),
      `${least.toFixed(2)} to ${most.toFixed(2)}`,
      worse ? 'WORSE' : '',
    ]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

module.exports = { compareRuns, tableOf }
