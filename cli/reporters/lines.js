'use strict'

const text = require('./text')

const { errorLines, isNote, noteLine } = text

const LINE_EVERY_MS = 5_000

/**
 * For logs and pipes: a line of progress every five seconds, the result on standard output.
 *
 * @param {{ out: NodeJS.WritableStream, err: NodeJS.WritableStream, now?: () => number, words?: import('.').Words }} streams
 * @returns {(event: import('../../lib/types').XferEvent) => void}
 */
function createLineReporter({ out, err, now = Date.now, words = text }) {
  /** @type {Required<Pick<import('.').Words, 'planLines' | 'doneLines' | 'progressLine' | 'progressBlock' | 'isLast'>> & import('.').Words} */
  let say = { ...text, ...words }
  let saidMs = now()

  /** @param {NodeJS.WritableStream} stream @param {string[]} lines */
  const print = (stream, lines) => stream.write(lines.map(line => `${line}\n`).join(''))

  return event => {
    if (event.type === 'plan') {
      if ('recursive' in event) say = { ...say, ...require('./object-words') }
      print(err, say.planLines(event))
    } else if (isNote(event)) print(err, [noteLine(event)])
    else if (event.type === 'progress') {
      if (now() - saidMs < LINE_EVERY_MS) return
      saidMs = now()
      print(err, [say.progressLine(event)])
    } else if (event.type === 'object') {
      const line = say.objectLine?.(event)
      if (line !== undefined) print(out, [line])
    } else if (event.type === 'failure') print(err, [String(say.failureLine?.(event))])
    else if (event.type === 'done') print(out, say.doneLines(event))
    else if (event.type === 'error') print(err, errorLines(event))
  }
}

/**
 * `--quiet`: prints errors only.
 *
 * @param {{ err: NodeJS.WritableStream }} streams
 * @returns {(event: import('../../lib/types').XferEvent) => void}
 */
function createQuietReporter({ err }) {
  return event => {
    if (event.type === 'failure') err.write(`${require('./object-words').failureLine(event)}\n`)
    if (event.type === 'error') err.write(`${errorLines(event).join('\n')}\n`)
  }
}

module.exports = { createLineReporter, createQuietReporter }
