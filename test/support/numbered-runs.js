'use strict'

/**
 * Runs numbered runs, some at once, and prints a line about each. Ctrl-C starts no more; a second one ends the process.
 *
 * @template {{ violations: unknown[] }} R
 * @param {number[]} numbers
 * @param {object} how
 * @param {number} how.atOnce
 * @param {boolean} how.verbose prints the details of each, not only of the wrong ones
 * @param {(run: number) => Promise<R>} how.runOnce
 * @param {(report: R) => string} how.lineOf
 * @param {(report: R) => string} how.detailsOf
 * @returns {Promise<{ reports: R[], status: number }>} status: for the exit
 */
async function runAll(numbers, { atOnce, verbose, runOnce, lineOf, detailsOf }) {
  const waiting = [...numbers]
  /** @type {R[]} */
  const reports = []
  let stopped = false
  const stop = () => {
    // What runs is ended, and what it has written removed, by soak/leftovers.js.
    if (stopped) process.exit(130)
    stopped = true
    process.stdout.write('Stopping when what runs is over; press Ctrl-C again to exit at once.\n')
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const worker = async () => {
    for (let run = waiting.shift(); run !== undefined && !stopped; run = waiting.shift()) {
      const report = await runOnce(run)
      reports.push(report)
      process.stdout.write(`${lineOf(report)}\n`)
      if (verbose || report.violations.length > 0) process.stdout.write(`${detailsOf(report)}\n`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const wrong = reports.some(({ violations }) => violations.length > 0)
  return { reports, status: stopped ? 130 : wrong ? 1 : 0 }
}

module.exports = { runAll }
