'use strict'

/**
 * Walks the files below a folder in the order of their whole keys. It holds the names of the folders that it is in, each sorted
 * when it is entered, and nothing open.
 */

const { compareNames } = require('../../listing')

/**
 * @typedef {object} Level
 * @property {string} folder its key, with a slash at the end; '' for the root of the file system
 * @property {string[]} names
 * @property {number} at the next of them
 */

/**
 * @param {object} of
 * @param {string} of.prefix of the keys
 * @param {string} [of.after] keys up to this one are left out
 * @param {boolean} [of.flat] folders below the prefix are not entered: their keys, with a slash at the end, stand for them
 * @param {(folder: string) => Promise<string[]>} of.read the names of a folder, in order; none where there is no such folder
 */
function createWalk({ prefix, after = '', flat = false, read }) {
  /** @type {Level[] | undefined} */
  let levels

  /** @param {string} folder @param {string} name */
  function wanted(folder, name) {
    const key = folder + name
    if (!name.endsWith('/')) return key.startsWith(prefix) && compareNames(key, after) > 0
    if (flat && key.startsWith(prefix)) return compareNames(key, after) > 0
    const reaches = key.startsWith(prefix) || prefix.startsWith(key)
    return reaches && (after.startsWith(key) || compareNames(key, after) > 0)
  }

  /** @param {string} folder */
  async function enter(folder) {
    const names = (await read(folder)).filter(name => wanted(folder, name))
    levels?.push({ folder, names, at: 0 })
  }

  return {
    /** @param {number} most @returns {Promise<{ keys: string[], ended: boolean }>} the next keys, of one folder or of several */
    async next(most) {
      if (!levels) {
        levels = []
        await enter(prefix.slice(0, prefix.lastIndexOf('/') + 1))
      }
      /** @type {string[]} */
      const keys = []
      while (levels.length > 0 && keys.length < most) {
        const level = /** @type {Level} */ (levels.at(-1))
        if (level.at === level.names.length) levels.pop()
        else {
          const name = level.names[level.at++]
          const key = level.folder + name
          if (name.endsWith('/') && !(flat && key.startsWith(prefix))) await enter(key)
          else keys.push(key)
        }
      }
      return { keys, ended: levels.length === 0 }
    },
  }
}

module.exports = { createWalk }
