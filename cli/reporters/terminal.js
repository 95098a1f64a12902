'use strict'

const { clearScreenDown, cursorTo, moveCursor } = require('node:readline')
const { rowsOf } = require('../layout')
const { asText, createPrinter } = require('./printer')
const { isLast, progressBlock } = require('./progress-words')

/** A faster redraw would flicker. */
const REDRAW_EVERY_MS = 200

/**
 * For a terminal: one block that is redrawn in place, and is gone in the end; lines that stay above it.
 *
 * @param {object} how
 * @param {NodeJS.WritableStream} how.out
 * @param {import('node:tty').WriteStream} how.err
 * @param {NodeJS.ProcessEnv} [how.env]
 * @param {() => number} [how.now]
 * @param {import('.').Words} [how.words]
 * @param {number} [how.startedMs]
 * @param {boolean} [how.verbose]
 * @returns {import('.').Reporter}
 */
function createTerminalReporter({ out, err, env, now = Date.now, words, startedMs, verbose }) {
  const printer = createPrinter({ out, err, env, words, verbose, startedMs, now })
  /** @type {string[]} the block that is drawn above the cursor */
  let drawn = []
  let drawnMs = Number.NEGATIVE_INFINITY

  // It changes when the window does. A terminal that does not say it has none.
  const columns = () => err.columns || 80

  function erase() {
    if (drawn.length === 0) return
    // A terminal that became narrower wraps the lines.
    moveCursor(err, 0, -rowsOf(drawn, columns()))
    cursorTo(err, 0)
    clearScreenDown(err)
    drawn = []
  }

  /** @param {import('../../lib/types').XferEvent} event */
  function onEvent(event) {
    const printed = printer.print(event)
    if (printed) {
      erase()
      printed.stream.write(printed.text)
    }
    if (event.type !== 'progress' || (!isLast(event) && now() - drawnMs < REDRAW_EVERY_MS)) return
    drawnMs = now()
    erase()
    drawn = progressBlock(event, { columns: columns(), rows: err.rows || undefined }, printer.style)
    err.write(asText(drawn))
  }

  return {
    onEvent,
    note(line) {
      erase()
      err.write(printer.note(line))
    },
  }
}

module.exports = { createTerminalReporter }
