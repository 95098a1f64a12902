'use strict'

const text = require('./text')

/**
 * @typedef {object} Reporter
 * @property {(event: import('../../lib/types').XferEvent) => void} onEvent
 * @property {(line: string) => void} note prints a line of the program's own on standard error
 *
 * @typedef {object} Words a command's texts: its plan, its progress, and its result
 * @property {(event: any) => string[]} planLines
 * @property {(event: any) => string[]} doneLines
 * @property {(event: any) => string} [progressLine] default: a copy's text
 * @property {(event: any, columns: number) => string[]} [progressBlock] default: a copy's text
 * @property {(event: any) => boolean} [isLast] whether this is the last progress event; default: as for a copy
 * @property {(event: any) => string | undefined} [objectLine] what happens to one of many objects; undefined: prints nothing
 * @property {(event: any) => string} [failureLine]
 */

/**
 * Creates the listener for a command's events. Results go to standard output, progress to standard error.
 *
 * @param {{ json?: boolean, quiet?: boolean }} options
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream }} streams
 * @param {Words} [words] default: a copy's texts
 * @returns {Reporter}
 */
function createReporter({ json, quiet }, streams, words = text) {
  if (!json && !quiet && streams.err.isTTY) return require('./terminal').createTerminalReporter({ ...streams, words })
  /** @param {string} line */
  const note = line => streams.err.write(`${line}\n`)
  if (json) return { onEvent: event => streams.out.write(`${JSON.stringify(event)}\n`), note }
  const { createLineReporter, createQuietReporter } = require('./lines')
  return { onEvent: quiet ? createQuietReporter(streams) : createLineReporter({ ...streams, words }), note }
}

module.exports = { createReporter }
