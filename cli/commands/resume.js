'use strict'

const lib = require('../../lib')
const { runCopy } = require('../run-copy')
const { addRunOptions, runOptionsOf } = require('./run-options')
const { addSideOptions, sidesOf } = require('./side-options')

const EXAMPLES = `
Examples:
  xfer resume                                     the only unfinished job
  xfer resume 20261121T104500Z-4f9k2c             or the beginning of its id; xfer jobs lists them
  xfer resume ./20261121T104500Z-4f9k2c.journal   begun on another machine
  xfer resume 2026 --concurrency 200 --source-profile other

The copy goes on with the options that it was begun with, unless others are given. A part counts when the
destination lists it as the journal has it, or with a checksum; all others are copied again. A source that was
replaced meanwhile ends it with 6, and the hint is the command that copies the new one.

Exit status: as of xfer copy.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerResume(program, process) {
  const command = program
    .command('resume')
    .summary('go on with an unfinished copy')
    .description('Goes on with a copy that was interrupted, killed or failed.')
    .argument('[JOB]', "a job's id, the beginning of it, or the path of its journal")
  addRunOptions(command, { defaults: false })
    .option('--json', 'print one event a line on standard output')
    .option('--quiet', 'print errors alone')
  addSideOptions(command)
    .option('--debug', 'print stack traces')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .action((job, flags) =>
      runCopy(process, flags, run => lib.resume(job, { ...runOptionsOf(flags), ...sidesOf(flags), ...run })),
    )
}

module.exports = { registerResume }
