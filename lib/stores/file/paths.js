'use strict'

/** Keys, paths and URLs of the files below one root. Pure. */

const { pathToFileURL } = require('node:url')
const { keyFault } = require('./place')
const { XferError } = require('./words')

/**
 * @typedef {ReturnType<typeof createPaths>} Paths
 * @typedef {{ root: string, names: string[], name: string }} Located names: of the folders below the root; name: of the file
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
      const names = key.slice(base.length).split('/')
      const name = names.pop() ?? ''
      if (reason !== undefined || name === '') {
        throw new XferError('KEY_INVALID', { ...facts, key, reason: reason ?? 'names no file' })
      }
      return { root, names, name }
    },

    /** @param {string} key */
    url: key => pathToFileURL(`/${key}`).href,
  }
}

module.exports = { createPaths }
