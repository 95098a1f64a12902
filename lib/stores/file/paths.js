'use strict'

/** Keys, paths and URLs of the files below one root. Pure. */

const { pathToFileURL } = require('node:url')
const { partialIdOf, partialName } = require('../../files')
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
  const base = folderOf(key)
  const root = `/${base.slice(0, -1)}`

  /**
   * @param {string} key of a file
   * @returns {Located}
   * @throws {XferError} KEY_INVALID
   */
  function locate(key) {
    const reason = keyFault(key) ?? (key.startsWith(base) ? undefined : 'lies outside the folder that was named')
    const name = nameOf(key)
    if (reason !== undefined || name === '') {
      throw new XferError('KEY_INVALID', { ...facts, key, reason: reason ?? 'names no file' })
    }
    return { root, folder: `/${folderOf(key).slice(0, -1)}`, name }
  }

  return {
    root,
    base,
    /** The user named this very file, and no prefix. */
    named: key.endsWith('/') || key === '' ? undefined : key,

    locate,

    /**
     * @param {string} key of a file that is to be written
     * @returns {Located}
     * @throws {XferError} KEY_INVALID, also for a name of our partial files: lists leave it out, and `xfer clean` removes it
     */
    locateTarget(key) {
      const located = locate(key)
      const own = key
        .slice(base.length)
        .split('/')
        .find(name => partialIdOf(name) !== undefined)
      if (own === undefined) return located
      throw new XferError('KEY_INVALID', { ...facts, key, reason: 'has a name as xfer gives its own partial files' })
    },

    /** @param {string} folder its key, with a slash at the end, or '' @returns {string} */
    folder: folder => `/${folder.slice(0, -1)}`,

    /** The error of one file. @param {string} code @param {string} key @param {object} [more] facts @param {unknown} [cause] */
    fault: (code, key, more, cause) => new XferError(code, { ...facts, key, path: `/${key}`, ...more }, { cause }),

    /** @param {string} key */
    url: key => pathToFileURL(`/${key}`).href,
  }
}

/** @param {string} key */
const nameOf = key => key.slice(key.lastIndexOf('/') + 1)

/** @param {string} key @returns {string} with a slash at the end; '' for the root of the file system */
const folderOf = key => key.slice(0, key.lastIndexOf('/') + 1)

/**
 * @param {string} uploadId the id of the partial file, and the size of the object
 * @returns {{ name: string, total: number }} name: of the partial file
 */
function readUploadId(uploadId) {
  const [id, total = '0'] = uploadId.split('.')
  return { name: partialName(id), total: Number(total) }
}

module.exports = { createPaths, folderOf, nameOf, readUploadId }
