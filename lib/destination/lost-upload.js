'use strict'

/**
 * The upload of a creation whose answer was lost: nobody has its id. It is told, and left: an upload has no name but the id
 * that was lost, a list tells when and by whom it was begun, and another program with the same credentials may begin one of
 * the same key in the same second. To abort that one would end its copy; one without a part costs nothing.
 */

const { findLost } = require('./uploads')

/** Told already, for a job looks more than once. @type {WeakMap<import('../types').Store, Set<string>>} */
const told = new WeakMap()

/**
 * Looks for it, and tells what may be it.
 *
 * @param {object} job
 * @param {{ store: import('../types').Store, key: string, text: string }} job.destination
 * @param {Pick<import('../types').JobJournal, 'uploads'>} job.journal
 * @param {(event: { type: 'notice', message: string }) => void} job.emit
 * @param {{ createdMs: number, ours?: string[], signal?: AbortSignal }} lost createdMs: when it was asked for, by the store's clock;
 *   ours: ids that nobody has written down yet
 * @throws {import('../types').XferError} what the store says, where asking again may tell more
 */
async function tellLost({ destination: { store, key, text }, journal, emit }, { createdMs, ours = [], signal }) {
  const known = new Set(await journal.uploads())
  const tell = (/** @type {string} */ message) => emit({ type: 'notice', message })
  const found = await findLost({ store, key, createdMs, known, ours, signal }).catch(error => {
    // Who may not list uploads, or has a store that lists none, cannot do more.
    if (error.code !== 'ACCESS_DENIED' && error.code !== 'STORE_REFUSED') throw error
    return undefined
  })
  const seen = told.get(store) ?? new Set()
  told.set(store, seen)
  if (found === undefined && !seen.has(text)) tell(wordsOfUnlisted(text))
  seen.add(found === undefined ? text : '')
  for (const id of found ?? []) {
    if (!seen.has(id)) tell(wordsOf(text, id))
    seen.add(id)
  }
}

/** @param {string} text of the destination @param {string} id */
function wordsOf(text, id) {
  return `The answer to the beginning of an upload of ${text} was lost, and it may be the upload ${id}, which has no part and is left there: nothing tells it from somebody else's.`
}

/** @param {string} text of the destination */
function wordsOfUnlisted(text) {
  return `The answer to the beginning of an upload of ${text} was lost: one without a part may be left there, for its uploads may not be listed.`
}

module.exports = { tellLost, wordsOf }
