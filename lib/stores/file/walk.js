'use strict'

/**
 * Walks the files below a folder in the order of their whole keys. It holds the names of the folders that it is in, each sorted
 * when it is entered, and nothing open. And reads the names of one folder.
 */

const { readdir, stat } = require('node:fs/promises')
const { codeOf, partialIdOf } = require('../../files')
const { compareNames } = require('../../listing')

/** In it JavaScript's own order differs from that of UTF-8. */
const HIGH = /[\ud800-\uffff]/
/** What stands for bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd'
/** Nothing is there, or a link that leads nowhere or to itself. */
const NOWHERE = ['ENOENT', 'ENOTDIR', 'ELOOP']

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

/**
 * @typedef {object} Entries
 * @property {string[]} names of files, and of folders with a slash at the end, in order
 * @property {string[]} unreadable names that are no UTF-8, as far as they can be shown
 * @property {number} links those that are not followed
 * @property {number} special devices, pipes and sockets
 */

/**
 * @param {string} path
 * @param {{ follow: boolean }} how
 * @returns {Promise<Entries>}
 */
async function readFolder(path, { follow }) {
  const entries = await readdir(path, { withFileTypes: true })
  const unreadable = entries.some(({ name }) => name.includes(REPLACEMENT)) ? await notUtf8(path) : new Set()
  /** @type {Entries} */
  const found = { names: [], unreadable: [], links: 0, special: 0 }
  for (const entry of entries) {
    const { name } = entry
    if (unreadable.has(name)) found.unreadable.push(name)
    else if (partialIdOf(name) !== undefined) continue
    else if (entry.isFile()) found.names.push(name)
    else if (entry.isDirectory()) found.names.push(`${name}/`)
    else if (entry.isSymbolicLink() && follow) await addTarget(found, path, name)
    else if (entry.isSymbolicLink()) found.links++
    else found.special++
  }
  found.names.some(name => HIGH.test(name)) ? found.names.sort(compareNames) : found.names.sort()
  return found
}

/** @param {Entries} found @param {string} path @param {string} name of a link */
async function addTarget(found, path, name) {
  const target = await stat(`${path}/${name}`).catch(unlessNowhere)
  if (target?.isFile()) found.names.push(name)
  else if (target?.isDirectory()) found.names.push(`${name}/`)
  else if (target) found.special++
  // It leads nowhere, or to itself.
  else found.links++
}

/** @param {string} path @returns {Promise<Set<string>>} */
async function notUtf8(path) {
  const names = await readdir(path, { encoding: 'buffer' })
  return new Set(names.filter(name => !Buffer.from(name.toString()).equals(name)).map(name => name.toString()))
}

/** What cannot be looked at may be there. @param {unknown} cause */
function unlessNowhere(cause) {
  if (!NOWHERE.includes(codeOf(cause))) throw cause
}

module.exports = { createWalk, readFolder, unlessNowhere }
