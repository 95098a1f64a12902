'use strict'

/** Prints the events of a command: as lines, as a block that a terminal redraws, or as JSON. */

const { clearScreenDown, cursorTo, moveCursor } = require('node:readline')
const {
  formatBytes,
  formatCount,
  formatDuration,
  jsonLine,
  plural,
  printable,
  rowsOf,
  styleOf,
  wrapWords,
} = require('../format')
const { isLast, progressBlock, progressLine } = require('./progress-words')
const text = require('./copy-words')

/**
 * @typedef {object} Reporter
 * @property {(event: import('../../lib/types').XferEvent) => void} onEvent
 * @property {(line: string) => void} note prints a line of the program's own on standard error
 *
 * @typedef {object} Words a command's texts: its plan, and its result
 * @property {(event: any, style: Pick<import('../format').Style, 'signs'>) => string[]} planLines
 * @property {(event: any) => string[]} doneLines the last one is for logs
 * @property {(event: any, how: { dryRun?: boolean, verbose?: boolean, plan?: { source?: string, destination?: string } }) => string | undefined} [objectLine] what happens to
 *   one of many objects; undefined: prints nothing
 */

/** Between two lines of progress in a pipe, */
const EVERY_MS = 30_000
/** and if somebody looks: with `--progress`, or on a terminal that cannot redraw. */
const OFTEN_MS = 5_000

/** Options that name a file, whose listeners are loaded if there is one. */
const FILES = /** @type {const} */ (['logFile', 'summary', 'metrics', 'report', 'trace'])

/**
 * Creates the listener for a command's events. With `json` each is a line on standard output, with `quiet` only errors are told. Results go to standard output, progress to standard error.
 *
 * @param {{ json?: boolean, quiet?: boolean, verbose?: boolean, progress?: boolean, logFile?: string, summary?: string, metrics?: string, report?: string, trace?: string }} options progress: false:
 *   none; logFile, summary, metrics, report, trace: files
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream, env?: NodeJS.ProcessEnv }} streams
 * @param {{ words?: Words, startedMs?: number }} [job] words: default: a copy's texts; startedMs: of a command that is a job,
 *   whose last line says how it ended
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
    return createLineReporter({ ...job, out: sink, err: sink, env: {}, verbose: true, everyMs: EVERY_MS })
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
    const onEvent = createLineReporter({ out: err, err, env })
    return { note, onEvent: event => void (['failure', 'error'].includes(event.type) && onEvent(event)) }
  }
  if (progress !== false && styleOf(err, env).live) {
    return createTerminalReporter({ ...streams, ...job, verbose })
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

/** A faster redraw would flicker. */
const REDRAW_EVERY_MS = 200

/**
 * For a terminal: one block that is redrawn in place, and is gone in the end; lines that stay above it.
 *
 * @param {object} how
 * @param {NodeJS.WritableStream} how.out
 * @param {import('node:tty').WriteStream} how.err
 * @param {NodeJS.ProcessEnv} [how.env]
 * @param {() => number} [how.now]
 * @param {import('.').Words} [how.words]
 * @param {number} [how.startedMs]
 * @param {boolean} [how.verbose]
 * @returns {import('.').Reporter}
 */
function createTerminalReporter({ out, err, env, now = Date.now, words, startedMs, verbose }) {
  const printer = createPrinter({ out, err, env, words, verbose, startedMs, now })
  /** @type {string[]} the block that is drawn above the cursor */
  let drawn = []
  let drawnMs = Number.NEGATIVE_INFINITY

  // It changes when the window does. A terminal that does not say it has none.
  const columns = () => err.columns || 80

  function erase() {
    if (drawn.length === 0) return
    // A terminal that became narrower wraps the lines.
    moveCursor(err, 0, -rowsOf(drawn, columns()))
    cursorTo(err, 0)
    clearScreenDown(err)
    drawn = []
  }

  /** @param {import('../../lib/types').XferEvent} event */
  function onEvent(event) {
    const printed = printer.print(event)
    if (printed) {
      erase()
      printed.stream.write(printed.text)
    }
    if (event.type !== 'progress' || (!isLast(event) && now() - drawnMs < REDRAW_EVERY_MS)) return
    drawnMs = now()
    erase()
    drawn = progressBlock(event, { columns: columns(), rows: err.rows || undefined }, printer.style)
    err.write(asText(drawn))
  }

  return {
    onEvent,
    note(line) {
      erase()
      err.write(printer.note(line))
    },
  }
}

