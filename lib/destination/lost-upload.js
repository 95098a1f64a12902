'use strict'

/**
 * Lost uploads: the answer to the creation of an upload was lost, and with it the upload id. Such an upload is reported, not
 * aborted. A list of uploads shows only when and by whom each was created, and another program with the same credentials may
 * create one for the same key in the same second. Aborting that one would end its copy. An upload without parts costs nothing.
 */

const { notice } = require('../notices')
const { findLost } = require('./uploads')

/** What was reported already: a job looks more than once. @type {WeakMap<import('../types').Store, Set<string>>} */
const reported = new WeakMap()

/**
 * Looks for a lost upload, and reports each upload that may be it.
 *
 * @param {object} job
 * @param {{ store: import('../types').Store, key: string, text: string }} job.destination
 * @param {{ journal: Pick<import('../types').JobJournal, 'uploads'>, emit: (event: import('../types').Notice) => void }} job.run
 * @param {{ createdMs: number, ours?: string[], signal?: AbortSignal }} lost createdMs: when its creation was requested, by the
 *   store's clock; ours: ids of our uploads that the journal does not have yet
 * @throws {import('../types').XferError} the store's error, if a retry may help
 */
async function reportLost({ destination, run: { journal, emit } }, { createdMs, ours = [], signal }) {
  const { store, key, text } = destination
  const known = new Set(await journal.uploads())
  const found = await findLost({ store, key, createdMs, known, ours, signal }).catch(error => {
    // Nothing more can be done if the credentials may not list uploads, or the store cannot.
    if (error.code !== 'ACCESS_DENIED' && error.code !== 'STORE_REFUSED') throw error
    return undefined
  })
  const seen = reported.get(store) ?? new Set()
  reported.set(store, seen)
  if (found === undefined && !seen.has(text)) emit(notice('LOST_UPLOAD', { location: text }))
  seen.add(found === undefined ? text : '')
  for (const id of found ?? []) {
    if (!seen.has(id)) emit(notice('LOST_UPLOAD', { location: text, uploadId: id }))
    seen.add(id)
  }
}

module.exports = { reportLost }
