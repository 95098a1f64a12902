'use strict'

/**
 * The table of options, one row for each. The command line and its help, the library's check of names and values, the
 * options that a journal keeps, the command lines in hints, and docs/reference/options.md are made from it. The help loads
 * this file, so it loads only the rows.
 */

const { ENGINES } = require('../../engines')
const { options: ofStores } = require('../../stores')
const { ASKS, HEADINGS, MOVES, TRANSFERS, WRITES, ofAll } = require('./commands')

/** @typedef {import('../contract').OptionSpec} OptionSpec */
/** @typedef {import('../contract').Command} Command */
/** @typedef {import('../contract').OptionGroup} OptionGroup */
/** @typedef {import('../contract').SideName} SideName */
/** @typedef {{ spec: OptionSpec, side?: SideName, flag: string }} Flag an option of a command; one for each side that it has */

/** The commands that use each side. @type {Record<SideName, readonly Command[]>} */
const OF_SIDE = {
  source: [...TRANSFERS, 'mv', ...ASKS, 'doctor', 'probe'],
  destination: [...MOVES, 'mv', 'doctor', 'abort', 'clean', 'rm', 'mb', 'probe'],
}

/** @type {Partial<Record<Command, Partial<typeof HEADINGS>>>} */
const OF_COMMAND = {
  copy: { selection: 'Selection of objects (with -r)' },
  verify: { selection: 'Selection of objects (with -r)' },
  resume: { selection: 'Prefixes, with a journal of another machine' },
  ...ofAll([...ASKS, 'mb'], { places: 'Location' }),
  ...ofAll(['abort', 'clean'], { places: 'Destination' }),
}

const ORDER = /** @type {OptionGroup[]} */ (Object.keys(HEADINGS))

/** @param {OptionGroup} group @param {Command} [command] */
function headingOf(group, command) {
  return (command && OF_COMMAND[command]?.[group]) ?? HEADINGS[group]
}

/** The kind of a value by its placeholder; any other is a text. @type {Record<string, import('../contract').Kind>} */
const KINDS = {
  '<file>': 'file',
  '<n>': 'count',
  '<n|p%>': 'share',
  '<size>': 'size',
  '<rate>': 'rate',
  '<duration>': 'duration',
  '<when>': 'date',
  '<list>': 'hosts',
  '<glob>': 'filter',
  '<name=value>': 'pairs',
}

/** @param {import('../contract').OptionRow['takes']} given @returns {import('../contract').Takes} */
function takesOf(given = {}) {
  const takes = typeof given === 'string' ? { as: given } : given
  const { as, choices } = takes
  const kind = choices ? 'choice' : as === undefined ? 'switch' : (KINDS[as] ?? 'text')
  return { kind, ...takes }
}

/** @param {import('../contract').OptionRow} row @returns {OptionSpec} */
function specOf({ takes, default: usual = {}, kept, ...row }) {
  const { name, commands: own } = row
  // `xfer mv` has the options of `xfer copy`, but for -r, which has a row of its own.
  const moves = name !== 'recursive' && own?.includes('copy') && !own.includes('mv')
  return {
    ...row,
    ...(own && moves && { commands: [...own, /** @type {const} */ ('mv')] }),
    takes: takesOf(takes),
    default: typeof usual === 'string' ? { value: usual } : usual,
    ...(kept && { kept: kept === true ? {} : kept === 'own' ? { own: true } : kept }),
  }
}

const OPTIONS = [
  ...require('./transfer'),
  ...ofStores,
  // Engines with an option in common share its row.
  ...new Set(ENGINES.flatMap(({ options }) => options)),
  ...require('./copy'),
  ...require('./other-commands'),
].map(specOf)

/** Whether the command line has it. @param {Pick<OptionSpec, 'only'>} spec */
const hasFlag = ({ only }) => only === undefined || only === 'cli'

/** @param {Pick<OptionSpec, 'name' | 'flag'>} spec @param {SideName} [side] @returns {string} with its dashes */
function flagOf({ name, flag }, side) {
  if (flag) return flag
  const words = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  return side === undefined ? `--${words}` : `--${side === 'source' ? 'source' : 'dest'}-${words}`
}

/** @param {OptionSpec} spec @param {SideName} [side] @returns {readonly Command[]} */
function commandsOf({ commands }, side) {
  if (side === undefined) return commands ?? []
  return OF_SIDE[side].filter(command => commands?.includes(command) ?? true)
}

/** @type {Array<{ spec: OptionSpec, side?: SideName }>} */
const EACH_SIDE = OPTIONS.flatMap(spec => spec.sides?.map(side => ({ spec, side })) ?? [{ spec }])

/** Sorts a group: first options of the source, then of the destination, then the others. @param {{ spec: OptionSpec, side?: SideName }} one */
const rank = ({ spec, side }) =>
  3 * ORDER.indexOf(spec.group) + (side === 'source' ? 0 : side === 'destination' ? 1 : 2)

/** @param {Command} command @returns {Flag[]} in the order of the help */
function flagsOfCommand(command) {
  return EACH_SIDE.filter(({ spec, side }) => hasFlag(spec) && commandsOf(spec, side).includes(command))
    .map(one => ({ ...one, flag: flagOf(one.spec, one.side) }))
    .sort((a, b) => rank(a) - rank(b))
}

/** @param {Pick<OptionSpec, 'help' | 'helpFor'>} spec @param {{ command?: Command, side?: SideName }} of @returns {string} without its default */
function helpOf({ help, helpFor }, { command, side }) {
  const own = command && (helpFor?.[command] ?? (command === 'mv' ? helpFor?.copy : undefined))
  return (own ?? help).replaceAll('{side}', side ?? 'side')
}

/** The options that a journal keeps: of the job, of the selection of a prefix (except `recursive`), and of each side. */
function keptOptions() {
  const kept = OPTIONS.filter(({ kept }) => kept)
  return {
    job: kept.filter(({ sides, scope }) => !sides && scope !== 'prefix'),
    select: kept.filter(({ scope, name }) => scope === 'prefix' && name !== 'recursive'),
    side: kept.filter(({ sides }) => sides),
  }
}

/** The default as the help prints it. @param {OptionSpec} spec */
const defaultTextOf = spec => spec.default.text ?? spec.default.value

module.exports = {
  WRITES,
  OPTIONS,
  ORDER,
  commandsOf,
  defaultTextOf,
  flagOf,
  flagsOfCommand,
  hasFlag,
  headingOf,
  helpOf,
  keptOptions,
}
