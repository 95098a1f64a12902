'use strict'

/** A prefix of its own, in which something is tried at a store: what was written there is known, and is removed in the end. */

const { randomBytes } = require('node:crypto')
const { asXferError } = require('../errors')

/**
 * @param {import('../types').Store} store which repeats its requests
 * @param {{ within: string, name: string }} how within: what comes before the prefix, empty or with a slash at its end; name: what the
 *   prefix begins with, so that one that was left can be found
 */
function createTrial(store, { within, name: begins }) {
  const prefix = `${within}${begins}-${randomBytes(4).toString('hex')}/`
  /** How often each was begun, and its versions, where the store tells them. @type {Map<string, { begun: number, versions: Set<string | undefined> }>} */
  const written = new Map()
  /** Uploads that are neither completed nor aborted: their keys, by their ids. @type {Map<string, string>} */
  const uploads = new Map()

  return {
    prefix,

    /** The key of what is about to be written. @param {string} name below the prefix */
    begin(name) {
      const key = prefix + name
      const { begun, versions } = written.get(key) ?? { begun: 0, versions: new Set() }
      written.set(key, { begun: begun + 1, versions })
      return key
    },

    /** @param {string} key @param {string} [versionId] as the answer to the write tells it */
    wrote(key, versionId) {
      written.get(key)?.versions.add(versionId)
    },

    /** What is refused at its first write is not there. @param {string} key */
    refused(key) {
      if (written.get(key)?.begun === 1) written.delete(key)
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
      /** @type {Set<string>} */
      const left = new Set()
      for (const [uploadId, key] of uploads) await store.upload.abort?.({ key, uploadId }).catch(() => {})
      for (const [key, { versions }] of written) {
        // One that is removed without its version is only hidden.
        for (const versionId of versions.size > 0 ? versions : [undefined]) await remove(key, versionId)
      }
      // Of what had no answer no version is known.
      const listed = await store.list?.({ prefix }).catch(() => undefined)
      for (const { key } of listed?.objects ?? []) if (!left.has(key)) await remove(key)
      return [...left]

      /** @param {string} key @param {string} [versionId] */
      async function remove(key, versionId) {
        try {
          await store.remove({ key, versionId })
        } catch (cause) {
          const { code } = asXferError(cause)
          // Who may delete objects need not be allowed to delete versions. Then the object is hidden.
          if (code === 'ACCESS_DENIED' && versionId !== undefined) await remove(key)
          else if (code !== 'NO_SUCH_KEY') left.add(key)
        }
      }
    },
  }
}

/** @typedef {ReturnType<typeof createTrial>} Trial */

module.exports = { createTrial }
