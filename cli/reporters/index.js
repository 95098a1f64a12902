'use strict'

const { createLineReporter, createQuietReporter } = require('./lines')
const { createTerminalReporter } = require('./terminal')

/**
 * Who listens to the events of a copy. Standard output carries results, standard error progress.
 *
 * @param {{ json?: boolean, quiet?: boolean }} options
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream }} [streams]
 * @returns {(event: import('../../lib/types').XferEvent) => void}
 */
function createReporter({ json, quiet }, streams = { out: process.stdout, err: process.stderr }) {
  if (json) return event => streams.out.write(`${JSON.stringify(event)}\n`)
  if (quiet) return createQuietReporter(streams)
  return streams.err.isTTY ? createTerminalReporter(streams) : createLineReporter(streams)
}

module.exports = { createReporter }
