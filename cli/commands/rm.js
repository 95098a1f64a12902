'use strict'

const lib = require('../../lib')
const { printable } = require('../format')
const { suchAs } = require('../help-texts')

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
  places: [['<LOCATION...>', `${suchAs()}; with -r a prefix`]],
  help: `
Examples:
  xfer rm s3://backup/2025/raid.tar
  xfer rm s3://backup/a s3://backup/b                  several
  xfer rm -r s3://backup/2025/                         counts, and asks
  xfer rm -r s3://backup/2025/ --dry-run
  xfer rm -r s3://backup/2025/ --yes --exclude '*' --include '*.tmp'
  xfer rm -r s3://backup --yes --max-delete 1200       a whole bucket
  xfer rm s3://backup/a --version-id 3sL4kqtJlcpXroDTDmJ

LOCATION is {forms}; with -r a prefix: a slash is added if there is none. Everything below it that passes the filters is listed and counted first, and xfer asks before it deletes. Without a terminal --yes is needed. To empty a whole bucket or container, the number of its objects has to be typed, or given as --max-delete. An object that is written after the count under a new name stays.

In a bucket that keeps versions an object gets a delete marker, and its
versions stay; --version-id deletes one version for good. What is printed as
deleted, the store has confirmed. Ctrl-C lets the requests that are under way
come to their end, and starts no more.

Exit status: 0 deleted, 1 some or all could not be deleted, or the answer was
no, 2 usage, 3 no such object, nothing below the prefix or no such bucket,
4 access, 130 interrupted.`,
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
