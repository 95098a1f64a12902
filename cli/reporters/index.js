'use strict'

const { jsonLine } = require('../format')
const { styleOf } = require('../style')

/**
 * @typedef {object} Reporter
 * @property {(event: import('../../lib/types').XferEvent) => void} onEvent
 * @property {(line: string) => void} note prints a line of the program's own on standard error
 *
 * @typedef {object} Words a command's texts: its plan, and its result
 * @property {(event: any, style: Pick<import('../style').Style, 'signs'>) => string[]} planLines
 * @property {(event: any) => string[]} doneLines the last one is for logs
 * @property {(event: any, how: { dryRun?: boolean, verbose?: boolean, plan?: { source?: string, destination?: string } }) => string | undefined} [objectLine] what happens to
 *   one of many objects; undefined: prints nothing
 */

/** Between two lines of progress in a pipe, */
const EVERY_MS = 30_000
/** and if somebody looks: with `--progress`, or on a terminal that cannot redraw. */
const OFTEN_MS = 5_000

/**
 * Creates the listener for a command's events. With `json` each is a line on standard output, with `quiet` only errors are told. Results go to standard output, progress to standard error.
 *
 * @param {{ json?: boolean, quiet?: boolean, verbose?: boolean, progress?: boolean }} options progress: false: none
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream, env?: NodeJS.ProcessEnv }} streams
 * @param {{ words?: Words, startedMs?: number }} [job] words: default: a copy's texts; startedMs: of a command that is a job,
 *   whose last line says how it ended
 * @returns {Reporter}
 */
function createReporter({ json, quiet, verbose, progress }, streams, job) {
  const { out, err, env } = streams
  /** @param {string} line */
  const note = line => err.write(`${line}\n`)
  if (json) {
    const isTold = (/** @type {{ type: string }} */ { type }) => type !== 'progress' || progress !== false
    return { note, onEvent: event => void (isTold(event) && out.write(`${jsonLine(event)}\n`)) }
  }
  const { createLineReporter } = require('./lines')
  if (quiet) {
    const onEvent = createLineReporter({ out: err, err, env })
    return { note, onEvent: event => void (['failure', 'error'].includes(event.type) && onEvent(event)) }
  }
  if (progress !== false && styleOf(err, env).live) {
    return require('./terminal').createTerminalReporter({ ...streams, ...job, verbose })
  }
  const everyMs = progress === false ? undefined : progress || err.isTTY ? OFTEN_MS : EVERY_MS
  return { onEvent: createLineReporter({ ...streams, ...job, verbose, everyMs }), note }
}

module.exports = { createReporter }
