'use strict'

const lib = require('../../lib')
const { printable } = require('../format')
const { optionsOf } = require('../options')
const { FORMS, paragraph, suchAs } = require('../help-texts')
const { runCommand } = require('../run')

const EXAMPLES = `
Examples:
  xfer rm s3://backup/2025/raid.tar
  xfer rm s3://backup/a s3://backup/b                  several
  xfer rm -r s3://backup/2025/                         counts, and asks
  xfer rm -r s3://backup/2025/ --dry-run
  xfer rm -r s3://backup/2025/ --yes --exclude '*' --include '*.tmp'
  xfer rm -r s3://backup --yes --max-delete 1200       a whole bucket
  xfer rm s3://backup/a --version-id 3sL4kqtJlcpXroDTDmJ

${paragraph(
  `LOCATION is ${FORMS}; with -r a prefix: a slash is added if there is none. Everything below it that passes the filters is listed and counted first, and xfer asks before it deletes. Without a terminal --yes is needed. To empty a whole bucket or container, the number of its objects has to be typed, or given as --max-delete. An object that is written after the count under a new name stays.`,
)}

In a bucket that keeps versions an object gets a delete marker, and its
versions stay; --version-id deletes one version for good. What is printed as
deleted, the store has confirmed. Ctrl-C lets the requests that are under way
come to their end, and starts no more.

Exit status: 0 deleted, 1 some or all could not be deleted, or the answer was
no, 2 usage, 3 no such object, nothing below the prefix or no such bucket,
4 access, 130 interrupted.`

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
  help: EXAMPLES,
  action: process => (locations, flags) =>
    runCommand(process, flags, { what: 'deletion' }, async (signal, onEvent) => {
      const { confirmer } = require('../confirm')
      const removed = await lib.remove(locations, {
        ...optionsOf('rm', flags),
        ...(flags.recursive && !flags.dryRun && { confirm: confirmer(process, flags, locations) }),
        signal,
        onEvent,
        onObject(object) {
          if (flags.json) process.tell({ type: 'object', ...object })
          else if (object.outcome === 'failed') process.err.write(`${printable(failureLine(object))}\n`)
          else if (!flags.quiet) process.print([printable(lineOf(object))])
        },
      })
      if (flags.json) process.tell({ type: 'done', ...removed })
      return 0
    }),
}
