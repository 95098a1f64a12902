'use strict'

const { Command, CommanderError } = require('commander')
const { version } = require('../package.json')
const { registerAbort } = require('./commands/abort')
const { registerClean } = require('./commands/clean')
const { registerCopy } = require('./commands/copy')
const { registerDeploy } = require('./commands/deploy')
const { registerDoctor } = require('./commands/doctor')
const { registerResume } = require('./commands/resume')
const { registerSync } = require('./commands/sync')
const { registerVerify } = require('./commands/verify')
const { registerHelp } = require('./commands/help')
const { registerJobs } = require('./commands/jobs')
const { PLATFORMS, paragraph } = require('./platform-help')
const { createReporter } = require('./reporters')
const { reportFailure } = require('./failure')

const EXAMPLES = `
Examples:
  xfer deploy
  xfer doctor s3://src/big s3://dest/big
  xfer copy s3://src/big s3://dest/big
  xfer sync s3://src/photos/ s3://dest/photos/
  xfer resume
  xfer verify s3://src/big s3://dest/big
  xfer copy --help

${paragraph(
  [
    'Stores are configured as for the AWS CLI (~/.aws, AWS_*, or for each side XFER_SOURCE_* and XFER_DEST_*)',
    ...PLATFORMS.map(({ name, configured }) => `${name} ${configured}`),
  ].join(', '),
)}.`

/**
 * Runs one command. It ends with a call of `end`, or of `leave` after the second Ctrl-C.
 *
 * @param {string[]} args behind the program's name
 * @param {Pick<import('./run').Process, 'out' | 'err' | 'end' | 'leave'>} process
 */
function main(args, { out, err, end, leave }) {
  const program = new Command('xfer')
    .description('Copies very large objects between object stores with functions.')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    // failure.js reports errors of the command line, as all others.
    .configureOutput({ writeOut: text => out.write(text), outputError: () => {}, writeErr: () => {} })
    .exitOverride()
  const own = {
    out,
    err,
    end,
    leave,
    /** @param {string[]} lines */
    print: lines => void out.write(lines.map(line => `${line}\n`).join('')),
    /** @param {Error} error */
    complain: ({ stack, cause }) =>
      void err.write(`${stack}\n${cause ? `caused by ${/** @type {any} */ (cause).stack ?? cause}\n` : ''}`),
  }
  registerCopy(program, own)
  registerSync(program, own)
  registerResume(program, own)
  registerVerify(program, own)
  registerJobs(program, own)
  registerAbort(program, own)
  registerClean(program, own)
  registerDeploy(program, own)
  registerDoctor(program, own)
  for (const command of program.commands) {
    command.exitOverride(error => {
      throw Object.assign(error, { command: command.name() })
    })
  }
  registerHelp(program)
  program.parseAsync(args, { from: 'user' }).catch(error => {
    if (error instanceof CommanderError && error.exitCode === 0) return end(0)
    end(reportFailure(error, createReporter(flagsOf(args), { out, err }).onEvent))
  })
}

/** The reporter's flags, for a command line that commander could not parse. @param {string[]} args */
function flagsOf(args) {
  const words = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  return { json: words.includes('--json'), quiet: words.includes('--quiet') }
}

module.exports = { main }
