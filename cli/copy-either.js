'use strict'

const lib = require('../lib')
const { selectOptionIn, selectOptionsOf } = require('./commands/select-options')
const { runCopy } = require('./run-copy')

/**
 * Copies an object, or all that lies below a prefix.
 *
 * @param {import('./run').Process} process
 * @param {object} what
 * @param {string} what.source
 * @param {string} what.destination
 * @param {any} what.flags as commander read them
 * @param {import('../lib/types').CopyOptions} what.options of either
 * @param {'copy' | 'sync'} [what.recursive]
 */
async function copyEither(process, { source, destination, flags, options, recursive }) {
  if (recursive) {
    const chosen = {
      ...selectOptionsOf(flags),
      sizeOnly: flags.sizeOnly,
      checksum: flags.checksum,
      delete: flags.delete,
      maxDelete: flags.maxDelete,
    }
    return await runCopy(process, flags, run =>
      lib.copyPrefix(source, destination, { ...options, ...chosen, recursive, ...run }),
    )
  }
  return await runCopy(process, flags, async run => {
    const other = selectOptionIn(flags)
    if (other) {
      const advice = `Give -r as well, to copy all that lies below the source, or leave ${other} out.`
      const error = new lib.XferError('USAGE', {
        text: `${other} is of a prefix, and this is the copy of one object.`,
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