/** @typedef {import('../../lib/types').XferEvent} XferEvent */
/** @typedef {import('../format').Style} Style */

/** Events that are results: they go to standard output. */
const RESULTS = ['object', 'equal', 'difference', 'done']

/** The exit status of a mistake in the command. */
const USAGE = 2

/** Failures with one code that are printed one by one; the last lines tell how many there were. */
const MOST_FAILURES = 5

/** By how a line begins. @type {Record<string, 'red' | 'yellow' | 'green'>} */
const COLORS = { 'xfer:': 'red', 'Failed:': 'red', 'Note:': 'yellow', 'Proof:': 'green' }

/** @param {string} line @param {Style} style @returns {string} with its first word in a colour, where that means something */
function paint(line, style) {
  const [start] = /^\w+:/.exec(line) ?? ['']
  return COLORS[start] ? style[COLORS[start]](start) + line.slice(start.length) : line
}

/**
 * @param {object} how
 * @param {NodeJS.WritableStream} how.out where results are printed
 * @param {NodeJS.WritableStream} how.err and all else
 * @param {NodeJS.ProcessEnv} [how.env]
 * @param {import('.').Words} [how.words] default: a copy's texts
 * @param {boolean} [how.verbose]
 * @param {number} [how.startedMs] of a command that is a job: its failure ends with a line for logs
 * @param {() => number} [how.now]
 */
