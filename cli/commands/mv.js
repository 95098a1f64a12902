'use strict'

const lib = require('../../lib')
const { suchAs } = require('../help-texts')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'move an object, or everything below a prefix',
  description:
    'Copies an object, or with -r everything below a prefix, and deletes each source once its copy is proved.',
  places: [
    ['<SRC>', `${suchAs()}; with -r a prefix`],
    ['<DEST>', `${suchAs()}; with -r a prefix`],
  ],
  help: `
Examples:
  xfer mv s3://photos/raid.tar s3://backup/2026/
  xfer mv s3://old@photos/raid.tar az://account/container/
  xfer mv -r s3://photos/2025/ s3://backup/2025/
  xfer mv -r s3://photos/ s3://backup/ --exclude '*' --include '*.jpg'
  xfer mv -r s3://photos/2025/ s3://backup/2025/ --dry-run

SRC and DEST are {forms}, and are read as by xfer copy. Each source is deleted as soon as its own copy is proved, and only if it is still what was copied, and the copy is still there: both are looked at directly before. Without such a proof the source stays, so --verify size and none are refused.

In a bucket that keeps versions the source gets a delete marker, and its
versions stay; with --version-id that version is deleted for good. An object
that the destination has already, and of which both stores prove that it is the
same, is not copied again. A move that was killed is continued by the same
command, or by xfer resume: each object is then at the source, at the
destination, or at both.

{configured}.

Exit status: as for xfer copy; 6 if the source was written anew after it was
copied, and stays.`,
  job: ({ options }, source, destination) => lib.move(source, destination, options),
}
