'use strict'

/**
 * What bad input answers: a table of commands, each with the exit status and the error that must come of it.
 * `node test/cli/bad-input.js --print` runs them all and prints what they really say, as a Markdown table.
 *
 * @typedef {object} Row
 * @property {string} it what is wrong
 * @property {string | string[]} command behind `xfer`; `{word}` is one of the world's
 * @property {Record<string, string>} [env] variables beyond those with which a good command would succeed
 * @property {boolean} [bare] no other variables at all
 * @property {number} exit
 * @property {string} [code]
 * @property {string} [says] in its message
 * @property {string} [advises] in its hint
 * @property {string[]} [json] the arguments of the run with --json; default the same, with --json behind the command
 * @property {boolean} [planned] the plan was announced before
 * @property {boolean} [ended] it certainly ends with a line for logs, because something was moved before
 * @property {number} [boundMs] it may take so long; default BOUND_MS of run.js
 * @property {boolean} [debug] it prints a stack trace
 * @property {boolean} [leaves] an upload is left behind, for nobody can know its id
 */

/** @type {Row[]} */
const ROWS = [
  'usage',
  'credentials',
  'settings',
  'stores',
  'https',
  'not-stores',
  'platform',
  'deploy',
  'doctor',
  'jobs',
  'verify',
  'prefixes',
].flatMap(name => require(`./bad-input/${name}`))

module.exports = { ROWS }

if (require.main === module) require('./bad-input/print').print(ROWS)
