'use strict'

const lib = require('../lib')
const { givenOf, optionsOf } = require('./options')
const { runCopy } = require('./run-copy')

/**
 * Copies an object, or everything below a prefix.
 *
 * @param {import('./run').Process} process
 * @param {object} what
 * @param {string} what.source
 * @param {string} what.destination
 * @param {any} what.flags as commander read them
 * @param {'copy' | 'sync'} [what.recursive]
 */
async function copyEither(process, { source, destination, flags, recursive }) {
  const command = recursive ?? 'copy'
  const options = optionsOf(command, flags)
  if (recursive) {
    return await runCopy(process, flags, run =>
      lib.copyPrefix(source, destination, { filters: [], ...options, recursive, ...run }),
    )
  }
  return await runCopy(process, flags, async run => {
    const ofPrefix = givenOf(command, flags).find(({ spec }) => spec.scope === 'prefix')
    if (ofPrefix) {
      const advice = `Add -r to copy everything below the source, or leave ${ofPrefix.flag} out.`
      const error = new lib.XferError('USAGE', {
        text: `${ofPrefix.flag} applies to a prefix, but this command copies one object.`,
        advice,
      })
      const { code, message, hint, exitCode } = error
      run.onEvent({ type: 'error', code, message, hint, exitCode, time: new Date().toISOString() })
      throw error
    }
    return await lib.copy(source, destination, { ...options, ...run })
  })
}

module.exports = { copyEither }
