'use strict'

/** Runs a command, with a small heap; how Ctrl-C ends it; and the type of what every command may do with the process. */

const v8 = require('node:v8')
const vm = require('node:vm')
const { CommanderError } = require('commander')
const lib = require('../lib')
const { printable } = require('./format')
const { optionsOf } = require('./options')

/**
 * What a command may do with the process.
 *
 * @typedef {object} Process
 * @property {() => NodeJS.ReadStream} input standard input
 * @property {NodeJS.WritableStream} out standard output
 * @property {import('node:tty').WriteStream} err standard error
 * @property {NodeJS.ProcessEnv} env
 * @property {(status: number) => void} end ends it when everything is printed
 * @property {(status: number, how?: { hangs?: boolean }) => void} leave ends it at once; hangs: whatever its threads are at
 * @property {(lines: string[]) => void} print on standard output
 * @property {(event: object) => void} tell prints an event, with its time, as a line of JSON on standard output
 * @property {(error: import('./hints').Failed) => string} hintFor the hint of an error, in the words of the command line
 * @property {(text: string) => string} discreet removes the secrets that were typed on the command line
 * @property {(error: Error) => void} complain prints the error's stack on standard error
 */

/**
 * A command. Its options come from the table, and its texts from help/. It has one of `work`, `job` and `action`.
 *
 * @typedef {object} Definition
 * @property {string} [what] the name of the work, for the message after Ctrl-C; default: copy
 * @property {(call: LibraryCall, ...places: any[]) => Promise<number | void>} [work] asks or changes something, and prints what came of it;
 *   resolves to the exit status, if that is not 0
 * @property {(call: Pick<LibraryCall, 'flags' | 'options'>, ...places: any[]) => Promise<unknown>} [job] tells all by events; its options have the
 *   signal and the listener
 * @property {(process: Process, ...args: any[]) => void | Promise<void>} [action] does all by itself; takes the arguments, the flags
 *   and commander's command
 *
 * @typedef {object} LibraryCall
 * @property {Process} process
 * @property {any} flags as commander read them
 * @property {Record<string, any>} options of the library: those that were given
 * @property {AbortSignal} signal
 * @property {(event: any) => void} onEvent prints what is told meanwhile
 * @property {(event: any) => void} show on the page of --live alone
 * @property {(event: object, lines: string[]) => void} say prints a result: with --json the event, else the lines
 */

/** @param {string} name @param {Definition} command @param {Process} process @param {any[]} args as commander gives them */
function run(name, { what, work, job, action }, process, args) {
  if (action) return action(process, ...args)
  const [places, flags] = [args.slice(0, -2), args.at(-2)]
  const options = optionsOf(/** @type {any} */ (name), flags)
  if (job) return runJob(process, flags, own => job({ flags, options: { ...options, ...own } }, ...places), { what })
  /** @param {object} event @param {string[]} lines */
  const say = (event, lines) => (flags.json ? process.tell(event) : process.print(lines.map(printable)))
  return runCommand(process, flags, own => work?.({ process, flags, options, ...own, say }, ...places), { what })
}

/**
 * Runs a command: handles Ctrl-C, and reports a failure.
 *
 * @param {Process} process
 * @param {{ json?: boolean, debug?: boolean, quiet?: boolean, verbose?: boolean, progress?: boolean, live?: string }} flags
 * @param {(run: { signal: AbortSignal, onEvent: (event: any) => void, show: (event: any) => void }) => Promise<number | void> | undefined} work resolves
 *   to the exit status, if that is not 0; onEvent: prints what is told meanwhile; show: on the page of --live alone
 * @param {object} [how]
 * @param {string} [how.what] the name of the work, for the message after Ctrl-C
 * @param {Parameters<typeof import('./reporters').createReporter>[2]} [how.job] whose last event says how it ended
 */
