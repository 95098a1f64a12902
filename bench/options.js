'use strict'

/** The command line of `npm run bench`. */

const { existsSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { parseArgs } = require('node:util')
const { parseSize } = require('../lib/options')

const RUNS = 5
/** In memory if there is /dev/shm, so that no disk is measured. */
const MEMORY = '/dev/shm'

/** @param {import('./cases').Case[]} cases */
function usageOf(cases) {
  const widest = Math.max(...cases.map(({ name }) => name.length))
  return `Usage: npm run bench -- [options]
  --case NAME    a case; may be given several times (all)
  --runs N       runs of each contestant, after one that warms up (${RUNS})
  --size SIZE    of the object, in MiB or with a unit as 1GiB, where a case has one object (its own)
  --quick        small sizes and one run, to see that all works; nothing is written unless --out says where
  --out FILE     the report (bench/RESULTS.md); raw numbers go to the folder results beside it, and stay for later reports
  --scratch DIR  where files and journals of clients are (memory, where there is such a file system)
  --guard BASE   this tree beside an earlier commit, in turns: ends with 1 if something costs over a tenth more than before,
                 beyond its spread
  --render       no runs: write the report from the raw numbers that there are
  --help

Programs are looked for in the folder XFER_TEST_BIN and on the PATH; those that are missing are left out, and it is said.
Cases:
${cases.map(({ name, title }) => `  ${name.padEnd(widest)}  ${title}`).join('\n')}`
}

/**
 * @typedef {object} Options
 * @property {import('./cases').Case[]} cases
 * @property {number} runs
 * @property {number | undefined} bytes
 * @property {boolean} quick
 * @property {string | undefined} out
 * @property {string} scratch
 * @property {string | undefined} guard a commit
 * @property {boolean} render
 * @property {boolean} help
 */

/**
 * @param {string[]} args
 * @param {import('./cases').Case[]} cases
 * @returns {Options}
 * @throws {Error} with `usage` if the command line is invalid
 */
function readOptions(args, cases) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        case: { type: 'string', multiple: true },
        runs: { type: 'string' },
        size: { type: 'string' },
        quick: { type: 'boolean', default: false },
        out: { type: 'string' },
        scratch: { type: 'string' },
        guard: { type: 'string' },
        render: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    const { case: names, runs, size, quick, out, scratch, guard, render, help } = values
    return {
      cases: names ? names.map(name => named(name, cases)) : cases,
      runs: countOf(runs ?? (quick ? '1' : String(RUNS))),
      bytes: size === undefined ? undefined : parseSize(size, '--size'),
      quick,
      out,
      scratch: scratch ?? (existsSync(MEMORY) ? MEMORY : tmpdir()),
      guard,
      render,
      help,
    }
  } catch (error) {
    throw Object.assign(/** @type {Error} */ (error), { usage: true })
  }
}

/** @param {string} name @param {import('./cases').Case[]} cases */
function named(name, cases) {
  const found = cases.find(one => one.name === name)
  if (!found) throw new Error(`There is no case "${name}".`)
  return found
}

/** @param {string} text */
function countOf(text) {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new Error(`--runs "${text}" is not a whole number above zero.`)
}

module.exports = { readOptions, usageOf }
