'use strict'

/** Prints the events of a command: as lines, as a block that a terminal redraws, or as JSON. */

const { clearScreenDown, cursorTo, moveCursor } = require('node:readline')
const { jsonLine, printable, rowsOf, styleOf, wrapWords } = require('../format')
const { isLast, progressBlock, progressLine } = require('./progress-words')
const { createLines, textsOf } = require('./lines')

/**
 * @typedef {object} Reporter
 * @property {(event: import('../../lib/types').XferEvent) => void} onEvent
 * @property {(line: string) => void} note prints a line of the program's own on standard error
 */

/** @typedef {import('../format').Style} Style */

/** Between two lines of progress in a pipe, */
const EVERY_MS = 30_000
/** and if somebody looks: with `--progress`, or on a terminal that cannot redraw. */
const OFTEN_MS = 5_000

/** Options that name a file, whose listeners are loaded if there is one. */
const FILES = /** @type {const} */ (['logFile', 'summary', 'metrics', 'report', 'trace'])

/**
 * Creates the listener for a command's events. With `json` each is a line on standard output, with `quiet` only errors are told, and the sum of a dry run. Results go to standard output, progress to standard error.
 *
 * @param {{ json?: boolean, quiet?: boolean, verbose?: boolean, progress?: boolean, logFile?: string, summary?: string, metrics?: string, name?: string, report?: string, trace?: string }} options progress: false:
 *   none; logFile, summary, metrics, report, trace: files
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream, env?: NodeJS.ProcessEnv }} streams
 * @param {{ silent?: boolean, startedMs?: number }} [job] silent: prints neither plan nor result; startedMs: of a command that is a
 *   job, whose last line says how it ended
 * @returns {Reporter & { fault?: unknown }} fault: one of these files cannot be written
 */
function createReporter(options, streams, job) {
  const shown = createShown(options, streams, job)
  if (FILES.every(option => options[option] === undefined)) return shown
  /** @param {(lines: string[]) => void} take */
  const linesTo = take => {
    const sink = /** @type {any} */ ({
      write: (/** @type {string} */ text) => take(text.replace(/\n$/, '').split('\n')),
    })
    return createTextReporter({ ...job, out: sink, err: sink, env: {}, verbose: true, everyMs: EVERY_MS }).onEvent
  }
  try {
    const files = require('./files').listenersOf(options, linesTo, shown.note)
    return {
      ...shown,
      onEvent(event) {
        shown.onEvent(event)
        for (const tell of files) tell(event)
      },
    }
  } catch (fault) {
    return { ...shown, fault }
  }
}

/**
 * What is printed.
 *
 * @param {Parameters<typeof createReporter>[0]} options
 * @param {Parameters<typeof createReporter>[1]} streams
 * @param {Parameters<typeof createReporter>[2]} job
 * @returns {Reporter}
 */
function createShown({ json, quiet, verbose, progress }, streams, job) {
  const { out, err, env } = streams
  /** @param {string} line */
  const note = line => err.write(`${line}\n`)
  if (json) {
    const isTold = (/** @type {{ type: string }} */ { type }) => type !== 'progress' || progress !== false
    return { note, onEvent: event => void (isTold(event) && out.write(`${jsonLine(event)}\n`)) }
  }
  if (quiet) {
    const { onEvent } = createTextReporter({ out: err, err, env })
    return {
      note,
      onEvent(event) {
        if (['failure', 'error'].includes(event.type)) onEvent(event)
        // What would be done is all that a dry run has to tell.
        if (event.type === 'done' && 'dryRun' in event && event.dryRun) out.write(`${printable(lastLine(event))}\n`)
      },
    }
  }
  const redraws = progress !== false && styleOf(err, env).live
  const everyMs = progress === false ? undefined : progress || err.isTTY ? OFTEN_MS : EVERY_MS
  return createTextReporter({ ...streams, ...job, verbose, everyMs, redraws })
}

/** The line that says it all. @param {any} done */
const lastLine = done => textsOf(done).doneLines(done).at(-1)

/** At these intervals a phase says that it goes on, which does nothing but wait. */
const WAITING_EVERY_MS = 60_000
const WAITS = ['assembling']
/** These are told when they begin, unless they are over at once. */
const TOLD = ['assembling', 'verifying', 'deleting']
const TOLD_AFTER_MS = 1_000