async function runCommand(process, flags, work, { what = 'copy', job } = {}) {
  const { out, err, env, end, leave } = process
  // The help loads this file too, and does not need it.
  const { createReporter } = require('./reporters')
  const { onEvent: print, note, fault } = createReporter(flags, { out, err, env }, job)
  const debug = flags.debug
    ? require('./debug').createDebug(line => void err.write(`${process.discreet(line)}\n`))
    : undefined
  let report = print
  /** The page of `--live`. @type {Awaited<ReturnType<typeof import('./report/live').openLive>> | undefined} */
  let live
  /** The error's event, until there is perhaps a better hint for it; and the plan of a copy. @type {{ error?: any, plan?: any }} */
  const told = {}
  /** Of a job the heap is limited at the first event, when all modules are loaded; at the first progress, which short ones do not have, garbage is collected. */
  let begun = job === undefined
  let tidied = begun
  const onEvent = (/** @type {any} */ event) => {
    debug?.onEvent(event)
    if (event.type === 'plan' && what === 'copy') told.plan = event
    if (event.type === 'error') told.error = event
    else report(event)
    if (!begun) staySmall(event)
    begun = true
    if (tidied || event.type !== 'progress') return
    collectGarbage()
    tidied = true
  }
  const reason = new lib.XferError('INTERRUPTED', { what })
  const interrupt = watchInterrupts({ leave, note, reason, planned: () => told.plan })
  let status = 0
  try {
    if (fault) throw fault
    if (flags.live !== undefined) {
      live = await openLive(flags, note, interrupt.interrupt, what === 'watching')
      const { onEvent: show } = live
      report = event => {
        print(event)
        show(event)
      }
    }
    const show = (/** @type {any} */ event) => live?.onEvent(event)
    status = (await work({ signal: interrupt.signal, onEvent, show })) ?? 0
  } catch (error) {
    status = reportFailure(error, report, process, told.error)
    if (flags.debug) process.complain(/** @type {Error} */ (error))
  }
  await live?.close()
  debug?.stop()
  end(status)
  interrupt.stop()
}

/** @param {object} flags @param {(line: string) => void} note @param {() => void} interrupt @param {boolean} watches a job of another process */
async function openLive(flags, note, interrupt, watches) {
  const port = require('../lib/options').readerOf('copy', flags)('live') ?? 0
  const live = await require('./report/live').openLive(port, interrupt, { watches })
  note(`Live: ${live.url}`)
  return live
}

/**
 * Runs a command that reports by events.
 *
 * @param {Process} process
 * @param {Parameters<typeof runCommand>[1]} flags
 * @param {(run: { signal: AbortSignal, onEvent: (event: any) => void }) => Promise<unknown>} work
 * @param {{ what?: string, silent?: boolean }} [own] what: of a command that is no copy; silent: prints neither plan nor result
 */
async function runJob(process, flags, work, { what, silent } = {}) {
  const begin = async (/** @type {Parameters<typeof work>[0]} */ { signal, onEvent }) =>
    void (await work({ signal, onEvent }))
  await runCommand(process, flags, begin, { what, job: { silent, startedMs: Date.now() } })
}

const V8_OF_NODE_20 = 11

/**
 * Collects garbage once. When a copy is under way, half of the heap is garbage from loading modules, and a copy allocates
 * too little for V8 to collect it. One collection takes some 20 ms and frees several megabytes.
 */
function collectGarbage() {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  v8.setFlagsFromString('--no-expose-gc')
  collect()
}

/**
 * Keeps the heap small. With a thousand calls in flight most of the heap is garbage that V8 does not collect before the heap
 * has grown by more than half. Collecting a little earlier costs almost no time. The space for new objects would grow to
 * 48 MB and stay so; a copy makes short-lived objects, so it is kept small too. Not for a prefix that functions copy: with
 * thousands of objects under way a third of the time would go into collecting. Not before the modules are loaded, because what
 * loading makes stays. See docs/design/wire.md, "Memory".
 *
 * @param {{ recursive?: unknown, runsOn?: string }} event the first one
 */
