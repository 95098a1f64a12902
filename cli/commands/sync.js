'use strict'

const { copyEither } = require('../copying')
const { suchAs } = require('../help-texts')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'copy what is missing or different below a prefix',
  description: 'Copies the objects below SRC that are missing or different below DEST.',
  places: [
    ['<SRC>', suchAs('/prefix')],
    ['<DEST>', suchAs('/prefix')],
  ],
  help: `
Examples:
  xfer sync s3://old@photos/ s3://new@photos/
  xfer sync s3://a/data/ s3://b/data/ --dry-run    what it would do, and why
  xfer sync s3://a/data/ s3://b/data/ --delete
  xfer sync s3://a/data/ s3://b/data/ --checksum
  xfer sync s3://a/data/ s3://b/data/ --exclude '*' --include '*.jpg'
  xfer sync s3://a/data/ s3://b/data/ --failures failed.txt
  xfer sync s3://a/data/ s3://b/data/ --files-from failed.txt

SRC and DEST are {forms}, and the keys are prefixes: a slash is added if there is none, and a bucket or container alone is allowed.

{configured}.

An object is copied if the destination does not have it, or has another size, or
an older one. Nothing is deleted without --delete. Deletions come last, and only
if both sides were listed to the end and everything was copied. Objects that
filters leave out are neither copied nor deleted. Nothing is deleted if the
source is empty, or if there are more deletions than --max-delete allows: the
command, and also a dry run, then ends with status 1.

Exit status: 0 both sides are equal, 1 some objects failed, 2 usage, 3 no such
bucket, 4 access, 5 engine, 124 out of time (--timeout), 130 interrupted.`,
  action: process => (source, destination, flags) =>
    copyEither(process, { source, destination, flags, recursive: 'sync' }),
}
