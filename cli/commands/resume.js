'use strict'

const lib = require('../../lib')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'continue an unfinished copy',
  description: 'Continues a copy that was interrupted or killed, or that failed.',
  places: [['[JOB]', 'id of a job, the first letters of it, or the path of its journal']],
  help: `
Examples:
  xfer resume                                      the only unfinished job
  xfer resume 20261121T104500Z-4f9k2c
  xfer resume 20261121                             the first letters of its id
  xfer resume ./20261121T104500Z-4f9k2c.journal    a journal of another machine
  xfer resume 2026 --concurrency 200 --source-profile other

The copy continues with the options that it began with, unless others are given.
A part counts as copied if the destination lists it as the journal describes it,
or with a checksum; all other parts are copied again. If the source was
replaced, the command ends with status 6, and its hint is the command that
copies the new object.

A journal of another machine, opened by a path, brings locations, parts and
proofs. It brings no files, no --apihost and no deletions: xfer prints what is
left out, so that you can give it again. A job to or from a file is refused.

Exit status: as for xfer copy.`,
  job: ({ options }, job) => lib.resume(job, options),
}
