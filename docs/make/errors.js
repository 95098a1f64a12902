'use strict'

/** docs/reference/errors.md: every row of the error table. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { ENGINES } = require('../../lib/engines')
const { TABLE } = require('../../lib/errors')
const { NOTE } = require('./note')
const { formsOf } = require('./sentences')
const { STORES } = require('../../lib/stores')

/** What each exit status means: the first table of that page. */
const MEANINGS = [
  ...readFileSync(join(__dirname, '..', 'reference', 'exit-codes.md'), 'utf8').matchAll(/^\| (\d+) \| ([^|]+) \|/gm),
].map(([, status, meaning]) => ({ status: Number(status), meaning }))

/** Engines and stores bring rows of their own. */
const ROWS = Object.assign({}, TABLE, ...[...ENGINES, ...STORES].map(({ errors }) => errors))
/** The page shows the sentences in the words of the first store. */
const KNOWN = { terms: STORES[0].terms?.('source') }

const HEAD = `# Errors

${NOTE}

Every error has a code, a sentence that says what happened, and a sentence that says what to do. \`xfer\` prints the
sentences; with \`--json\` the last line is an event of type \`error\` with \`code\`, \`message\`, \`hint\` and \`exitCode\`; in
Node.js the promise rejects with an \`XferError\` that has the same fields. Use the code in scripts, never the text of a
sentence. Words in braces stand for facts of the case, such as \`{bucket}\`. An error that wraps another one, such as
\`PART_FAILED\`, ends the command with the exit status of its cause.
`

/** What the scheduler makes of an error, for readers. @type {Array<[keyof import('../../lib/errors/table').ErrorRow, string]>} */
const TRAITS = [
  ['throttled', 'xfer slows down and tries again by itself; this does not count as an attempt.'],
  ['retryable', 'xfer tries again by itself before it ends with this error.'],
  ['shared', 'If a probe fails too, xfer waits for the end of the outage.'],
  ['final', 'What was copied so far is of no use any more, so there is no job to resume.'],
]

/** @returns {string} the page */
function errorsPage() {
  const groups = new Map(MEANINGS.map(({ status }) => [status, /** @type {string[]} */ ([])]))
  for (const code of Object.keys(ROWS).sort()) groups.get(ROWS[code].exit)?.push(code)
  const sections = MEANINGS.flatMap(({ status, meaning }) => {
    const codes = groups.get(status) ?? []
    return codes.length === 0 ? [] : [`\n## Exit status ${status}: ${meaning}\n`, ...codes.map(entryOf)]
  })
  return [HEAD.trimEnd(), ...sections].join('\n')
}

/** @param {string} code */
function entryOf(code) {
  const row = ROWS[code]
  const traits = TRAITS.filter(([name], at) => row[name] && !(at === 1 && row.throttled)).map(([, text]) => text)
  const lines = [
    `### ${code}\n`,
    ...formsOf(row.message, KNOWN).map(text => `> ${inline(text)}\n`),
    ...formsOf(row.hint, KNOWN).map(text => `What to do: ${inline(text)}\n`),
    ...(traits.length > 0 ? [`${traits.join(' ')}\n`] : []),
  ]
  return lines.join('\n')
}

/** Text as Markdown shows it, with the options of both sides. @param {string} text */
const inline = text =>
  text.replace(/--source-(profile|endpoint-url)/g, '--source-$1 (or --dest-$1)').replace(/[<>*_|]/g, '\\$&')

module.exports = { errorsPage, inline, ROWS }
