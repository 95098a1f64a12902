'use strict'

/** What is true of many objects is told of the first one, and not a million times. */

/** Sentences that are otherwise of each object, for what else they hold: they have to end somewhere. */
const MOST_TOLD = 1_000

/**
 * @param {(event: { type: 'notice', message: string }) => void} emit
 * @returns {(message: string, key: string) => void} key: what in the sentence is this object's alone
 */
function createToldOnce(emit) {
  /** @type {Set<string>} */
  const told = new Set()
  return (message, key) => {
    const pattern = key === '' ? message : message.replaceAll(key, '…')
    if (told.has(pattern) || told.size === MOST_TOLD) return
    told.add(pattern)
    emit({ type: 'notice', message })
  }
}

module.exports = { createToldOnce }
