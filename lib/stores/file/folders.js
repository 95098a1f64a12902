'use strict'

/** Makes the folders that files are written to. */

const { explainCall } = require('./explain')
const { inFolder } = require('./in-folder')

/** Folders that are remembered. */
const MOST = 10_000

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 */
function createFolders({ paths, facts }) {
  /** By their key; those that are there, or are being made. @type {Map<string, Promise<void>>} */
  const made = new Map()

  return {
    /** @param {string} key of a file, whose folders are made */
    async make(key) {
      const { root, folder } = paths.locate(key)
      const known = made.get(folder)
      if (known) return await known
      const making = inFolder(folder, { root, make: true }, async () => {}).catch(cause => {
        made.delete(folder)
        throw explainCall(cause, { key, of: 'write' }, facts)
      })
      made.set(folder, making)
      if (made.size > MOST) made.delete(/** @type {string} */ (made.keys().next().value))
      await making
    },

    /** What was made may have been removed. */
    forget() {
      made.clear()
    },
  }
}

module.exports = { createFolders }
