'use strict'

const { createPrinter } = require('./printer')
const { progressLine } = require('./progress-words')

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
 * @param {import('.').Words} [how.words]
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

module.exports = { createLineReporter }
