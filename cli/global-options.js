'use strict'

/** Options that may also stand before the command, as in `xfer --json copy …`: all of the group `output`. */

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

/** @returns {string[]} with their dashes */
function globalFlags() {
  // The table is not loaded for the help and the version alone.
  const { OPTIONS, flagOf } = require('../lib/options')
  const switches = OPTIONS.filter(
    ({ group, flag, value }) => group === 'output' && flag !== false && value === undefined,
  )
  return switches.flatMap(spec => [flagOf(spec), spec.short ?? flagOf(spec)])
}

/** @param {string} word @returns {string[]} `-qv` as `-q` and `-v`; any other word alone */
function lettersOf(word) {
  return /^-[A-Za-z]{2,}$/.test(word) ? [...word.slice(1)].map(letter => `-${letter}`) : [word]
}

module.exports = { behindCommand, globalFlags }
