'use strict'

/** A prefix of its own, in which something is tried at a store: what was written there is known, and is removed in the end. */

const { randomBytes } = require('node:crypto')
const { asXferError } = require('../errors')
const { withRetry } = require('../stores')

const CLEAN_RETRIES = 3

/**
 * @param {import('../types').Store} store
 * @param {{ within: string, name: string }} how within: what comes before the prefix, empty or with a slash at its end; name: what the
 *   prefix begins with, so that one that was left can be found
 */
function createTrial(store, { within, name: begins }) {
  const prefix = `${within}${begins}-${randomBytes(4).toString('hex')}/`
  /** Each with its versions, where the store tells them: one that is removed without its version is only hidden. @type {Map<string, Set<string | undefined>>} */
  const written = new Map()
  /** Uploads that are neither completed nor aborted: their keys, by their ids. @type {Map<string, string>} */
  const uploads = new Map()

  return {
    prefix,

    /** The key of what is about to be written. @param {string} name below the prefix */
    begin(name) {
      const key = prefix + name
      if (!written.has(key)) written.set(key, new Set())
      return key
    },

    /** @param {string} key @param {string} [versionId] as the answer to the write tells it */
    wrote(key, versionId) {
      written.get(key)?.add(versionId)
    },

    /** What is refused, and was not taken earlier, is not there. @param {string} key */
    refused(key) {
      if (written.get(key)?.size === 0) written.delete(key)
    },

    /** @param {string} id of an upload @param {string} key */
    began(id, key) {
      uploads.set(id, key)
    },

    /** It is completed or aborted. @param {string} id */
    ended(id) {
      uploads.delete(id)
    },

    /** Removes everything. @returns {Promise<string[]>} the keys that are still there */
    async clean() {
      const patient = withRetry(store, { retries: CLEAN_RETRIES })
      for (const [uploadId, key] of uploads) await patient.upload.abort?.({ key, uploadId }).catch(() => {})
      const listed = await patient.list?.({ prefix }).catch(() => undefined)
      for (const { key } of listed?.objects ?? []) if (!written.has(key)) written.set(key, new Set())
      /** @type {Set<string>} */
      const left = new Set()
      for (const [key, versions] of written) {
        for (const versionId of versions.size > 0 ? versions : [undefined]) {
          await patient.remove({ key, versionId }).catch(cause => {
            if (asXferError(cause).code !== 'NO_SUCH_KEY') left.add(key)
          })
        }
      }
      return [...left]
    },
  }
}

/** @typedef {ReturnType<typeof createTrial>} Trial */

module.exports = { createTrial }
