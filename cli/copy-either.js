'use strict'

const lib = require('../lib')
const table = require('../lib/options')
const { asOptions, givenOf, optionsOf, refuse } = require('./options')
const { runJob } = require('./run')
const { writeOut } = require('./write-out')

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
  if (source === '-') {
    const { fromStandardInput } = require('./read-in')
    return await fromStandardInput(process, { destination, flags, recursive })
  }
  if (destination === '-') {
    return await writeOut(process, { locations: [source], flags, options: () => optionsToWriteOut(flags, recursive) })
  }
  const options = optionsOf(recursive ?? 'copy', flags)
  await runJob(process, flags, async run => {
    if (recursive) return await lib.copyPrefix(source, destination, { filters: [], ...options, recursive, ...run })
    table.checkScope('copy', options)
    return await lib.copy(source, destination, { ...options, ...run })
  })
}

/** @param {any} flags @param {string} [recursive] @returns {Record<string, any>} of the library's `download` */
function optionsToWriteOut(flags, recursive) {
  if (recursive) {
    const text = 'Everything below a prefix cannot be written to standard output as one stream.'
    throw new lib.XferError('USAGE', { text, advice: 'Name the objects, in their order: xfer cat LOCATION...' })
  }
  const known = table.flagsOfCommand('cat').map(({ flag }) => flag)
  // The engine is the only way.
  const given = givenOf('copy', flags).filter(({ spec, value }) => spec.name !== 'route' || value === 'server')
  refuse(
    given.find(({ flag }) => !known.includes(flag)),
    'a copy to standard output',
  )
  return asOptions(given)
}

module.exports = { copyEither }
