'use strict'

/** Command lines as texts: split into words as a shell would, and parsed as xfer does, without running anything. */

const { Command } = require('commander')
const { COMMANDS, define } = require('../../cli/main')
const { BARE, addOptions } = require('../../cli/options')

/** One word: in single quotes, in `$'…'`, in double quotes, with backslashes, or plain, or several of these together. */
const WORD = /(?:\$'(?:\\.|[^'])*'|'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/gs

/** @param {string} text @returns {string[]} its words, without their quotes; nothing is expanded */
function wordsOf(text) {
  return (text.match(WORD) ?? []).map(word =>
    word.replace(/\$?'((?:\\'|[^'])*)'|"([^"]*)"|\\(.)/gs, (_, single, double, char) => single ?? double ?? char),
  )
}

/** @param {(text: string) => void} print @returns {Command} of which no command does anything */
function inertProgram(print) {
  const quiet = { writeOut: print, writeErr: () => {}, outputError: () => {} }
  const program = new Command('xfer').version('0').configureOutput(quiet).exitOverride()
  for (const name of Object.keys(COMMANDS)) define(program, name, {})
  program.command('help').argument('[COMMAND]')
  for (const command of program.commands) {
    if (!BARE.includes(command.name())) addOptions(command)
    command
      .configureOutput(quiet)
      .exitOverride()
      .action(() => {})
  }
  return program
}

/**
 * @param {string[]} words behind the program's name
 * @returns {string | undefined} commander's code of what is wrong with them
 */
function mistakeIn(words) {
  try {
    inertProgram(() => {}).parse(words, { from: 'user' })
    return undefined
  } catch (error) {
    return error.exitCode === 0 ? undefined : error.code
  }
}

/** @returns {Record<string, string>} the help of each command */
function helps() {
  let text = ''
  const program = inertProgram(part => {
    text += part
  })
  const helpOf = command => {
    text = ''
    command.outputHelp()
    return text
  }
  return Object.fromEntries(program.commands.map(command => [command.name(), helpOf(command)]))
}

module.exports = { helps, mistakeIn, wordsOf }