function staySmall({ recursive, runsOn }) {
  const many = recursive !== undefined
  v8.setFlagsFromString('--heap-growing-percent=50')
  if (!many || runsOn !== 'platform') v8.setFlagsFromString('--semi-space-growth-factor=1')
  if (many) optimizeLater()
}

/**
 * Lets V8 optimize functions eight times later than by default. A prefix of a few thousand objects is copied before its
 * optimized code has repaid what it cost to make; what 100,000 objects keep busy is still optimized. It holds for all threads.
 * Newer V8 has a cheaper compiler in between, and may not know the option. See docs/design/prefixes.md, "What a small prefix
 * costs".
 */
function optimizeLater() {
  if (Number.parseInt(process.versions.v8, 10) === V8_OF_NODE_20) v8.setFlagsFromString('--interrupt-budget=1000000')
}

/** @typedef {{ runsOn?: string, job?: string, dryRun?: boolean, growing?: true }} RunPlan the event of a copy, as far as it matters here */

/**
 * After the first Ctrl-C: what is under way has 5 s (DRAIN_MS of lib/async/cancellation.js), and as long again to end by
 * itself. What hangs then, as a read of a file system that does not answer, may hang for ever.
 */
const LAST_MS = 10_000

/**
 * The first Ctrl-C (or SIGTERM, or SIGHUP: the terminal is gone) cancels the work; the second ends the process at once. LAST_MS after the first it ends in
 * any case.
 *
 * @param {object} how
 * @param {Process['leave']} how.leave
 * @param {(line: string) => void} how.note
 * @param {unknown} [how.reason] the abort reason of the signal; AbortController's own when absent
 * @param {() => RunPlan | undefined} [how.planned] the plan of a copy, once there is one
 * @returns {{ signal: AbortSignal, interrupt: () => void, stop: () => void }} interrupt: as the first Ctrl-C; stop: removes the listeners and
 *   the timer
 */
function watchInterrupts({ leave, note, reason, planned }) {
  const controller = new AbortController()
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const stop = () => {
    clearTimeout(timer)
    listenNoLonger()
  }
  const beforeLeaving = () => {
    for (const line of leavingLines(planned?.())) note(line)
    // A further signal ends the process without asking it.
    stop()
  }
  const onSignal = () => {
    if (controller.signal.aborted) {
      beforeLeaving()
      return leave(130)
    }
    timer = setTimeout(() => {
      beforeLeaving()
      leave(130, { hangs: true })
    }, LAST_MS)
    controller.abort(reason)
    note(stoppingLine(planned?.()))
  }
  const listenNoLonger = listenTo(onSignal)
  const interrupt = () => void (controller.signal.aborted || onSignal())
  return { signal: controller.signal, interrupt, stop }
}

/**
 * How soon after a signal the same one is that signal again: GNU `timeout` sends it to the process and to its group, and so do
 * terminals and shells that close. A person takes longer to press Ctrl-C again.
 */
const REPEATED_MS = { SIGINT: 50, SIGTERM: 1000, SIGHUP: 1000 }

/** @typedef {keyof typeof REPEATED_MS} Signal */

const SIGNALS = /** @type {Signal[]} */ (Object.keys(REPEATED_MS))

/**
 * Listens to signals, which do not end the process by themselves then.
 *
 * @param {() => void} heard called for each, but not for one that arrives twice
 * @param {Signal[]} [names]
 * @param {() => number} [now] milliseconds
 * @returns {() => void} listens no longer
 */
function listenTo(heard, names = SIGNALS, now = () => performance.now()) {
  /** @type {Partial<Record<Signal, number>>} */
  const lastMs = {}
  const onSignal = (/** @type {Signal} */ name) => {
    const nowMs = now()
    if (nowMs - (lastMs[name] ?? Number.NEGATIVE_INFINITY) < REPEATED_MS[name]) return
    lastMs[name] = nowMs
    heard()
  }
  for (const name of names) process.on(name, onSignal)
  return () => {
    for (const name of names) process.off(name, onSignal)
  }
}

