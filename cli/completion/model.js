'use strict'

/** What a shell can complete: made from the commands of the program and from the table of options. */

const table = require('../../lib/options')
const { BEGINNINGS } = require('../place-help')

/**
 * @typedef {object} CompletedOption
 * @property {string} [short] such as `-r`
 * @property {string} long such as `--recursive`
 * @property {string} help
 * @property {'switch' | 'file' | 'words' | 'other'} value what follows it: nothing, the name of a file, a word, anything
 * @property {readonly string[]} words to choose from, or that are possible besides a number
 * @property {boolean} repeatable
 *
 * @typedef {object} CompletedPlace an argument that is no option
 * @property {string} name as in the help, such as `SRC`
 * @property {'location' | 'job' | 'words'} kind
 * @property {readonly string[]} words to choose from
 *
 * @typedef {object} CompletedCommand
 * @property {string[]} names the name, then its aliases
 * @property {string} summary
 * @property {CompletedOption[]} options
 * @property {CompletedPlace[]} places
 */

const SHELLS = ['bash', 'zsh', 'fish']

/** @type {CompletedOption} */
const HELP = {
  short: '-h',
  long: '--help',
  help: 'print this help',
  value: 'switch',
  words: [],
  repeatable: false,
}

/**
 * @param {import('commander').Command} program with all of its commands
 * @returns {CompletedCommand[]} in the order of the help
 */
function completedCommands(program) {
  const names = program.commands.map(command => command.name())
  return program.commands.map(command => ({
    names: [command.name(), ...command.aliases()],
    summary: command.summary(),
    options: optionsOf(command.name()),
    places: command.registeredArguments.map(place => placeOf(place.name(), names)),
  }))
}

/** @param {string} command @returns {CompletedOption[]} */
function optionsOf(command) {
  const name = /** @type {import('../../lib/options/contract').Command} */ (command)
  const own = table.flagsOfCommand(name).map(({ spec, side, flag }) => {
    const type = table.valueTypeOf(spec)
    const words = spec.value === undefined ? [] : (spec.choices ?? spec.words ?? [])
    return {
      ...(spec.short && { short: spec.short }),
      long: flag,
      help: table.helpOf(spec, { command: name, side }),
      value: kindOf(spec, type, words),
      words,
      repeatable: ['filter', 'list', 'pairs'].includes(type),
    }
  })
  return [...own, HELP]
}

/**
 * @param {import('../../lib/options/contract').OptionSpec} spec
 * @param {import('../../lib/options/contract').ValueType} type
 * @param {readonly string[]} words
 * @returns {CompletedOption['value']}
 */
function kindOf(spec, type, words) {
  if (spec.value === undefined) return 'switch'
  if (type === 'file') return 'file'
  return words.length > 0 ? 'words' : 'other'
}

/** @param {string} name @param {string[]} commands @returns {CompletedPlace} */
function placeOf(name, commands) {
  if (name === 'JOB') return { name, kind: 'job', words: [] }
  if (name === 'COMMAND') return { name, kind: 'words', words: commands }
  if (name === 'SHELL') return { name, kind: 'words', words: SHELLS }
  return { name, kind: 'location', words: BEGINNINGS }
}

/** Options that may stand before the command. @returns {CompletedOption[]} */
function globalOptions() {
  const flags = require('../global-options').globalFlags()
  return optionsOf('copy').filter(({ long }) => flags.includes(long) || long === HELP.long)
}

module.exports = { SHELLS, completedCommands, globalOptions }
