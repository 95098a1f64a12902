'use strict'

const text = require('./text')

const { errorLines, noteLine, progressLine } = text

const LINE_EVERY_MS = 5_000

/**
 * For logs and pipes: a line of progress every five seconds, the result on standard output.
 *
 * @param {{ out: NodeJS.WritableStream, err: NodeJS.WritableStream, now?: () => number, words?: import('.').Words }} streams
 * @returns {(event: import('../../lib/types').XferEvent) => void}
 */
function createLineReporter({ out, err, now = Date.now, words = text }) {
  let saidMs = now()

  /** @param {NodeJS.WritableStream} stream @param {string[]} lines */
  const print = (stream, lines) => stream.write(lines.map(line => `${line}\n`).join(''))

  return event => {
    if (event.type === 'plan') print(err, words.planLines(event))
    else if (event.type === 'resume' || event.type === 'notice') print(err, [noteLine(event)])
    else if (event.type === 'progress') {
      if (now() - saidMs < LINE_EVERY_MS) return
      saidMs = now()
      print(err, [progressLine(event)])
    } else if (event.type === 'done') print(out, words.doneLines(event))
    else if (event.type === 'error') print(err, errorLines(event))
  }
}

/**
 * `--quiet`: errors alone.
 *
 * @param {{ err: NodeJS.WritableStream }} streams
 * @returns {(event: import('../../lib/types').XferEvent) => void}
 */
function createQuietReporter({ err }) {
  return event => {
    if (event.type === 'error') err.write(`${errorLines(event).join('\n')}\n`)
  }
}

module.exports = { createLineReporter, createQuietReporter }
