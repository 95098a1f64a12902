'use strict'

/** Sets of commands, which the rows of the table name. */

/** @typedef {import('../contract').Command} Command */

/** @type {readonly Command[]} begin a copy */
const COPIES = ['copy', 'sync']
/** @type {readonly Command[]} choose among the objects below a prefix */
const SELECTS = [...COPIES, 'verify', 'rm']
/** @type {readonly Command[]} write objects */
const WRITES = [...COPIES, 'resume']
/** @type {readonly Command[]} move bytes */
const MOVES = [...WRITES, 'verify']
/** @type {readonly Command[]} the same, and those that hand bytes out */
const TRANSFERS = [...MOVES, 'cat']
/** @type {readonly Command[]} ask about one location */
const ASKS = ['ls', 'du', 'head', 'presign']
/** @type {readonly Command[]} are about one location, and move no bytes */
const EVERYDAY = [...ASKS, 'rm', 'mb']
/** @type {readonly Command[]} */
const ALL = [...TRANSFERS, 'mv', ...EVERYDAY, 'jobs', 'abort', 'clean', 'deploy', 'doctor']

/** The commands that use each side. @type {Record<import('../contract').SideName, readonly Command[]>} */
const OF_SIDE = {
  source: [...TRANSFERS, 'mv', ...ASKS, 'doctor'],
  destination: [...MOVES, 'mv', 'doctor', 'abort', 'clean', 'rm', 'mb'],
}

/** Headings of the help and of the reference page, in their order. */

/** @type {Record<import('../contract').Group, string>} */
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

/** @type {Partial<Record<Command, Partial<typeof HEADINGS>>>} */
const OF_COMMAND = {
  copy: { selection: 'Selection of objects (with -r)' },
  verify: { selection: 'Selection of objects (with -r)' },
  resume: { selection: 'Prefixes, with a journal of another machine' },
  ls: { places: 'Location' },
  du: { places: 'Location' },
  head: { places: 'Location' },
  presign: { places: 'Location' },
  mb: { places: 'Location' },
  abort: { places: 'Destination' },
  clean: { places: 'Destination' },
}

const ORDER = /** @type {import('../contract').Group[]} */ (Object.keys(HEADINGS))

/** @param {import('../contract').Group} group @param {Command} [command] */
function headingOf(group, command) {
  return (command && OF_COMMAND[command]?.[group]) ?? HEADINGS[group]
}

module.exports = { ALL, ASKS, COPIES, EVERYDAY, MOVES, OF_SIDE, SELECTS, TRANSFERS, WRITES, ORDER, headingOf }
