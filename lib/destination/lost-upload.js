'use strict'

/**
 * The upload of a creation whose answer was lost: nobody has its id. It is told, and left: an upload has no name but the id
 * that was lost, a list tells when and by whom it was begun, and another program with the same credentials may begin one of
 * the same key in the same second. To abort that one would end its copy; one without a part costs nothing.
 */

const { notice } = require('../notices')
const { findLost } = require('./uploads')

/** Told already, for a job looks more than once. @type {WeakMap<import('../types').Store, Set<string>>} */
const told = new WeakMap()

/**
 * Looks for it, and tells what may be it.
 *
 * @param {object} job
 * @param {{ store: import('../types').Store, key: string, text: string }} job.destination
 * @param {{ journal: Pick<import('../types').JobJournal, 'uploads'>, emit: (event: import('../types').Notice) => void }} job.run
 * @param {{ createdMs: number, ours?: string[], signal?: AbortSignal }} lost createdMs: when it was asked for, by the store's clock;
 *   ours: ids that nobody has written down yet
 * @throws {import('../types').XferError} what the store says, where asking again may tell more
 */
async function tellLost({ destination, run: { journal, emit } }, { createdMs, ours = [], signal }) {
  const { store, key, text } = destination
  const known = new Set(await journal.uploads())
  const found = await findLost({ store, key, createdMs, known, ours, signal }).catch(error => {
    // Who may not list uploads, or has a store that lists none, cannot do more.
    if (error.code !== 'ACCESS_DENIED' && error.code !== 'STORE_REFUSED') throw error
    return undefined
  })
  const seen = told.get(store) ?? new Set()
  told.set(store, seen)
  if (found === undefined && !seen.has(text)) emit(notice('LOST_UPLOAD_NOT_LISTED', { location: text }))
  seen.add(found === undefined ? text : '')
  for (const id of found ?? []) {
    if (!seen.has(id)) emit(notice('LOST_UPLOAD_FOUND', { location: text, uploadId: id }))
    seen.add(id)
  }
}

module.exports = { tellLost }
