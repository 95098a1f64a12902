'use strict'

const fs = require('node:fs')

/**
 * Opens a journal with one line for each change of a store. The changes that it has already are applied first.
 *
 * @param {string} file
 * @param {Record<string, (change: any) => void>} changes what each kind of change does
 */
function openJournal(file, changes) {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  // A line that was cut when the store was killed is the last one, and its change was not answered.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) fs.truncateSync(file, Buffer.byteLength(whole))
  for (const line of whole.split('\n').slice(0, -1)) {
    const { type, ...change } = JSON.parse(line)
    changes[type](change)
  }
  /** @type {number | undefined} */
  let journal = fs.openSync(file, 'a')
  return {
    /** @param {string} type @param {object} change */
    record(type, change) {
      changes[type](change)
      if (journal !== undefined) fs.writeSync(journal, `${JSON.stringify({ type, ...change })}\n`)
    },
    close() {
      if (journal !== undefined) fs.closeSync(journal)
      journal = undefined
    },
  }
}

module.exports = { openJournal }
