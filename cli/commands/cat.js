'use strict'

const { optionsOf } = require('../options')
const { suchAs } = require('../help-texts')
const { writeOut } = require('../copying')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'write objects to standard output',
  description:
    'Writes the bytes of objects to standard output, one object after the other. They pass through this machine.',
  places: [['<LOCATION...>', suchAs()]],
  help: `
Examples:
  xfer cat s3://logs/2026-11-22.gz | zcat | grep ERROR
  xfer cat s3://data/part-1 s3://data/part-2 > all
  xfer cat s3://old@photos/raid.tar | tar -x
  xfer cat s3://data/big.bin --range 0-511 | xxd

LOCATION is {forms}. {configured}.

Only bytes go to standard output. Several ranges are read ahead; each is written
when it is whole and of the object that was found at the beginning. The last one
is written when all that was read gives the checksum that the store keeps. Check
the exit status: what was written before an error is not taken back. A reader
that stops early, such as head, is no error.

Exit status: 0 all bytes written, 3 not found, 6 the object changed meanwhile,
8 the bytes are not what the store keeps; all others as for xfer copy.`,
  action: process => (locations, flags) => {
    const { verbose = false, progress = verbose } = flags
    return writeOut(process, {
      locations,
      flags: { ...flags, progress },
      options: () => optionsOf('cat', flags),
      silent: !verbose,
    })
  },
}
