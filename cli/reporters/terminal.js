'use strict'

const { clearScreenDown, cursorTo, moveCursor } = require('node:readline')
const { doneLines, errorLines, planLines, progressBlock } = require('./text')

/** Faster is flicker. */
const REDRAW_EVERY_MS = 200

/**
 * For a terminal: one block that is redrawn in place, results below it. Lines are cut at the terminal's width, for one
 * that wraps could not be taken back.
 *
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream, now?: () => number }} streams
 * @returns {(event: import('../../lib/types').XferEvent) => void}
 */
function createTerminalReporter({ out, err, now = Date.now }) {
  let drawn = 0
  let drawnMs = 0

  function erase() {
    if (drawn === 0) return
    moveCursor(err, 0, -drawn)
    cursorTo(err, 0)
    clearScreenDown(err)
    drawn = 0
  }

  /** @param {NodeJS.WritableStream} stream @param {string[]} lines */
  const print = (stream, lines) => stream.write(lines.map(line => `${line}\n`).join(''))

  return event => {
    if (event.type === 'plan') print(err, planLines(event))
    else if (event.type === 'progress') {
      const last = event.bytesDone === event.bytesTotal
      if (!last && now() - drawnMs < REDRAW_EVERY_MS) return
      drawnMs = now()
      erase()
      const columns = err.columns || 80
      const lines = progressBlock(event, columns).map(line => line.slice(0, columns - 1))
      print(err, lines)
      drawn = lines.length
    } else if (event.type === 'done') {
      drawn = 0
      print(out, doneLines(event))
    } else if (event.type === 'error') {
      drawn = 0
      print(err, errorLines(event))
    }
  }
}

module.exports = { createTerminalReporter }
