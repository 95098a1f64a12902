'use strict'

const { clearScreenDown, cursorTo, moveCursor } = require('node:readline')
const text = require('./text')

const { errorLines, isNote, noteLine } = text

/** A faster redraw would flicker. */
const REDRAW_EVERY_MS = 200

/**
 * For a terminal: one block that is redrawn in place, results below it.
 *
 * @param {{ out: NodeJS.WritableStream, err: import('node:tty').WriteStream, now?: () => number, words?: import('.').Words }} streams
 * @returns {import('.').Reporter}
 */
function createTerminalReporter({ out, err, now = Date.now, words = text }) {
  /** @type {Required<Pick<import('.').Words, 'planLines' | 'doneLines' | 'progressLine' | 'progressBlock' | 'isLast'>> & import('.').Words} */
  let say = { ...text, ...words }
  /** @type {string[]} the block that is drawn above the cursor */
  let drawn = []
  let drawnMs = Number.NEGATIVE_INFINITY

  const columns = () => err.columns || 80

  function erase() {
    if (drawn.length === 0) return
    // A terminal that became narrower wraps the lines.
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
    if (event.type === 'plan') {
      if ('recursive' in event) say = { ...say, ...require('./object-words') }
      print(err, say.planLines(event))
    } else if (isNote(event)) {
      erase()
      print(err, [noteLine(event)])
    } else if (event.type === 'progress') {
      if (!say.isLast(event) && now() - drawnMs < REDRAW_EVERY_MS) return
      drawnMs = now()
      erase()
      drawn = say.progressBlock(event, columns())
      print(err, drawn)
    } else if (event.type === 'object') {
      const line = say.objectLine?.(event)
      if (line === undefined) return
      erase()
      print(out, [line])
    } else if (event.type === 'failure') {
      erase()
      print(err, [String(say.failureLine?.(event))])
    } else if (event.type === 'done') {
      drawn = []
      print(out, say.doneLines(event))
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
