'use strict'

/** The upload of a creation whose answer was lost: nobody has its id. */

const { clearOrphans } = require('./uploads')

/**
 * Looks for it, and aborts it where it is there.
 *
 * @param {{ destination: { store: import('./types').Store, key: string }, journal: Pick<import('./types').JobJournal, 'uploads'> }} job
 * @param {{ createdMs: number, ours?: string[], signal?: AbortSignal }} lost createdMs: when it was asked for, by the store's clock;
 *   ours: ids that nobody has written down yet
 * @throws {import('./types').XferError} what the store says; it may be there still
 */
async function clearLost({ destination, journal }, { createdMs, ours = [], signal }) {
  const { store, key } = destination
  const known = new Set([...ours, ...(await journal.uploads())])
  await clearOrphans({ store, key, createdMs, known, signal }).catch(error => {
    // Who may not list uploads, or has a store that lists none, cannot do more.
    if (error.code !== 'ACCESS_DENIED' && error.code !== 'STORE_REFUSED') throw error
  })
}

module.exports = { clearLost }
