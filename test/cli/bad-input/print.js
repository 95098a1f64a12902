'use strict'

/** Prints what the rows really answer, as a Markdown table: the same text in every run. */

const { bareEnv } = require('../../support/run-xfer')
const { inTurn, runRow, environmentOf } = require('./run')
const { startWorld } = require('./world')

/** @param {string} text ports, folders and ids are other ones each time */
function steady(text) {
  return text
    .replace(/(127\.0\.0\.1|127\.1|localhost):\d{4,5}/g, '$1:PORT')
    .replace(/\/[^\s"]*xfer-bad-input-\w+/g, '/FOLDER')
    .replaceAll(bareEnv.HOME, '/HOME')
    .replace(/\b[0-9a-f]{32}\b/g, 'ID')
    .replace(/[\w-]{36}:[0-9a-f]{64}/g, 'KEY')
}

/** As it would be typed. @param {string} word */
function quoted(word) {
  const short = word.length > 80 ? `${word.slice(0, 40)}…` : word
  // biome-ignore lint/suspicious/noControlCharactersInRegex: so a shell would want them
  if (/[\u0000-\u001f]/.test(short)) return `$${JSON.stringify(short).replace(/^"|"$/g, "'")}`
  return /^[\w@%+=:,./-]+$/.test(short) ? short : `'${short}'`
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', '\\|')
}

/** @param {import('../bad-input').Row[]} rows */
async function print(rows) {
  const world = await startWorld()
  try {
    process.stdout.write('| what is wrong | command | exit | message |\n| --- | --- | --- | --- |\n')
    const runs = inTurn(rows, 4, row => runRow(row, world))
    for (const [i, row] of rows.entries()) {
      const { args, plain } = await runs[i]
      const own = Object.entries(environmentOf({ env: row.env, bare: true }, world))
      const command = [
        ...own.map(([name, value]) => `${name}=${quoted(steady(value))}`),
        'xfer',
        ...args.map(word => quoted(steady(word))),
      ].join(' ')
      const lines = plain.stderr.split('\n')
      const at = lines.findIndex(line => line.startsWith('xfer: '))
      const said = lines.slice(at, at + 2).map(line => line.replace(/^xfer: /, '').trim())
      const cells = [row.it, `\`${command}\``, String(plain.status), steady(said.join(' '))]
      process.stdout.write(`| ${cells.map(cell).join(' | ')} |\n`)
    }
  } finally {
    await world.close()
  }
}

module.exports = { print }
