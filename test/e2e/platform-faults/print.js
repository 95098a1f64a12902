'use strict'

/** Prints what really came of the rows, as a Markdown table. */

const { PARTS, runRows } = require('./run')

/** @param {string} text ports, ids and the part that failed first are other ones each time */
function steady(text) {
  return text
    .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:PORT')
    .replace(/\b[0-9a-f]{32}\b/g, 'ID')
    .replace(/\bPart \d+\b/, 'Part N')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
}

/** @param {import('./run').Result} result @param {string} sum */
function outcomeOf({ run: { status }, last, written, sum: found }, sum) {
  if (status !== 0) return `stopped with exit ${status}, ${last.code}: ${steady(last.message)}`
  if (found !== sum) return 'COPIED WRONG'
  const twice = written - PARTS
  return twice === 0
    ? 'copied right, every part once'
    : `copied right, ${twice} ${twice === 1 ? 'part' : 'parts'} twice`
}

/** @param {import('../platform-faults').Row[]} rows */
async function print(rows) {
  const { sum, results, close } = await runRows(rows)
  try {
    process.stdout.write('| the platform | met on the way | outcome |\n| --- | --- | --- |\n')
    for (const [i, row] of rows.entries()) {
      const cells = await results[i].then(
        result => [result.met.join(', ') || '-', outcomeOf(result, sum)],
        error => ['-', `FAILED: ${error.message.slice(0, 300).replaceAll('\n', ' ')}`],
      )
      process.stdout.write(`| ${[row.it, ...cells].join(' | ')} |\n`)
    }
  } finally {
    await close()
  }
}

module.exports = { print }
