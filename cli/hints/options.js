'use strict'

/** Hints for options that a command does not have. */

const { commandOf, flagsOf, lineAs, readLine, specOf } = require('./line')
const { OPTIONS } = require('./words')

/**
 * @param {string} flag as typed, without a value
 * @param {{ args: string[], names: string[] }} typed args: the words behind the program's name; names: of all commands
 * @returns {string | undefined}
 */
function optionAdvice(flag, { args, names }) {
  const at = args.findIndex(word => names.includes(word))
  if (at > 0 && args[0].startsWith('-')) return beforeCommand(flag, args, at)
  if (at !== 0) return undefined
  const command = commandOf(args[at])
  // Commander knows a switch only without a value.
  if (specOf(command, flag)) return `Write ${flag} without a value.`
  const advice = oneDash(flag, command, args) ?? foreignAdvice(flag, command) ?? elsewhere(flag, command, names)
  const others = foreignOptions(readLine(args.slice(at))).filter(one => !one.startsWith(`for ${flag},`))
  return advice && joined([advice, ...others])
}

/** What each option means that the command does not have. @param {import('./line').Line} line @returns {string[]} parts of a sentence */
function foreignOptions({ command, items }) {
  const hints = items.flatMap(({ words: [word], place, spec }) => {
    const flag = word.replace(/=.*$/s, '')
    const hint = place || spec ? undefined : foreignAdvice(flag, command)
    return hint ? [`for ${flag}, ${lowered(hint)}`] : []
  })
  return [...new Set(hints)]
}

/** @param {string[]} parts of one sentence @returns {string} */
function joined(parts) {
  return parts.join('; ').replaceAll('.; ', '; ')
}

/** @param {string} text */
function lowered(text) {
  return `${text[0].toLowerCase()}${text.slice(1)}`
}

/** @param {string} flag @param {string[]} args @param {number} at where the command is */
function beforeCommand(flag, args, at) {
  const [name, before, rest] = [args[at], args.slice(0, at), args.slice(at + 1)]
  const command = commandOf(name)
  if (!specOf(command, flag)) return foreignAdvice(flag, command)
  const line = readLine([name, ...before, ...rest])
  return `Put it behind the command: ${lineAs(line, { command: name })}`
}

/** What the table says. @param {string} flag @param {string} command */
function foreignAdvice(flag, command) {
  const found = formsOf(flag).flatMap(form => OPTIONS.filter(({ typed }) => typed.includes(form)))
  const hints = found.flatMap(row => row.hints)
  const hint = hints.find(one => (typeof one === 'string' ? fits(one, command) : one.of.includes(command)))
  return typeof hint === 'object' ? hint.hint : hint
}

/** As it is, in the usual spelling, and the letters of `-nv`. @param {string} flag */
function formsOf(flag) {
  if (flag.startsWith('--')) return [...new Set([flag, flag.toLowerCase().replaceAll('_', '-')])]
  return /^-[A-Za-z]{2,4}$/.test(flag) ? [flag, ...[...flag.slice(1)].map(letter => `-${letter}`)] : [flag]
}

/**
 * The options that a hint names, each with the command that must have it.
 *
 * @param {string} hint
 * @param {string} command the one that was typed
 * @returns {Array<{ command: string, flag: string }>}
 */
function flagsIn(hint, command) {
  /** @type {Array<{ command: string, flag: string }>} */
  const found = []
  /** @param {string} text @param {string} of */
  const add = (text, of) => {
    for (const [flag] of text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)) found.push({ command: of, flag })
  }
  const others = hint.replace(/\bxfer ([a-z]+)([^,:;]*)/g, (_, name, words) => {
    add(words, commandOf(name))
    return ''
  })
  add(others, command)
  return found
}

/** @param {string} hint @param {string} command */
function fits(hint, command) {
  return flagsOf(command).length > 0 && flagsIn(hint, command).every(one => specOf(one.command, one.flag))
}

/** `-profile` and `-recursive`. @param {string} flag @param {string} command @param {string[]} args */
function oneDash(flag, command, args) {
  const word = args.find(one => /^-[a-z][a-z-]{2,}$/.test(one) && (one === flag || one.endsWith(flag.slice(1))))
  if (!word || flag.startsWith('--')) return undefined
  return specOf(command, `-${word}`) ? `Write it with two dashes: -${word}.` : foreignAdvice(`-${word}`, command)
}

/** An option of other commands. @param {string} flag @param {string} command @param {string[]} names */
function elsewhere(flag, command, names) {
  const others = names.filter(name => commandOf(name) === name && specOf(name, flag)).map(name => `xfer ${name}`)
  if (others.length === 0) return undefined
  const list = others.length === 1 ? others[0] : `${others.slice(0, -1).join(', ')} and ${others.at(-1)}`
  return `${flag} is an option of ${list}: run xfer ${command} --help to see those of xfer ${command}.`
}

module.exports = { flagsIn, foreignOptions, joined, lowered, optionAdvice }
