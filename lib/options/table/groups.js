'use strict'

/** Headings of the help and of the reference page, in their order. */

/** @typedef {import('../contract').Command} Command */

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

module.exports = { ORDER, headingOf }
