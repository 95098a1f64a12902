'use strict'

const lib = require('../../lib')
const { runCopy } = require('../run-copy')
const { optionsOf } = require('../options')
const { CONFIGURED, FORMS, suchAs } = require('../place-help')
const { paragraph } = require('../platform-help')

const EXAMPLES = `
Examples:
  xfer verify s3://src/big s3://dest/big
  xfer verify s3://old@photos/raid.tar s3://new@backup/    two profiles
  xfer verify s3://a/x s3://b/x --read                     read both in any case
  xfer verify s3://a/x s3://b/x --json | tail -n 1 | jq -r .method

${paragraph(`SRC and DEST are ${FORMS}. ${CONFIGURED}.`)}

Two objects are equal if both stores keep the same checksum of them, the same
MD5 ETag, or the same composite CRC-32 of parts of equal sizes. If that does
not answer, the engine reads the objects that have no checksum, range by range,
and compares. Nothing is written.

Exit status: 0 equal, 8 not equal, 6 an object changed meanwhile, 3 not found;
all others as for xfer copy.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerVerify(program, process) {
  program
    .command('verify')
    .summary('compare two objects')
    .description('Checks whether two objects have equal contents, by the cheapest proof that there is.')
    .argument('<SRC>', suchAs())
    .argument('<DEST>', suchAs())
    .addHelpText('after', EXAMPLES)
    .action((source, destination, flags) => {
      const words = require('../reporters/verify-words')
      const reason = new lib.XferError('INTERRUPTED', { what: 'comparison' })
      const options = optionsOf('verify', flags)
      return runCopy(process, flags, run => lib.verify(source, destination, { ...options, ...run }), { words, reason })
    })
}

module.exports = { registerVerify }
