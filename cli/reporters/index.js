'use strict'

const { createLineReporter, createQuietReporter } = require('./lines')
const { createTerminalReporter } = require('./terminal')
const text = require('./text')

/**
 * @typedef {object} Reporter
 * @property {(event: import('../../lib/types').XferEvent) => void} onEvent
 * @property {(line: string) => void} note prints a line of the program's own on standard error
 *
 * @typedef {object} Words how a command tells what it is about to do, how far it is, and what it has done
 * @property {(event: any) => string[]} planLines
 * @property {(event: any) => string[]} doneLines
 * @property {(event: any) => string} [progressLine] as a copy does when absent, as the next two
 * @property {(event: any, columns: number) => string[]} [progressBlock]
 * @property {(event: any) => boolean} [isLast] of a progress: there will be no other
 * @property {(event: any) => string | undefined} [objectLine] of what is done to one of many; undefined: that is not told
 * @property {(event: any) => string} [failureLine]
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
