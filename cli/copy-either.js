'use strict'

const lib = require('../lib')
const { flagsOfCommand } = require('../lib/options')
const { asOptions, givenOf, optionsOf } = require('./options')
const { runCopy } = require('./run')
const { writeOut } = require('./write-out')

/** What options of another scope are for, and what to type to use them. */
const OTHERS = {
  prefix: ['a prefix', 'Add -r to copy everything below the source'],
  stream: ['standard input or output', 'Give - as the source or the destination'],
}

/**
 * Copies an object, or everything below a prefix.
 *
 * @param {import('./run').Process} process
 * @param {object} what
 * @param {string} what.source
 * @param {string} what.destination
 * @param {any} what.flags as commander read them
 * @param {(name: string) => boolean} [what.isTyped] whether a flag of this name was typed; the others have their defaults
 * @param {'copy' | 'sync'} [what.recursive]
 */
async function copyEither(process, { source, destination, flags, isTyped = () => true, recursive }) {
  if (source === '-') {
    const { fromStandardInput } = require('./read-in')
    return await fromStandardInput(process, { destination, flags, isTyped, recursive })
  }
  const command = recursive ?? 'copy'
  if (destination === '-') return await toStandardOutput(process, { source, flags, isTyped, recursive })
  const options = optionsOf(command, flags)
  if (recursive) {
    return await runCopy(process, flags, run =>
      lib.copyPrefix(source, destination, { filters: [], ...options, recursive, ...run }),
    )
  }
  return await runCopy(process, flags, async run => {
    const other = givenOf(command, flags).find(({ spec }) => spec.scope !== undefined && spec.scope in OTHERS)
    if (other) {
      const [what, instead] = OTHERS[/** @type {keyof typeof OTHERS} */ (other.spec.scope)]
      throw new lib.XferError('USAGE', {
        text: `${other.flag} applies to ${what}, but this command copies one object.`,
        advice: `${instead}, or leave ${other.flag} out.`,
      })
    }
    return await lib.copy(source, destination, { ...options, ...run })
  })
}

/**
 * @param {import('./run').Process} process
 * @param {{ source: string, flags: any, isTyped: (name: string) => boolean, recursive?: 'copy' | 'sync' }} what
 */
async function toStandardOutput(process, { source, flags, isTyped, recursive }) {
  const known = flagsOfCommand('cat').map(({ flag }) => flag)
  const typed = Object.fromEntries(Object.entries(flags).filter(([name]) => isTyped(name)))
  // The engine is the only way.
  const given = givenOf('copy', typed).filter(({ spec, value }) => spec.name !== 'route' || value === 'server')
  const other = given.find(({ flag }) => !known.includes(flag))
  const text = recursive
    ? 'Everything below a prefix cannot be written to standard output as one stream.'
    : other && `${other.flag} does not apply to a copy to standard output.`
  if (text) {
    const advice = recursive ? 'Name the objects, in their order: xfer cat LOCATION...' : `Leave ${other?.flag} out.`
    // Who reads standard output expects an object.
    return await runCopy({ ...process, out: process.err }, flags, async () => {
      throw new lib.XferError('USAGE', { text, advice })
    })
  }
  return await writeOut(process, { locations: [source], flags, options: asOptions(given) })
}

module.exports = { copyEither }
