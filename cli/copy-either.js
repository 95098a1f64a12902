'use strict'

const lib = require('../lib')
const { givenOf, optionsOf } = require('./options')
const { runCopy } = require('./run-copy')

/** What options of another scope are for, and what to type to use them. */
const OTHERS = {
  prefix: ['a prefix', 'Add -r to copy everything below the source'],
  stream: ['standard input', 'Give - as the source'],
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
      const error = new lib.XferError('USAGE', {
        text: `${other.flag} applies to ${what}, but this command copies one object.`,
        advice: `${instead}, or leave ${other.flag} out.`,
      })
      const { code, message, hint, exitCode } = error
      run.onEvent({ type: 'error', code, message, hint, exitCode, time: new Date().toISOString() })
      throw error
    }
    return await lib.copy(source, destination, { ...options, ...run })
  })
}

module.exports = { copyEither }
