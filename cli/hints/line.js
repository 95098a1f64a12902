'use strict'

/** Reads a command line as it was typed, and writes it again as another command. */

const { flagsOfCommand, quoted } = require('../../lib/options')
const { withoutSecret } = require('../secrets')

/** @typedef {import('../../lib/options/contract').Command} Command */
/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */

/**
 * @typedef {object} Item a location, or an option with its value
 * @property {string[]} words
 * @property {boolean} place
 * @property {OptionSpec} [spec] of an option that the command has
 *
 * @typedef {object} Line
 * @property {string} command without an alias; '' if none was named
 * @property {Item[]} items
 * @property {string[]} places
 * @property {boolean} known whether the command has all its options
 */

const ALIASES = new Map([['cp', 'copy']])

/** @param {string | undefined} name */
function commandOf(name = '') {
  return ALIASES.get(name) ?? name
}

/** @param {string} command or an alias @returns {ReturnType<typeof flagsOfCommand>} none for a command that there is not */
function flagsOf(command) {
  return flagsOfCommand(/** @type {Command} */ (commandOf(command)))
}

/** @param {string} command @param {string} flag with its dashes @returns {OptionSpec | undefined} */
function specOf(command, flag) {
  const found = flagsOf(command).find(
    ({ flag: long, spec }) => long === flag || spec.short === flag || spec.alsoShort?.includes(flag),
  )
  return found?.spec
}

/** @param {string[]} args the command first @returns {Line} */
function readLine([name, ...rest]) {
  const command = commandOf(name)
  /** @type {Item[]} */
  const items = []
  let literal = false
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]
    if (word === '--' && !literal) literal = true
    else if (literal || word === '-' || !word.startsWith('-')) items.push({ words: [word], place: true })
    else {
      const equals = word.startsWith('--') ? word.indexOf('=') : -1
      const spec = specOf(command, equals < 0 ? word : word.slice(0, equals))
      const separate = spec?.value !== undefined && equals < 0 && at + 1 < rest.length
      items.push({ words: separate ? [word, rest[++at]] : [word], place: false, spec })
    }
  }
  const places = items.filter(({ place }) => place).map(({ words }) => words[0])
  return { command, items, places, known: items.every(({ place, spec }) => place || spec) }
}

/**
 * The same line as another command. Options that this command does not have are left out.
 *
 * @param {Line} line
 * @param {object} as
 * @param {string} as.command
 * @param {string[]} [as.flags] behind the command
 * @param {string[]} [as.places] default: those of the line
 * @param {string[]} [as.added] behind the places
 * @param {string[]} [as.without] names of options to leave out
 * @returns {string} for a POSIX shell, without secrets
 */
function lineAs({ items, places: typed }, { command, flags = [], places = typed, added = [], without = [] }) {
  const options = items.flatMap(({ words, spec }) => {
    if (!spec || without.includes(spec.name)) return []
    return specOf(command, words[0].replace(/=.*$/s, '')) && !flags.includes(words[0]) ? words : []
  })
  return ['xfer', command, ...flags, ...places, ...added, ...options].map(word => quoted(withoutSecret(word))).join(' ')
}

module.exports = { commandOf, flagsOf, lineAs, readLine, specOf }
