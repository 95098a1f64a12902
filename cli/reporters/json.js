'use strict'

const { jsonLine } = require('../format')

/**
 * One event a line on standard output.
 *
 * @param {{ out: NodeJS.WritableStream, progress?: boolean }} how progress: false: none
 * @returns {(event: any) => void}
 */
function createJsonReporter({ out, progress = true }) {
  return event => {
    if (event.type === 'progress' && !progress) return
    out.write(`${jsonLine(event)}\n`)
  }
}

module.exports = { createJsonReporter }
