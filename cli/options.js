'use strict'

/** Makes commander's options of a command from the table of options, and the library's options from the flags given. */

const { Option } = require('commander')
const lib = require('../lib')
// Its members load the table, which the help of all commands does not need.
const table = require('../lib/options')

/** @typedef {import('../lib/options/contract').Command} CommandName */
/** @typedef {ReturnType<typeof table.flagsOfCommand>[number]} CommandFlag */

/** Commands without options, but for help. */
const BARE = ['completion', 'help', 'version']

/** Adds the options that the table has for a command. @param {import('commander').Command} command */
function addOptions(command) {
  if (BARE.includes(command.name())) return
  const name = /** @type {CommandName} */ (command.name())
  /** In the order of the command line, because the last filter that matches decides. @type {object[]} */
  const filters = []
  for (const flag of table.flagsOfCommand(name)) {
    const option = toOption(flag, name, filters)
    command.addOption(option)
    for (const short of flag.spec.short?.slice(1) ?? []) command.addOption(aliasOf(option, short))
  }
  const about = isLong(command) ? 'print all options, and examples; -h: the usual options' : 'print this help'
  command.optionsGroup(`${table.headingOf('output')}:`).helpOption('-h, --help', about)
}

/** Whether `-h` prints less than `--help`. @param {import('commander').Command} command with its options */
function isLong({ options }) {
  return options.length > 20
}

/** Leaves in the help of a command what most need, if it is long. @param {import('commander').Command} command with its options */
function shortenHelp(command) {
  if (!isLong(command)) return
  const name = /** @type {CommandName} */ (command.name())
  const usual = ['common', 'output'].map(group => `${table.headingOf(/** @type {any} */ (group), name)}:`)
  for (const option of command.options) if (!usual.includes(option.helpGroupHeading ?? '')) option.hideHelp()
  // The examples, which the command has added.
  const listeners = /** @type {import('node:events').EventEmitter} */ (/** @type {unknown} */ (command))
  listeners.removeAllListeners('afterHelp')
  command.addHelpText(
    'after',
    `\nFor all ${table.flagsOfCommand(name).length} options, and examples: xfer ${name} --help`,
  )
}

/** @param {CommandFlag} flag @param {CommandName} command @param {object[]} filters */
function toOption({ spec, side, flag }, command, filters) {
  const { short = [], takes } = spec
  const terms = [[...short.slice(0, 1), flag].join(', '), takes.as ?? ''].join(' ').trimEnd()
  // A resumed job keeps the options that it began with, so its defaults do not apply.
  const defaults = command !== 'resume' || !spec.kept
  const defaultText = defaults ? table.defaultTextOf(spec) : undefined
  // The library has the default itself.
  const found = defaultText === undefined ? '' : ` (default: ${defaultText})`
  const option = new Option(terms, table.helpOf(spec, { command, side }) + found)
  option.helpGroup(`${table.headingOf(spec.group, command)}:`)
  if (spec.conflicts) option.conflicts([...spec.conflicts])
  // The library never sees it, so nobody else checks it.
  if (spec.only === 'cli' && takes.as && takes.choices)
    option.argParser(value => table.readerOf(command, { [spec.name]: value })(/** @type {never} */ (spec.name)))
  if (takes.kind === 'pairs' || takes.kind === 'list')
    option.argParser((value, /** @type {string[]} */ earlier = []) => [...earlier, value])
  if (takes.kind === 'filter') {
    option.argParser(glob => {
      filters.push({ [option.attributeName()]: glob })
      return filters
    })
  }
  return option
}

/** Another short form of a switch, which the help does not list. @param {Option} option @param {string} short */
function aliasOf(option, short) {
  return Object.assign(new Option(short).hideHelp(), { attributeName: () => option.attributeName() })
}

/**
 * @param {CommandName} command
 * @param {Record<string, any>} flags as commander read them
 * @returns {Record<string, any>} the library's options: those given
 */
function optionsOf(command, flags) {
  return asOptions(givenOf(command, flags))
}

/** @param {ReturnType<typeof givenOf>} given @returns {Record<string, any>} the library's options */
function asOptions(given) {
  /** @type {Record<string, any>} */
  const options = {}
  for (const { spec, side, value } of given) {
    if (spec.only === 'cli') continue
    if (side) options[side] = { ...options[side], [spec.name]: value }
    else options[spec.name] = value
  }
  return options
}

/** @param {CommandName} command @param {Record<string, any>} flags @returns {Array<CommandFlag & { value: any }>} in the order of the help */
function givenOf(command, flags) {
  return table.flagsOfCommand(command).flatMap(one => {
    const option = new Option(one.flag)
    const value = flags[option.attributeName()]
    // A switch that begins with --no- is true where it was not given.
    return value === undefined || (option.negate && value === true) ? [] : [{ ...one, value }]
  })
}

/** @param {CommandFlag | undefined} other an option that was given @param {string} what it does not apply to @throws {lib.XferError} USAGE if there is one */
function refuse(other, what) {
  if (!other) return
  const { flag } = other
  throw new lib.XferError('USAGE', { text: `${flag} does not apply to ${what}.`, advice: `Leave ${flag} out.` })
}

const HELP = ['--help', '-h']

/** Commands that print one text, whatever the output is to be. */
const PLAIN = ['help', 'version']

/**
 * Puts the options that stand before the command behind it, if all of them may stand there.
 *
 * @param {string[]} words
 * @returns {string[]} as they are, if another option stands there; none, if no command is named
 */
function behindCommand(words) {
  const found = words.findIndex(word => !word.startsWith('-'))
  const at = found === -1 ? words.length : found
  const before = words.slice(0, at)
  const others = before.filter(word => !HELP.includes(word)).flatMap(lettersOf)
  if (others.length > 0 && !others.every(flag => globalFlags().includes(flag))) return words
  if (at === words.length) return words.some(word => HELP.includes(word)) ? ['--help'] : []
  const taken = PLAIN.includes(words[at]) ? before.filter(word => HELP.includes(word)) : before
  return [words[at], ...taken, ...words.slice(at + 1)]
}

/** The options that may also stand before the command, as in `xfer --json copy …`: all of the group `output`. @returns {string[]} with their dashes */
function globalFlags() {
  const switches = table.OPTIONS.filter(
    spec => spec.group === 'output' && table.hasFlag(spec) && spec.takes.kind === 'switch',
  )
  return switches.flatMap(spec => [table.flagOf(spec), ...(spec.short ?? [])])
}

/** @param {string} word @returns {string[]} `-qv` as `-q` and `-v`; any other word alone */
function lettersOf(word) {
  return /^-[A-Za-z]{2,}$/.test(word) ? [...word.slice(1)].map(letter => `-${letter}`) : [word]
}

module.exports = { BARE, addOptions, asOptions, behindCommand, givenOf, globalFlags, optionsOf, refuse, shortenHelp }
