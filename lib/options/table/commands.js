'use strict'

/** Sets of commands, which the rows of the table name. The types of commands and groups are made from this file. */

/** They begin a copy; */
const COPIES = /** @type {const} */ (['copy', 'sync'])
/** choose among the objects below a prefix; */
const SELECTS = /** @type {const} */ ([...COPIES, 'verify', 'rm'])
/** write objects; */
const WRITES = /** @type {const} */ ([...COPIES, 'resume'])
/** move bytes; */
const MOVES = /** @type {const} */ ([...WRITES, 'verify'])
/** move them, or hand them out; */
const TRANSFERS = /** @type {const} */ ([...MOVES, 'cat'])
/** ask about one location; */
const ASKS = /** @type {const} */ (['ls', 'du', 'head', 'presign'])
/** are about one location, and move no bytes. */
const EVERYDAY = /** @type {const} */ ([...ASKS, 'rm', 'mb'])
/** All of a library's functions. */
const ALL = /** @type {const} */ ([
  ...TRANSFERS,
  'mv',
  ...EVERYDAY,
  'jobs',
  'abort',
  'clean',
  'deploy',
  'doctor',
  'probe',
])

/** Headings of the help and of the reference page, in their order. */

const HEADINGS = {
  common: 'Common options',
  places: 'Source and destination',
  selection: 'Selection of objects',
  attributes: 'Metadata, tags, storage class and encryption',
  integrity: 'Integrity and conditions',
  streams: 'Standard input and output (SRC or DEST is -)',
  performance: 'Performance',
  failures: 'Failures and time limits',
  engine: 'Engine',
  deployment: 'Function',
  files: 'Reports, logs and manifests',
  cost: 'Cost',
  output: 'Output',
}

/**
 * @template T
 * @param {readonly import('../contract').Command[]} commands
 * @param {T} same what each of them has
 * @returns {Partial<Record<import('../contract').Command, T>>}
 */
function ofAll(commands, same) {
  return Object.fromEntries(commands.map(command => [command, same]))
}

/**
 * @param {Partial<import('../contract').OptionSpec>} shared what all of these rows have
 * @param {Array<Partial<import('../contract').OptionSpec>>} rows
 */
function each(shared, rows) {
  return rows.map(row => /** @type {import('../contract').OptionSpec} */ ({ ...shared, ...row }))
}

/**
 * The usual row.
 *
 * @param {string} name
 * @param {import('../contract').Takes} takes
 * @param {string} help
 * @param {Partial<import('../contract').OptionSpec>} [others]
 */
function option(name, takes, help, others) {
  const text = takes.startsWith('<')
  const value = text ? { value: takes.slice(1, -1) } : takes !== 'switch' && { type: takes }
  return /** @type {import('../contract').OptionSpec} */ ({ name, ...value, help, ...others })
}

module.exports = { ALL, ASKS, COPIES, EVERYDAY, HEADINGS, MOVES, SELECTS, TRANSFERS, WRITES, each, ofAll, option }
