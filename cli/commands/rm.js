'use strict'

const lib = require('../../lib')
const { printable } = require('../format')

/** @param {import('../../lib/types').RemovedObject} object @returns {string} as it is usual among such tools */
function lineOf({ location, outcome }) {
  return `${outcome === 'left' ? '(dryrun) ' : ''}delete: ${location}`
}

/** @param {import('../../lib/types').RemovedObject} object */
function failureLine({ location, error }) {
  return `delete failed: ${location} ${error?.message} (${error?.code})`
}

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'delete objects, or everything below a prefix',
  description: 'Deletes objects, or with -r everything below a prefix.',
  places: [['<LOCATION...>', '{a place/key}; with -r a prefix']],
  what: 'deletion',
  async work({ process, flags, options, signal, onEvent, say }, locations) {
    const { confirmer } = require('../confirm')
    const removed = await lib.remove(locations, {
      ...options,
      ...(flags.recursive && !flags.dryRun && { confirm: confirmer(process, flags, locations) }),
      signal,
      onEvent,
      onObject(object) {
        const failed = object.outcome === 'failed'
        if (failed && !flags.json) process.err.write(`${printable(failureLine(object))}\n`)
        else say({ type: 'object', ...object }, flags.quiet ? [] : [lineOf(object)])
      },
    })
    say({ type: 'done', ...removed }, [])
  },
}
