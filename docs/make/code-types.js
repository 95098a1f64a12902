'use strict'

/** lib/api/codes.d.ts: the words that errors, notices and events have from a table, as unions. */

const { ENGINES } = require('../../lib/engines')
const { NOTICES } = require('../../lib/notices')
const { ROWS } = require('./errors')
const { UNFORMATTED, inLines } = require('./note')

/** @param {string} name @param {string} doc @param {string[]} words */
function unionOf(name, doc, words) {
  const union = [...new Set(words)].map(word => `| '${word}'`)
  return `\n/** ${doc} */\nexport type ${name} =\n${inLines(union)}`
}

/** @returns {string} the file */
function codeTypes() {
  return [
    '/** Codes and names. Made by `npm run docs` from the tables of errors, notices and engines; do not edit. */\n',
    UNFORMATTED,
    unionOf('XferErrorCode', 'The codes of errors: docs/reference/errors.md.', Object.keys(ROWS).sort()),
    unionOf('NoticeCode', 'The codes of notices: docs/reference/notices.md.', Object.keys(NOTICES).sort()),
    `\n/** What moves the bytes; \`server\`: the store of both sides, by itself. */\nexport type EngineName = ${[...ENGINES.map(({ name }) => name), 'server'].map(name => `'${name}'`).join(' | ')}\n`,
  ].join('')
}

module.exports = { codeTypes }
