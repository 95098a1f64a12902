'use strict'

/** Prints many lines to a reader that may be slow, or go away as `head` does; and what `ls` and `du` say of nothing. */

const { once } = require('node:events')
const lib = require('../lib')
const { jsonLine, printable } = require('./format')

/** So much is written at once. */
const MOST_BYTES = 16 * 1024

/**
 * Lines are collected until the work waits for something, so that a page of a list is one write.
 *
 * @param {NodeJS.WritableStream & { writableNeedDrain?: boolean }} out
 * @param {{ json?: boolean }} how
 * @returns {{ print(event: object, line?: string): Promise<boolean>, end(): Promise<boolean> }} both resolve when the reader may get
 *   more: false if nobody reads any more. print: with `json` the event, else the line, if there is one; end: prints what was collected
 */
function createLines(out, { json }) {
  let collected = ''
  /** @type {NodeJS.Immediate | undefined} */
  let soon
  const gone = new AbortController()
  // The process reports a failure that is no reader's going (cli/xfer.js).
  for (const event of ['error', 'close']) out.once(event, () => gone.abort())

  function flush() {
    clearImmediate(soon)
    soon = undefined
    if (collected !== '' && !gone.signal.aborted) out.write(collected)
    collected = ''
  }

  async function room() {
    while (out.writableNeedDrain && !gone.signal.aborted)
      await once(out, 'drain', { signal: gone.signal }).catch(() => {})
    return !gone.signal.aborted
  }

  return {
    async print(event, line) {
      const text = json ? jsonLine(event) : line && printable(line)
      if (text !== undefined) collected += `${text}\n`
      if (collected.length >= MOST_BYTES) flush()
      else soon ??= setImmediate(flush)
      return await room()
    },
    async end() {
      flush()
      return await room()
    },
  }
}

/**
 * Nothing begins with a location. An empty container is no error.
 *
 * @param {string} location as it was typed
 * @throws {import('../lib/types').XferError} NOTHING_FOUND
 */
function checkFound(location) {
  const { parsePlace, placeText } = require('../lib/stores')
  const place = parsePlace(location, 'source', { containerAlone: true, accountAlone: true })
  if (place.key === '') return
  const path = place.scheme === 'file' && { path: true }
  throw new lib.XferError('NOTHING_FOUND', { location: placeText(place), pattern: /[*?]/.test(place.key), ...path })
}

module.exports = { checkFound, createLines }
