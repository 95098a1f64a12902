'use strict'

const { jsonLine } = require('../format')
const { styleOf } = require('../style')
const { createPrinter } = require('./printer')
const { progressLine } = require('./progress-words')

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

/** At these intervals a phase says that it goes on, which does nothing but wait. */
const WAITING_EVERY_MS = 60_000
const WAITS = ['assembling']
/** These are told when they begin, unless they are over at once. */
const TOLD = ['assembling', 'verifying', 'deleting']
const TOLD_AFTER_MS = 1_000

/**
 * For logs and pipes: progress in lines, results on standard output. Nothing moves the cursor.
 *
 * @param {object} how
 * @param {NodeJS.WritableStream} how.out
 * @param {NodeJS.WritableStream} how.err
 * @param {NodeJS.ProcessEnv} [how.env]
 * @param {() => number} [how.now]
 * @param {Words} [how.words]
 * @param {number} [how.startedMs]
 * @param {boolean} [how.verbose]
 * @param {number} [how.everyMs] between two lines of progress; absent: there are none
 * @returns {(event: import('../../lib/types').XferEvent) => void}
 */
function createLineReporter({ out, err, env, now = Date.now, words, startedMs, verbose, everyMs }) {
  const { print } = createPrinter({ out, err, env, words, verbose, startedMs, now })
  let toldMs = now()
  let toldPhase = ''

  /** @param {any} progress */
  function isDue({ phase, phaseMs }) {
    if (everyMs === undefined) return false
    if (phase !== toldPhase && TOLD.includes(phase) && phaseMs >= TOLD_AFTER_MS) return true
    return now() - toldMs >= (WAITS.includes(phase) ? Math.max(everyMs, WAITING_EVERY_MS) : everyMs)
  }

  return event => {
    const printed = print(event)
    printed?.stream.write(printed.text)
    if (event.type !== 'progress' || !isDue(event)) return
    toldMs = now()
    toldPhase = event.phase
    err.write(`${progressLine(event)}\n`)
  }
}

module.exports = { createLineReporter, createReporter }
