'use strict'

const lib = require('../../lib')
const { jsonLine, printable } = require('../format')
const { suchAs } = require('../help-texts')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'create a bucket',
  description: 'Creates a bucket or a container.',
  places: [['<LOCATION>', suchAs('', { paths: false })]],
  help: `
Examples:
  xfer mb s3://backup
  xfer mb s3://profile@backup --region eu-west-1

{configured}.

The bucket gets the defaults of its store: it is private, and has no versions.

Exit status: 0 created, 1 failed, 2 usage, 4 access, 7 there is one already,
130 interrupted.`,
  what: 'creation',
  async work({ process, flags, options, signal, onEvent }, location) {
    const made = await lib.makeBucket(location, { ...options, signal, onEvent })
    process.print([flags.json ? jsonLine(made) : printable(`Created ${made.location.replace(/\/$/, '')}.`)])
  },
}
