'use strict'

/** Removes one object that a user names, or one version of it. */

const { asXferError } = require('../errors')

/** @typedef {import('../job/open-one').One} One */

/**
 * A store confirms the deletion of an object that it does not have, so it is looked up first. Without the permission to read
 * it nobody knows whether it was there.
 *
 * @param {Pick<One, 'end' | 'run'>} one
 * @param {object} how
 * @param {boolean} how.dryRun it is only looked up
 * @param {typeof import('../job').headObject} how.head looks it up
 * @returns {Promise<number | undefined>} its size in bytes, as far as it is known
 * @throws {import('../types').XferError} NO_SUCH_KEY; the store's errors
 */
async function removeOne({ end, run: { cancel: signal } }, { dryRun, head }) {
  const { store, key, versionId } = end
  const object = await head(end, signal).catch(cause => {
    const error = asXferError(cause)
    if (error.code !== 'ACCESS_DENIED' || dryRun) throw error
  })
  if (!dryRun) await store.remove({ key, versionId }, { signal })
  return object?.bytes
}

module.exports = { removeOne }
