'use strict'

const lib = require('../../lib')
const words = require('../reporters/verify-words')
const { runCopy } = require('../run-copy')
const { addRunOptions, runOptionsOf } = require('./run-options')
const { addSideOptions, sidesOf } = require('./side-options')

const EXAMPLES = `
Examples:
  xfer verify s3://src/big s3://dest/big
  xfer verify s3://old@photos/raid.tar s3://new@backup/        two profiles; the same name
  xfer verify s3://a/x s3://b/x --read                         whatever the stores say
  xfer verify s3://a/x s3://b/x --json | tail -n 1 | jq -r .method

Two objects are equal where both stores keep the same CRC-32 of them, or the same MD5 ETag, or the same composite
CRC-32 of parts of equal sizes. Where that says nothing, what has no CRC-32 is read, range by range, by the
engine, and compared. Nothing is written anywhere.

Exit status: 0 equal, 8 not equal, 6 an object changed meanwhile, 3 not found; else as of xfer copy.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerVerify(program, process) {
  const command = program
    .command('verify')
    .summary('compare two objects')
    .description('Finds out whether two objects have equal contents, by the cheapest thing that proves it.')
    .argument('<SRC>', 's3://bucket/key')
    .argument('<DEST>', 's3://bucket/key')
    .option('--read', 'read both objects, whatever their stores keep of them')
    .option('--chunk <size>', 'size of a range, in MiB or with a unit', '100')
  addRunOptions(command, { defaults: true, without: ['--on-failure', '--timeout', '--route'] })
    .option('--exact-key', "take DEST's key as it is written")
    .option('--json', 'print one event a line on standard output')
    .option('--quiet', 'print errors alone')
  addSideOptions(command)
    .option('--version-id <id>', 'that version of the source, not its newest')
    .option('--debug', 'print stack traces')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .action((source, destination, flags) => {
      const reason = new lib.XferError('INTERRUPTED', { what: 'comparison' })
      return runCopy(process, flags, run => lib.verify(source, destination, { ...toOptions(flags), ...run }), {
        words,
        reason,
      })
    })
}

/** @param {any} flags @returns {import('../../lib/types').VerifyOptions} */
function toOptions(flags) {
  const { read, chunk, exactKey } = flags
  const { onEvent, ...run } = runOptionsOf(flags)
  return { read, chunk, exactKey, ...run, ...sidesOf(flags) }
}

module.exports = { registerVerify }
