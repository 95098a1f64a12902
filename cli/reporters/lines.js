'use strict'

/** The lines of an event, in the texts of its kind of job. */

const { formatBytes, formatCount, formatDuration, plural } = require('../format')
const text = require('./copy-words')

/** The exit status of a mistake in the command. */
const USAGE = 2

/** Failures with one code that are printed one by one; the last lines tell how many there were. */
const MOST_FAILURES = 5

/** Objects of a dry run with one action that are printed one by one, unless `--verbose` asks for all. */
const MOST_PLANNED = 100

/** Limits the lines of a dry run to the first hundred of each action. @param {boolean} verbose all of them */
function limitPlanned(verbose) {
  /** The lines that there would be, by action. @type {Map<string, number>} */
  const planned = new Map()
  return {
    /** @param {string} action @param {string} line @returns {string[] | undefined} undefined: it is not printed */
    linesOf(action, line) {
      if (verbose) return [line]
      const number = (planned.get(action) ?? 0) + 1
      planned.set(action, number)
      return number > MOST_PLANNED ? undefined : [line]
    },

    /** What was not printed. */
    moreLines() {
      const more = [...planned].filter(([, number]) => number > MOST_PLANNED)
      if (more.length === 0) return []
      const those = more.map(([action, number]) => `${formatCount(number - MOST_PLANNED)} more to ${action}`)
      return [`and ${those.join(' and ')} (--verbose prints all)`]
    },
  }
}

/** Whether a plan or a result is of a comparison, of two objects or of two prefixes. @param {any} event */
const compares = ({ recursive, method }) => recursive === 'verify' || method !== undefined

/** @param {any} event a plan, or a result @returns {any} the texts of such a job */
function textsOf(event) {
  if (compares(event)) return require('./comparison-words')
  if (event.recursive) return require('./prefix-words')
  return event.destination === undefined ? require('./download-words') : text
}

/**
 * @param {{ silent?: boolean, verbose?: boolean, startedMs?: number, now: () => number, style: import('../format').Style }} how
 * @returns {(event: any) => string[] | undefined} the lines of an event; undefined: it has no line of its own
 */
function createLines({ silent = false, verbose = false, startedMs, now, style }) {
  /** @type {{ dryRun?: boolean, parts?: number, source?: string, destination?: string }} */
  let plan = {}
  /** The last one. @type {import('./progress-words').Progress | undefined} */
  let progress
  /** The failures, by code. @type {Map<string, { objects: number, first: string }>} */
  const failures = new Map()
  const planned = limitPlanned(verbose)

  /** @param {any} event */
  function linesOf(event) {
    const { type } = event
    if (type === 'progress') progress = event
    if (type === 'plan') {
      plan = event
      if (silent) return []
      const notices = event.notices ?? []
      return [
        ...textsOf(event).planLines(event, style),
        ...notices.map((/** @type {string} */ notice) => `Note: ${notice}`),
      ]
    }
    if (type === 'equal') return verbose ? [require('./comparison-words').equalLine(event)] : undefined
    if (type === 'difference') return [require('./comparison-words').differenceLine(event)]
    if (type === 'failure') return failureLines(event)
    if (type === 'detached') {
      const how = event.ranges === undefined ? 'waits' : `waits in ${event.ranges} ranges`
      const { job, runner } = event
      if (runner?.action === undefined) {
        const why = runner ? [`No runner was called: ${runner.error}`] : []
        return [`The job ${job} ${how}: xfer work runs it, xfer jobs shows it.`, ...why]
      }
      return [
        `The job ${job} ${how}, and ${runner.action} on ${runner.where} ${runner.error ? 'could not be called' : 'was called'}.`,
        ...(runner.error ? [runner.error, 'xfer jobs calls it again after a minute.'] : []),
        `To follow it: xfer attach ${job}. To see all: xfer jobs.`,
      ]
    }
    if (type === 'done') {
      const lines = silent ? [] : textsOf(event).doneLines(event)
      // The last line stays the last, for logs.
      if (event.cost) lines.splice(-1, 0, ...require('./cost-words').costLines(event))
      return [...planned.moreLines(), ...lines]
    }
    if (type === 'object') return objectLines(event)
    if (type === 'error')
      return [...planned.moreLines(), ...failuresLines(), ...text.errorLines(event), ...endLine(event)]
    const line = text.noteLine(event, plan) ?? (verbose ? detailLine(event, plan) : undefined)
    return line === undefined ? undefined : [line]
  }

  /** @param {any} event @returns {string[] | undefined} */
  function objectLines(event) {
    const line = require('./prefix-words').objectLine(event, { dryRun: plan.dryRun, verbose, plan })
    if (line === undefined) return undefined
    return plan.dryRun ? planned.linesOf(event.action, line) : [line]
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

  return linesOf
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

module.exports = { compares, createLines, limitPlanned, textsOf }
