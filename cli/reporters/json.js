'use strict'

const { jsonLine } = require('../format')

/**
 * One event a line on standard output. A dry run prints the same lines each time that it finds the same:
 * without times, except for an error.
 *
 * @param {{ out: NodeJS.WritableStream, progress?: boolean }} how progress: false: none
 * @returns {(event: any) => void}
 */
function createJsonReporter({ out, progress = true }) {
  let dryRun = false
  /** Of a dry run, those that depend on the moment. */
  const passing = ['progress', 'retry', 'throttle', 'outage']
  return event => {
    if (event.type === 'plan') dryRun = event.dryRun === true
    if (event.type === 'progress' && !progress) return
    if (!dryRun || event.type === 'error') return void out.write(`${jsonLine(event)}\n`)
    if (passing.includes(event.type)) return
    const { time, elapsedMs, ...lasting } = event
    out.write(`${jsonLine(lasting)}\n`)
  }
}

module.exports = { createJsonReporter }
