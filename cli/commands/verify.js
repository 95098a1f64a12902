'use strict'

const lib = require('../../lib')
const table = require('../../lib/options')
const { suchAs } = require('../help-texts')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'compare two objects, or everything below two prefixes',
  description:
    'Checks whether two objects, or with -r all objects below two prefixes, have equal contents, by the cheapest proof that there is.',
  places: [
    ['<SRC>', `${suchAs()}; with -r a prefix`],
    ['<DEST>', `${suchAs()}; with -r a prefix`],
  ],
  help: `
Examples:
  xfer verify s3://src/big s3://dest/big
  xfer verify s3://old@photos/raid.tar s3://new@backup/    two profiles
  xfer verify s3://a/x s3://b/x --read                     read both in any case
  xfer verify s3://a/x s3://b/x --json | tail -n 1 | jq -r .method
  xfer verify -r s3://a/photos/ s3://b/photos/             all below a prefix
  xfer verify -r s3://a/photos/ s3://b/photos/ --one-way --exclude '*.tmp'

SRC and DEST are {forms}. {configured}.

Two objects are equal if both stores keep the same checksum of them, the same
MD5 ETag, or the same composite CRC-32 of parts of equal sizes. If that does
not answer, the engine reads the objects that have no checksum, range by range,
and compares. Nothing is written.

With -r everything below SRC is compared with everything below DEST. Each name
that is not equal is printed: missing (only SRC has it), extra (only DEST has
it; not with --one-way) or differs. Sizes and ETags come from the lists. If they
do not decide, the stores are asked for checksums; objects without any are read.

Exit status: 0 equal, 8 not equal, 6 an object changed meanwhile, 3 not found,
with -r 1 if some could not be compared; all others as for xfer copy.`,
  what: 'comparison',
  words: () => require('../reporters/comparison-words'),
  job({ flags, options }, source, destination) {
    if (flags.recursive) return lib.verifyPrefix(source, destination, options)
    table.checkScope('verify', options)
    return lib.verify(source, destination, options)
  },
}
