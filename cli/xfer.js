#!/usr/bin/env node
'use strict'

require('./compile-cache').keepCompiled(process.env)
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

let outputFailed = false

/** Ends the process when all output is written: a pipe may still hold some. @param {number} status */
function end(status) {
  process.exitCode = status
  process.stdout.write('', () =>
    process.stderr.write('', () => process.exit(outputFailed && status === 0 ? 1 : status)),
  )
}

/** @param {number} status */
function leave(status) {
  process.exit(status)
}

/** @param {string[]} lines */
function print(lines) {
  process.stdout.write(lines.map(line => `${line}\n`).join(''))
}

/** @param {Error} error */
function complain({ stack, cause }) {
  process.stderr.write(`${stack}\n${cause ? `caused by ${/** @type {any} */ (cause).stack ?? cause}\n` : ''}`)
}

/**
 * Lets the copy continue if the reader of our output stops reading, or the disk is full. Lost output is reported on
 * standard error, except after EPIPE.
 */
function surviveOutput() {
  process.stdout.on('error', error => {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'EPIPE' || outputFailed) return
    process.stderr.write(
      `xfer: Standard output cannot be written (${code ?? message}).\n      Check where it is redirected to.\n`,
    )
    outputFailed = true
    process.exitCode ||= 1
  })
  process.stderr.on('error', () => {})
}

function main() {
  surviveOutput()
  const program = new Command('xfer')
    .description('Copies very large objects between object stores with functions.')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    // failure.js reports errors of the command line, as all others.
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .exitOverride()
  const own = { end, leave, print, complain }
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
  program.parseAsync().catch(error => {
    if (error instanceof CommanderError && error.exitCode === 0) return end(0)
    end(reportFailure(error, createReporter(flagsOf(process.argv.slice(2))).onEvent))
  })
}

/** The reporter's flags, for a command line that commander could not parse. @param {string[]} args */
function flagsOf(args) {
  const words = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  return { json: words.includes('--json'), quiet: words.includes('--quiet') }
}

main()
