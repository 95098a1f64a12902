'use strict'

/** Deletes blobs, a few at a time. */

const { asXferError } = require('../../errors')
const { createHead } = require('./head')
const { versionQuery } = require('./place')

/** How many requests run at the same time. */
const AT_ONCE = 16
/** The version to delete is the blob itself. */
const CURRENT = 'OperationNotAllowedOnRootBlob'

/** @typedef {import('../../types').Store} Store */
/** @typedef {Awaited<ReturnType<Store['removeAll']>>[number]} Refused */
/** @typedef {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts'>} Control */

/**
 * https://learn.microsoft.com/rest/api/storageservices/delete-blob
 *
 * @param {Control} control
 * @returns {Pick<Store, 'remove' | 'removeAll'>}
 */
function createRemoval({ call, facts }) {
  const head = createHead({ call, facts })

  /** @param {{ key: string, etag?: string, versionId?: string }} blob @param {AbortSignal} [signal] */
  async function remove({ key, etag, versionId }, signal) {
    /** @type {Record<string, string>} */
    const headers = etag === undefined ? {} : { 'if-match': etag }
    const query = versionQuery(versionId)
    const request = { method: /** @type {const} */ ('DELETE'), key, query, headers, statuses: [202] }
    const deletion = { operation: 'Delete Blob', kind: /** @type {const} */ ('remove'), ...request }
    await call(deletion, signal)
      .catch(async error => {
        if (versionId === undefined || error.facts.storeCode !== CURRENT) throw error
        await makePrevious({ key, versionId }, signal)
        return await call(deletion, signal)
      })
      .catch(error => {
        if (error.code !== 'NO_SUCH_KEY' || etag !== undefined) throw error
      })
  }

  /**
   * The current version cannot be deleted by its id. Once the blob is deleted, its last version is a previous one.
   *
   * @param {{ key: string, versionId: string }} version
   * @param {AbortSignal} [signal]
   */
  async function makePrevious({ key, versionId }, signal) {
    const { etag } = await head(key, { signal, versionId })
    await remove({ key, etag }, signal).catch(error => {
      // Somebody else has written or deleted the blob since.
      if (error.code !== 'DESTINATION_EXISTS' && error.code !== 'NO_SUCH_KEY') throw error
    })
  }

  /** @param {string} key @param {AbortSignal} [signal] @returns {Promise<Refused[]>} */
  async function one(key, signal) {
    try {
      await remove({ key }, signal)
      return []
    } catch (cause) {
      const { code, message, retryable, throttled } = asXferError(cause)
      if (retryable || throttled || signal?.aborted) throw cause
      return [{ key, code, message }]
    }
  }

  return {
    remove: async (blob, { signal } = {}) => await remove(blob, signal),

    async removeAll(keys, { signal } = {}) {
      /** @type {Refused[]} */
      const refused = []
      for (let at = 0; at < keys.length; at += AT_ONCE) {
        const some = keys.slice(at, at + AT_ONCE)
        refused.push(...(await Promise.all(some.map(key => one(key, signal)))).flat())
      }
      return refused
    },
  }
}

module.exports = { createRemoval }
