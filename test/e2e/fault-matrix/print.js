'use strict'

/** Prints what really came of the copies, as a Markdown table; `--only TEXT` those whose name has the text. */

const { runCells } = require('./run')
const { complaintOf } = require('./judge')

/** @param {import('./run').Result} result */
function outcomeOf({ run, last, right }) {
  if (run.status === null) return 'DID NOT END'
  if (run.status === 0) return right ? 'copied right' : 'COPIED WRONG'
  return `exit ${run.status}, ${last?.code}${right ? ', and the right object is there' : ''}`
}

/** @param {import('../fault-matrix').Cell[]} all */
async function print(all) {
  const at = process.argv.indexOf('--only')
  const cells = all.filter(({ name }) => at < 0 || name.includes(process.argv[at + 1]))
  const { results, close } = await runCells(cells)
  try {
    process.stdout.write(
      '| fault | when | engine | struck | outcome | s | |\n| --- | --- | --- | --- | --- | --- | --- |\n',
    )
    for (const [i, { row, moment, route, engine }] of cells.entries()) {
      const told = await results[i].then(
        result => [result.hits, outcomeOf(result), (result.elapsedMs / 1000).toFixed(1), complaintOf(result) ?? ''],
        error => ['', `FAILED: ${error.message}`, '', ''],
      )
      const cells = [`${row.of}: ${row.it}`, moment, route === 'put' ? 'one PUT' : engine, ...told]
      process.stdout.write(`| ${cells.map(cell => String(cell).replaceAll('\n', ' ')).join(' | ')} |\n`)
    }
  } finally {
    await close()
  }
}

module.exports = { print }
