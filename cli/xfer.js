#!/usr/bin/env node
'use strict'

const { Command, CommanderError } = require('commander')
const { version } = require('../package.json')
const { registerCopy } = require('./commands/copy')

const EXAMPLES = `
Examples:
  xfer copy s3://src/big s3://dest/big
  xfer copy --help

Stores are configured as for the AWS CLI (~/.aws, AWS_*, or for each side XFER_SOURCE_* and XFER_DEST_*), OpenWhisk
as for wsk (~/.wskprops, APIHOST and AUTH).`

/** Ends the process once what was printed is out: a pipe may still hold it. @param {number} status */
function end(status) {
  process.exitCode = status
  process.stdout.write('', () => process.stderr.write('', () => process.exit(status)))
}

function main() {
  // Whoever reads our output may stop reading; the copy goes on.
  process.stdout.on('error', error => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error
  })
  const program = new Command('xfer')
    .description('Copies very large objects between object stores with functions.')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'xfer: ')) })
    .showHelpAfterError('      Run xfer --help to see what is possible.')
    .exitOverride()
  registerCopy(program, { end, leave: status => process.exit(status) })
  program.parseAsync().catch(error => {
    if (!(error instanceof CommanderError)) throw error
    end(error.exitCode === 0 ? 0 : 2)
  })
}

main()
