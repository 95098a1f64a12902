'use strict'

/** Keys, paths and URLs of the files below one root. Pure. */

const { pathToFileURL } = require('node:url')
const { keyFault } = require('./place')
const { XferError } = require('./words')

/**
 * @typedef {ReturnType<typeof createPaths>} Paths
 * @typedef {{ root: string, folder: string, name: string }} Located paths of the root and of the file's folder, and its name
 */

/**
 * @param {string} key of the place: a prefix ends in a slash, and no key leaves it; else it is a file's
 * @param {Record<string, any>} facts of the store
 */
function createPaths(key, facts) {
  /** Of every key below the root: '' for the root of the file system. */
  const base = key.slice(0, key.lastIndexOf('/') + 1)
  const root = `/${base.slice(0, -1)}`

  return {
    root,
    base,
    /** The user named this very file, and no prefix. */
    named: key.endsWith('/') || key === '' ? undefined : key,

    /**
     * @param {string} key of a file
     * @returns {Located}
     * @throws {XferError} KEY_INVALID
     */
    locate(key) {
      const reason = keyFault(key) ?? (key.startsWith(base) ? undefined : 'lies outside the folder that was named')
      const slash = key.lastIndexOf('/')
      const name = key.slice(slash + 1)
      if (reason !== undefined || name === '') {
        throw new XferError('KEY_INVALID', { ...facts, key, reason: reason ?? 'names no file' })
      }
      return { root, folder: `/${key.slice(0, Math.max(slash, 0))}`, name }
    },

    /** @param {string} folder its key, with a slash at the end, or '' @returns {string} */
    folder: folder => `/${folder.slice(0, -1)}`,

    /** @param {string} key */
    url: key => pathToFileURL(`/${key}`).href,
  }
}

module.exports = { createPaths }
