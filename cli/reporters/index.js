'use strict'

const { createLineReporter, createQuietReporter } = require('./lines')
const { createTerminalReporter } = require('./terminal')
const text = require('./text')

/**
 * @typedef {object} Reporter
 * @property {(event: import('../../lib/types').XferEvent) => void} onEvent
 * @property {(line: string) => void} note prints a line of the program's own on standard error
 *
 * @typedef {{ planLines: (event: any) => string[], doneLines: (event: any) => string[] }} Words how a command tells what it is about to do,
 *   and what it has done
 */

/**
 * Who listens to the events of a copy. Standard output carries results, standard error progress.
 *
 * @param {{ json?: boolean, quiet?: boolean }} options
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream }} [streams]
 * @param {Words} [words] those of a copy when absent
 * @returns {Reporter}
 */
function createReporter({ json, quiet }, streams = { out: process.stdout, err: process.stderr }, words = text) {
  if (!json && !quiet && streams.err.isTTY) return createTerminalReporter({ ...streams, words })
  /** @param {string} line */
  const note = line => streams.err.write(`${line}\n`)
  if (json) return { onEvent: event => streams.out.write(`${JSON.stringify(event)}\n`), note }
  return { onEvent: quiet ? createQuietReporter(streams) : createLineReporter({ ...streams, words }), note }
}

module.exports = { createReporter }
