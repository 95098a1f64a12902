'use strict'

/**
 * What may follow an unfinished command line: `xfer __complete WORD...`. The scripts of the shells beside this file ask it with the words
 * up to the cursor, the last of which may be empty, and get lines of a word, a tab and its help.
 */

const { readFileSync, readdirSync } = require('node:fs')
const { homedir } = require('node:os')
const { join } = require('node:path')
const lib = require('../../lib')
const table = require('../../lib/options')
const { addOptions, globalFlags, optionsOf } = require('../options')
const { BEGINNINGS, hasScheme } = require('../help-texts')

/** In place of a word: names of files may follow. */
const FILES = ':files'

/** Those that there is a script for. */
const SHELLS = ['bash', 'zsh', 'fish']

/** @typedef {[word: string, help?: string]} Offered */

/** @type {(word: string, help?: string) => Offered} */
const offer = (word, help) => [word, help]

const HELP = ['-h', '--help'].map(word => offer(word, 'print this help'))
const VERSION = [offer('-V'), offer('--version', 'print the version')]

/**
 * @param {string[]} words behind the program's name; the last one is to be completed
 * @param {import('commander').Command} program with all of its commands
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} lines
 */
async function completionLines(words, program, env) {
  const current = words.at(-1) ?? ''
  const offered = await offeredFor(current, words.slice(0, -1), program, env)
  return (
    offered
      // A line of its own is no part of a name.
      .filter(([word]) => word === FILES || (word.startsWith(current) && !/\p{Cc}/u.test(word)))
      .map(([word, help = '']) => `${word}\t${help}`)
  )
}

/** @param {string} current @param {string[]} before @param {import('commander').Command} program @param {NodeJS.ProcessEnv} env @returns {Promise<Offered[]>} */
async function offeredFor(current, before, program, env) {
  const named = before.find(word => !word.startsWith('-'))
  const command = program.commands.find(one => one.name() === named || one.aliases().includes(named ?? ''))
  if (named !== undefined && !command) return []
  const name = /** @type {import('../../lib/options/contract').Command} */ (command?.name() ?? 'copy')
  const flags = table.flagsOfCommand(name)
  const [, joined] = /^(--[^=]+)=/.exec(current) ?? []
  const option = flags.find(({ flag }) => flag === (joined ?? before.at(-1)))?.spec
  if (option?.takes.as?.startsWith('<')) {
    const { kind, choices, words } = option.takes
    const values = choices ?? words ?? []
    const ofFiles = kind === 'file' ? [FILES] : []
    return [...values.map(value => (joined ? `${joined}=${value}` : value)), ...ofFiles].map(word => [word])
  }
  if (current.startsWith('-')) {
    const known = command ? flags : flags.filter(({ flag }) => globalFlags().includes(flag))
    const own = known.flatMap(({ spec, side, flag }) => {
      const help = table.helpOf(spec, { command: name, side })
      return [...(spec.short?.slice(0, 1) ?? []), flag].map(word => offer(word, help))
    })
    return [...own, ...HELP, ...(command ? [] : VERSION)]
  }
  const commands = program.commands.flatMap(one =>
    [one.name(), ...one.aliases()].map(word => offer(word, one.summary())),
  )
  if (!command) return commands
  const place = command.registeredArguments[0]?.name()
  if (place === undefined) return []
  if (place === 'COMMAND') return commands
  if (hasScheme(current))
    return (await placesFor(current, before.slice(before.indexOf(named ?? '') + 1), command, env)).map(word => [word])
  const found = { SHELL: SHELLS, JOB: [...jobsIn(env), FILES], EVENTS: [FILES] }[place] ?? BEGINNINGS
  return found.map(word => [word])
}

/**
 * @param {string} current a place with its scheme
 * @param {string[]} before the words of the command, behind its name
 * @param {import('commander').Command} command
 * @param {NodeJS.ProcessEnv} env
 */
async function placesFor(current, before, command, env) {
  addOptions(command)
  const { operands } = command.parseOptions(before)
  const { caBundle, ...sides } = optionsOf(/** @type {any} */ (command.name()), command.opts())
  const argument = command.registeredArguments[Math.min(operands.length, command.registeredArguments.length - 1)]
  const isDestination = argument.name() === 'DEST'
  const { profile, endpointUrl, region, noSignRequest } = sides[isDestination ? 'destination' : 'source'] ?? {}
  return await require('./places').placesAt(current, {
    env: isDestination ? asSource(env) : env,
    source: { profile, endpointUrl, region, noSignRequest },
    caBundle,
  })
}

/** The settings of the destination as those of a source, which can be listed. @param {NodeJS.ProcessEnv} env */
function asSource(env) {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('XFER_SOURCE_'))
  return Object.fromEntries(own.map(([name, value]) => [name.replace(/^XFER_DEST_/, 'XFER_SOURCE_'), value]))
}

/** @param {NodeJS.ProcessEnv} env @returns {string[]} ids */
function jobsIn({ XDG_STATE_HOME, HOME }) {
  try {
    // It throws for a user that the system does not know.
    const folder = join(XDG_STATE_HOME || join(HOME || homedir(), '.local', 'state'), 'xfer', 'jobs')
    return readdirSync(folder).flatMap(file => /^(.+)\.journal$/.exec(file)?.[1] ?? [])
  } catch {
    return []
  }
}

/** `xfer completion`. @type {import('../run').Definition} */
const command = {
  action({ out, end }, shell = '') {
    if (!SHELLS.includes(shell)) {
      const text = shell === '' ? 'No shell was named.' : `There is no completion for the shell "${shell}".`
      const advice = 'Name bash, zsh or fish: xfer help completion says how to install it.'
      throw new lib.XferError('USAGE', { text, advice })
    }
    out.write(readFileSync(join(__dirname, `xfer.${shell}`)))
    end(0)
  },
}

module.exports = { command, completionLines }
