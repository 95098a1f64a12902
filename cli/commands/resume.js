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

A journal from elsewhere, opened by a path outside the folder of jobs, brings places, parts and proofs; it names no
file, no --apihost and no deletions, and what it would have named is printed, to be repeated.

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
    .option('--files-from <file>', 'of a prefix: names, as a journal from elsewhere brings no files')
    .option('--failures <file>', 'likewise, where the names of what failed are written, over what is in the file')
    .option('--delete', 'of a sync: delete what the source has not, as a journal from elsewhere has nothing deleted')
    .option('--max-delete <n|p%>', 'likewise, delete nothing where it would be more')
    .option('--allow-empty-source', 'likewise, delete also where there is nothing below the source')
    .option('--json', 'print one event a line on standard output')
    .option('--quiet', 'print errors alone')
  addSideOptions(command)
    .option('--debug', 'print stack traces')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .action((job, flags) =>
      runCopy(process, flags, run =>
        lib.resume(job, { ...runOptionsOf(flags), ...sidesOf(flags), ...ofPrefix(flags), ...run }),
      ),
    )
}

/** @param {any} flags as commander read them */
function ofPrefix({ filesFrom, failures, delete: deletes, maxDelete, allowEmptySource }) {
  return { filesFrom, failures, delete: deletes, maxDelete, allowEmptySource }
}

module.exports = { registerResume }
