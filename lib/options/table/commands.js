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
  'work',
  'attach',
  'stop',
  'abort',
  'clean',
  'deploy',
  'doctor',
  'probe',
  'profiles',
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

/** @typedef {import('../contract').OptionRow} OptionRow */

/**
 * @param {Partial<OptionRow>} shared what all of these rows have
 * @returns {(rows: import('../contract').OptionRows | OptionRow[]) => OptionRow[]}
 */
const each = shared => rows => {
  const own = Array.isArray(rows) ? rows : Object.entries(rows).map(([flags, says]) => rowOf(flags, says))
  return own.map(row => ({ ...shared, ...row }))
}

/** @param {string} flags such as `-o, --output <file>` @param {import('../contract').OptionRows[string]} says @returns {any} a row, without what it shares */
function rowOf(flags, says) {
  const [, letters, flag, as] = /** @type {string[]} */ (/^((?:-\w, )*)(\S+)(?: (.+))?$/.exec(flags))
  const name = flag.replace(/^--(?:no-)?/, '').replace(/-(.)/g, (_, letter) => letter.toUpperCase())
  const [help, others] = typeof says === 'string' ? [says, {}] : Array.isArray(says) ? says : [says.help, says]
  const short = letters && { short: letters.split(', ').slice(0, -1) }
  const takes = { as, .../** @type {object} */ (others.takes) }
  return { name, ...(flag !== name && { flag }), ...short, help, ...others, takes }
}

module.exports = { ALL, ASKS, COPIES, EVERYDAY, HEADINGS, MOVES, SELECTS, TRANSFERS, WRITES, each, ofAll }
