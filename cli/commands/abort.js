'use strict'

const lib = require('../../lib')
const { formatBytes, plural, printable } = require('../format')
const { runCommand } = require('../run')
const { addDestOptions, sidesOf } = require('./side-options')

const EXAMPLES = `
Examples:
  xfer abort 20261121T104500Z-4f9k2c
  xfer abort 20261121                             the beginning of an id will do, where it is of one job
  xfer abort ./20261121T104500Z-4f9k2c.journal    a journal from another machine

Aborts what the job had uploaded until no part of it is left, and then deletes its journal. The options say what of
the destination is another one now than when the copy was begun.

Exit status: 0 aborted, 1 failed, or a process is at work on the job, 2 usage, 3 no such job, or no such bucket,
4 access, 130 interrupted.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerAbort(program, process) {
  const command = program
    .command('abort')
    .summary('give an unfinished copy up, and remove what it uploaded')
    .description('Gives an unfinished copy up: what it had uploaded is removed, and its journal too.')
    .argument('<JOB>', "a job's id, the beginning of it, or the path of its journal")
  addDestOptions(command)
    .option('--json', 'print one line of JSON on standard output')
    .option('--debug', 'print stack traces')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .action((job, flags) =>
      runCommand(process, flags, { what: 'abort' }, async signal => {
        const { destination } = sidesOf(flags)
        const aborted = await lib.abortJob(job, { destination, signal })
        const time = new Date().toISOString()
        process.print(
          flags.json ? [JSON.stringify({ type: 'done', ...aborted, time })] : linesOf(aborted).map(printable),
        )
        return 0
      }),
    )
}

/** @param {import('../../lib/types').AbortedJob} aborted */
function linesOf({ job, destination, uploads, bytes, parts, maybeCompleted }) {
  const removed = uploads.some(({ outcome }) => outcome === 'aborted')
  const left = uploads.filter(({ outcome }) => outcome === 'left')
  const upload = removed
    ? `Aborted the upload of ${destination}, with ${plural(parts, 'part')} of ${formatBytes(bytes)} in all.`
    : uploads.length > left.length
      ? `The upload of ${destination} was gone already.`
      : `Nothing had been uploaded to ${destination}.`
  return [
    upload,
    ...(maybeCompleted ? ['It was being completed when the copy ended: the object may be there.'] : []),
    ...left.map(
      ({ uploadId }) => `The upload ${uploadId} without a part may be the job's or somebody else's: it is left.`,
    ),
    `Removed the job ${job}.`,
  ]
}

module.exports = { registerAbort }