/** A faster redraw would flicker. */
const REDRAW_EVERY_MS = 200

/** Events that are results: they go to standard output. */
const RESULTS = ['object', 'equal', 'difference', 'done', 'detached']

/** By how a line begins. @type {Record<string, 'red' | 'yellow' | 'green'>} */
const COLORS = { 'xfer:': 'red', 'Failed:': 'red', 'Note:': 'yellow', 'Proof:': 'green' }

/** @param {string} line @param {Style} style @returns {string} with its first word in a colour, where that means something */
function paint(line, style) {
  const [start] = /^\w+:/.exec(line) ?? ['']
  return COLORS[start] ? style[COLORS[start]](start) + line.slice(start.length) : line
}

/**
 * Prints lines: results on standard output, all else on standard error. Progress is lines too, for logs and pipes; or one block that a
 * terminal redraws in place below them, and that is gone in the end.
 *
 * @param {object} how
 * @param {NodeJS.WritableStream} how.out
 * @param {import('node:tty').WriteStream} how.err
 * @param {NodeJS.ProcessEnv} [how.env]
 * @param {() => number} [how.now]
 * @param {boolean} [how.silent]
 * @param {number} [how.startedMs] of a command that is a job: its failure ends with a line for logs
 * @param {boolean} [how.verbose]
 * @param {number} [how.everyMs] between two lines of progress; absent: there are none
 * @param {boolean} [how.redraws]
 * @returns {Reporter}
 */
function createTextReporter({ out, err, env, now = Date.now, everyMs, redraws = false, ...how }) {
  const streams = { out, err }
  const styles = { out: styleOf(out, env), err: styleOf(err, env) }
  const linesOf = createLines({ ...how, now, style: styles.err })
  /** @type {string[]} the block that is drawn above the cursor */
  let drawn = []
  let toldMs = redraws ? Number.NEGATIVE_INFINITY : now()
  let toldPhase = ''

  // It changes when the window does. A terminal that does not say it has 80.
  const columnsOf = (/** @type {any} */ stream) => stream.columns || 80

  function erase() {
    if (drawn.length === 0) return
    // A terminal that became narrower wraps the lines.
    moveCursor(err, 0, -rowsOf(drawn, columnsOf(err)))
    cursorTo(err, 0)
    clearScreenDown(err)
    drawn = []
  }

  /** As wide as a terminal but for its last column: some wrap there. @param {'out' | 'err'} to @param {string[]} lines */
  function asWide(to, lines) {
    const stream = /** @type {any} */ (streams[to])
    return stream.isTTY ? lines.flatMap(line => wrapWords(line, columnsOf(stream) - 1)) : lines
  }

  /** @param {any} progress */
  function isDue(progress) {
    const { phase, phaseMs } = progress
    if (redraws) return isLast(progress) || now() - toldMs >= REDRAW_EVERY_MS
    if (everyMs === undefined) return false
    if (phase !== toldPhase && TOLD.includes(phase) && phaseMs >= TOLD_AFTER_MS) return true
    return now() - toldMs >= (WAITS.includes(phase) ? Math.max(everyMs, WAITING_EVERY_MS) : everyMs)
  }

  return {
    onEvent(event) {
      const lines = linesOf(event)
      if (lines) {
        erase()
        const to = RESULTS.includes(event.type) ? 'out' : 'err'
        streams[to].write(asText(asWide(to, lines.map(printable)).map(line => paint(line, styles[to]))))
      }
      if (event.type !== 'progress' || !isDue(event)) return
      toldMs = now()
      toldPhase = event.phase
      erase()
      if (redraws) drawn = progressBlock(event, { columns: columnsOf(err), rows: err.rows || undefined }, styles.err)
      err.write(asText(redraws ? drawn : [progressLine(event)]))
    },
    note(line) {
      erase()
      err.write(asText(redraws ? asWide('err', [line]) : [line]))
    },
  }
}

/** @param {string[]} lines */
function asText(lines) {
  return lines.map(line => `${line}\n`).join('')
}

module.exports = { createReporter, createTextReporter }