function createPrinter({ out, err, env, words = text, verbose = false, startedMs, now = Date.now }) {
  const streams = { out, err }
  const styles = { out: styleOf(out, env), err: styleOf(err, env) }
  let say = /** @type {import('.').Words} */ (words)
  /** @type {{ dryRun?: boolean, parts?: number, source?: string, destination?: string }} */
  let plan = {}
  /** The last one. @type {import('./progress-words').Progress | undefined} */
  let progress
  /** The failures, by code. @type {Map<string, { objects: number, first: string }>} */
  const failures = new Map()

  /** @param {any} event @returns {string[] | undefined} undefined: it has no line of its own */
  function linesOf(event) {
    const { type } = event
    if (type === 'progress') progress = event
    if (type === 'plan') {
      if ('recursive' in event)
        say = event.recursive === 'verify' ? require('./comparison-words') : require('./prefix-words')
      plan = event
      return say.planLines(event, styles.err)
    }
    if (type === 'equal') return verbose ? [require('./comparison-words').equalLine(event)] : undefined
    if (type === 'difference') return [require('./comparison-words').differenceLine(event)]
    if (type === 'failure') return failureLines(event)
    if (type === 'done') {
      const lines = say.doneLines(event)
      // The last line stays the last, for logs.
      if (event.cost) lines.splice(-1, 0, ...require('./cost-words').costLines(event))
      return lines
    }
    if (type === 'error') return [...failuresLines(), ...text.errorLines(event), ...endLine(event)]
    const line =
      type === 'object'
        ? say.objectLine?.(event, { dryRun: plan.dryRun, verbose, plan })
        : (text.noteLine(event, plan) ?? (verbose ? detailLine(event, plan) : undefined))
    return line === undefined ? undefined : [line]
  }

  /** @param {any} event @returns {string[] | undefined} the first few of each code, the very first with its hint; with --verbose all */
  function failureLines(event) {
    const failed = failures.get(event.code) ?? { objects: 0, first: event.name }
    failures.set(event.code, failed)
    failed.objects++
    if (failed.objects > MOST_FAILURES && !verbose) return undefined
    const line = `Failed: ${text.shownName(event.name)}: ${event.message} (${event.code})`
    return failed.objects > 1 ? [line] : [line, `        ${event.hint}`]
  }

  function failuresLines() {
    return [...failures].map(
      ([code, { objects, first }]) => `${code}: ${formatCount(objects)} (first: ${text.shownName(first)})`,
    )
  }

  /** @param {any} error @returns {string[]} none for a mistake in the command, before anything was done */
  function endLine(error) {
    const elapsedMs = progress?.elapsedMs ?? (startedMs === undefined ? undefined : now() - startedMs)
    const began = progress !== undefined && (progress.bytesDone > 0 || error.objects?.listed > 0)
    if (elapsedMs === undefined || (error.exitCode === USAGE && !began)) return []
    if (error.pairs) return require('./comparison-words').endLines(error, { elapsedMs })
    return [...(error.heldBack ? [error.heldBack.message] : []), text.failedLine(error, { elapsedMs, progress })]
  }

  /** As wide as a terminal but for its last column: some wrap there. @param {'out' | 'err'} to @param {string[]} lines */
  function asWide(to, lines) {
    // They change when the window does, and a terminal that does not tell them has 80.
    const { isTTY, columns } = /** @type {any} */ (streams[to])
    return isTTY ? lines.flatMap(line => wrapWords(line, (columns || 80) - 1)) : lines
  }

  return {
    /** @param {XferEvent} event undefined: it has no line of its own */
    print(event) {
      const lines = linesOf(event)
      if (!lines) return undefined
      const to = RESULTS.includes(event.type) ? 'out' : 'err'
      const text = asText(asWide(to, lines.map(printable)).map(line => paint(line, styles[to])))
      return { stream: streams[to], text }
    },

    /** Of standard error. */
    style: styles.err,

    /** @param {string} line of the program's own, for standard error */
    note: line => asText(asWide('err', [line])),
  }
}

/** @param {string[]} lines */
function asText(lines) {
  return lines.map(line => `${line}\n`).join('')
}

/**
 * The line that `--verbose` adds: each part, and what happened to it.
 *
 * @param {any} event of any type
 * @param {{ parts?: number }} plan
 * @returns {string | undefined} undefined: nothing to say
 */
function detailLine(event, { parts }) {
  const { type, partNumber, message, attempt, bytes, elapsedMs, delayMs } = event
  const of = event.name === undefined ? (parts === undefined ? '' : ` of ${formatCount(parts)}`) : ` of ${event.name}`
  const part = `part ${partNumber}${of}`
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  const wait = delayMs === undefined ? '' : ` Again in ${formatDuration(delayMs)}.`
  switch (type) {
    case 'part':
      return `${part}: ${formatBytes(bytes)} in ${formatDuration(elapsedMs)}${again}`
    case 'retry':
      return `${partNumber === undefined ? `${event.call} (${event.side})` : part}: ${message}${wait}`
    case 'throttle':
      return `throttled: ${message}${wait} ${plural(event.limit, 'invocation')} at once from now on.`
    case 'hedge':
      return `${part}: started a second time after ${formatDuration(elapsedMs)}`
    case 'phase':
      return `${event.phase}${whatOf(event)}${event.name === undefined ? '' : ` of ${event.name}`}`
    default:
      return undefined
  }
}

/** @param {{ parts?: number, bytes?: number, objects?: number }} phase */
function whatOf({ parts, bytes, objects }) {
  if (parts !== undefined) return ` ${plural(parts, 'part')}`
  if (bytes !== undefined) return ` ${formatBytes(bytes)}`
  return objects === undefined ? '' : ` ${plural(objects, 'object')}`
}

module.exports = { createLineReporter, createReporter, createTerminalReporter }
