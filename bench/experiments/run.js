'use strict'

/** What the experiments share: their options, what an interruption leaves, and how their raw numbers are kept. */

const { rmSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { commitOf, describeMachine, versionsOf } = require('../machine')
const { keep } = require('../results')

/** The report beside which the raw numbers are kept. */
const OUT = join(__dirname, '..', 'RESULTS.md')

/**
 * @template {Record<string, string>} T
 * @param {T} defaults by option
 * @returns {T} as they were given
 */
function readFlags(defaults) {
  const options = Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: value }])
  return /** @type {T} */ (parseArgs({ options: Object.fromEntries(options) }).values)
}

/** Removes folders at the end, after an interruption too: the servers in them have ended by then. @param {string[]} folders */
function removeAtExit(...folders) {
  process.once('exit', () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
}

/** Ends by `exit`, so that what was to be removed then is. */
function exitOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
}

/**
 * @param {string} out the report's file
 * @param {{ name: string, script: string, servers: string[] } & Pick<import('../results').Findings, 'runs' | 'facts'> &
 *   Partial<Pick<import('../results').Findings, 'rows' | 'leftOut'>>} run script: the file in this folder
 */
function keepRun(out, { name, script, servers, rows = [], leftOut = [], ...run }) {
  const where = { commit: commitOf(), machine: describeMachine(), versions: versionsOf(servers) }
  const command = `node bench/experiments/${script}`
  keep(out, { case: name, command, date: new Date().toISOString(), ...where, quick: false, rows, leftOut, ...run })
}

module.exports = { OUT, exitOnSignals, keepRun, readFlags, removeAtExit }
