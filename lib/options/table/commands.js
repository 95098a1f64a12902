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

/** What a row has at most, each kind of value in a column of its own. @typedef {Partial<import('../contract').OptionSpec>} Cells */
/** The usual form of a row. takes: `switch`, a type of value, or a text as the help calls it, such as `<name>`. @typedef {[name: string, takes: import('../contract').Takes, help: string, others?: Cells]} Row */

/**
 * @param {Cells} shared what all of these rows have
 * @param {Array<Row | Cells>} rows
 */
function each(shared, rows) {
  return rows.map(row => /** @type {import('../contract').OptionSpec} */ ({ ...shared, ...cellsOf(row) }))
}

/** @param {Row | Cells} row @returns {Cells} */
function cellsOf(row) {
  if (!Array.isArray(row)) return row
  const [name, takes, help, others] = row
  const [, value] = /^<(.*)>$/.exec(takes) ?? []
  const type = value === undefined &&
    takes !== 'switch' && { type: /** @type {import('../contract').ValueType} */ (takes) }
  return { name, ...type, ...(value && { value }), help, ...others }
}

module.exports = { ALL, ASKS, COPIES, EVERYDAY, HEADINGS, MOVES, SELECTS, TRANSFERS, WRITES, each, ofAll }