/** @param {RunPlan} [plan] */
function stoppingLine(plan) {
  // A copy waits so long: DRAIN_MS of lib/async/cancellation.js. Of a stream nothing is kept.
  if (plan && !plan.dryRun && !plan.growing) {
    return 'xfer: stopping; waiting up to 5 s for what is under way. Press Ctrl-C again to exit at once.'
  }
  return 'xfer: stopping; press Ctrl-C again to exit at once.'
}

/** What goes on without this process. @type {Record<string, string>} */
const GOES_ON = {
  platform: '; functions that are under way may still finish their parts',
  store: '; the store may still finish what it copies',
}

/** @param {RunPlan} [plan] */
function leavingLines({ runsOn = 'machine', job, dryRun } = {}) {
  return [
    `xfer: exiting at once${dryRun ? '' : (GOES_ON[runsOn] ?? '')}.`,
    ...(job === undefined ? [] : [`      What was copied is kept; go on with: xfer resume ${job}`]),
  ]
}

/** @typedef {Extract<import('../lib/types').XferEvent, { type: 'error' }>} ErrorEvent */

/**
 * @param {unknown} failure
 * @param {(event: ErrorEvent) => void} report
 * @param {Pick<Process, 'hintFor' | 'discreet'>} process
 * @param {ErrorEvent} [told] the library's event of it
 * @returns {number} the exit status
 */
function reportFailure(failure, report, { hintFor, discreet }, told) {
  // Loaded only on a failure, because most commands do not fail.
  const { asXferError } = require('../lib/errors')
  const error = failure instanceof CommanderError ? fromCommander(failure) : asXferError(failure)
  const { code, exitCode } = error
  const [message, hint] = [error.message, hintFor(error)].map(discreet)
  report({ ...(told ?? { type: 'error', code, exitCode, time: new Date().toISOString() }), message, hint })
  return exitCode
}

/**
 * Turns an error of commander's into one of ours. The text after an option's `=` is left out: it may be a secret that was
 * typed in the wrong place.
 *
 * @param {import('commander').CommanderError & { command?: string }} error command: the name of the command whose line could
 *   not be parsed, if it has one
 */
function fromCommander({ code, message, command }) {
  const help = `xfer ${command === undefined ? '' : `${command} `}--help to see what is possible.`
  const advice = `Run ${help}`
  if (code === 'commander.help')
    return new lib.XferError('USAGE', { mistake: code, text: 'No command was given.', advice })
  const [, words, guess] = /^(?:error: )?(.*?)(?:\n\(Did you mean (.*)\?\))?$/s.exec(message) ?? []
  const text = words
    .replace(/^(option '.*') argument missing$/s, '$1 needs a value')
    .replace(/^(unknown option '[^=]*)=.*'$/s, "$1'")
    .replaceAll("'", '"')
    .replace('. Expected', ': expected')
  const word =
    /^unknown option '([^=]*?)(?:=.*)?'$/s.exec(words)?.[1] ?? /^option '(?:-\w, )?(--[\w-]+)/.exec(words)?.[1]
  return new lib.XferError('USAGE', {
    mistake: code,
    word,
    text: `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`,
    advice: guess ? `Perhaps you mean ${guess}: run ${help}` : advice,
  })
}

/** For `--debug`. @param {Error} error @returns {string} its stack, and that of its cause */
function stackOf({ stack, cause }) {
  const causes = cause === undefined ? [] : [`caused by ${/** @type {any} */ (cause).stack ?? cause}`]
  // Only frames are lines of their own: a message may be a store's, and look like several.
  const lines = [`${stack}`, ...causes].flatMap(text => text.split(/\n(?= {4}at )/))
  return lines.map(printable).join('\n')
}

module.exports = { listenTo, run, reportFailure, runJob, stackOf }
