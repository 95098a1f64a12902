'use strict'

const { clearScreenDown, cursorTo, moveCursor } = require('node:readline')
const text = require('./text')

const { errorLines, noteLine, progressBlock } = text

/** Faster is flicker. */
const REDRAW_EVERY_MS = 200

/**
 * For a terminal: one block that is redrawn in place, results below it.
 *
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream, now?: () => number, words?: import('.').Words }} streams
 * @returns {import('.').Reporter}
 */
function createTerminalReporter({ out, err, now = Date.now, words = text }) {
  /** @type {string[]} the block as it stands above the cursor */
  let drawn = []
  let drawnMs = Number.NEGATIVE_INFINITY

  const columns = () => err.columns || 80

  function erase() {
    if (drawn.length === 0) return
    // A terminal that became narrower has broken its lines.
    const rows = drawn.reduce((sum, line) => sum + Math.ceil(line.length / columns()), 0)
    moveCursor(err, 0, -rows)
    cursorTo(err, 0)
    clearScreenDown(err)
    drawn = []
  }

  /** @param {NodeJS.WritableStream} stream @param {string[]} lines */
  const print = (stream, lines) => stream.write(lines.map(line => `${line}\n`).join(''))

  /** @param {import('../../lib/types').XferEvent} event */
  function onEvent(event) {
    if (event.type === 'plan') print(err, words.planLines(event))
    else if (event.type === 'resume' || event.type === 'notice') {
      erase()
      print(err, [noteLine(event)])
    } else if (event.type === 'progress') {
      const last = event.bytesDone === event.bytesTotal
      if (!last && now() - drawnMs < REDRAW_EVERY_MS) return
      drawnMs = now()
      erase()
      drawn = progressBlock(event, columns())
      print(err, drawn)
    } else if (event.type === 'done') {
      drawn = []
      print(out, words.doneLines(event))
    } else if (event.type === 'error') {
      drawn = []
      print(err, errorLines(event))
    }
  }

  return {
    onEvent,
    note(line) {
      erase()
      print(err, [line])
    },
  }
}

module.exports = { createTerminalReporter }
